import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Encrypts and signs with keys derived from the secret key. Each purpose has its own key, so a value made for one
 * purpose is invalid for another.
 */
export interface Secrets {
  encrypt(purpose: string, text: string): Buffer;
  decrypt(purpose: string, sealed: Buffer): string;
  sign(purpose: string, text: string): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createSecrets(secretKey: string): Secrets {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    let key = keys.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', secretKey, 'sponsorgate', purpose, 32));
      keys.set(purpose, key);
    }
    return key;
  };

  return {
    encrypt(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    decrypt(purpose, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      // Without `authTagLength`, Node would accept a tag shortened to four bytes.
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    sign: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
  };
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
