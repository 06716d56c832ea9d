const ENCODER = new TextEncoder();

/** Bytes for Web Crypto. Written so that TypeScript before 5.7, where `Uint8Array` has no parameter, reads it. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>;

/** Web Crypto works in Node, Deno, Bun and edge runtimes. */
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Compares in constant time. */
export async function isHmac(signature: Bytes, secret: Bytes, data: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', secret, HMAC, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, data);
}

export function bytesOf(text: string): Bytes {
  return new Uint8Array(ENCODER.encode(text));
}

/** Returns the bytes of a base64 text, or `undefined` when it is not base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export interface Postback {
  /** The parameter `start` of the task's link. */
  readonly click_id: string;
  readonly status: 'approved' | 'rejected';
}

/** Returns the signature for `client.postback`, made with the `postback.secret` of the order. */
export async function signPostback(secret: string, { click_id: clickId, status }: Postback): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), HMAC, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytesOf(`${clickId}:${status}`));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
