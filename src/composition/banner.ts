import type { Mode } from './mode.ts';

/** Returns the text that `npm start` prints for a sandbox: the address of its page and an example request. */
export function banner({ demoToken }: Mode, url: string): string {
  if (demoToken === undefined) return '';
  return `
Sponsorgate is running in sandbox mode (emulated Telegram, demo data).

  Sandbox page   ${url}/sandbox
  Demo token     ${demoToken}

Try it:

  curl -s ${url}/api/v1/get-sponsors -H 'Auth: ${demoToken}' -H 'Content-Type: application/json' -d '{"user_id": 100001}'

Stop with Ctrl-C.
`;
}
