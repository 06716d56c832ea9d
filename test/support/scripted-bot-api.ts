import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** One scripted response of the Bot API: a body or a failure. */
export type Scripted =
  | { readonly status?: number; readonly body: unknown }
  | { readonly status?: number; readonly raw: string }
  | 'hang'
  | 'hang after the headers'
  | 'hang up';

interface BotCall {
  readonly token: string;
  readonly method: string;
  readonly params: unknown;
}

export interface ScriptedBotApi {
  readonly root: string;
  /** The calls since the last script. */
  readonly calls: readonly BotCall[];
  /** Sets the next responses, one per call. The last one repeats for all further calls. */
  answer(...script: Scripted[]): void;
  close(): Promise<void>;
}

export const ok = (result: unknown): Scripted => ({ body: { ok: true, result } });

export const refuse = (errorCode: number, description: string, parameters?: object): Scripted => ({
  status: errorCode,
  body: { ok: false, error_code: errorCode, description, ...(parameters === undefined ? {} : { parameters }) },
});

export async function startScriptedBotApi(): Promise<ScriptedBotApi> {
  const calls: BotCall[] = [];
  let script: Scripted[] = [];

  const server = createServer((request, response) => {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    json(request).then(
      (params) => {
        calls.push({ token, method, params });
        give(response, (script.length > 1 ? script.shift() : script[0]) ?? 'hang up');
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer(...answers) {
      script = answers;
      calls.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function give(response: ServerResponse, answer: Scripted): void {
  if (answer === 'hang') return;
  if (answer === 'hang up') {
    response.destroy();
    return;
  }
  const status = answer === 'hang after the headers' ? 200 : (answer.status ?? 200);
  response.writeHead(status, { 'content-type': 'application/json' });
  if (answer === 'hang after the headers') response.write('{"ok":');
  else response.end('raw' in answer ? answer.raw : JSON.stringify(answer.body));
}
