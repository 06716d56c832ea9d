export interface Settings {
  /** Of your bot, from @BotFather. */
  readonly botToken: string;
  /** Telegram's own unless the bot lives in the sandbox. */
  readonly apiRoot: string;
  readonly baseUrl: string;
  /** Of your bot at Sponsorgate; it begins with `at_`. */
  readonly token: string;
}

/** The tokens out of the environment; without any, a new bot in the sandbox and the token of its demo publisher. */
export async function readSettings(): Promise<Settings> {
  const { BOT_TOKEN, SPONSORGATE_TOKEN, SPONSORGATE_URL = 'http://127.0.0.1:8080', TELEGRAM_API_ROOT } = process.env;
  if (BOT_TOKEN === undefined && SPONSORGATE_TOKEN === undefined) return sandboxSettings(SPONSORGATE_URL);
  if (BOT_TOKEN === undefined || SPONSORGATE_TOKEN === undefined) {
    throw new Error('Set BOT_TOKEN and SPONSORGATE_TOKEN, or neither to try it in the sandbox.');
  }
  return {
    botToken: BOT_TOKEN,
    apiRoot: TELEGRAM_API_ROOT ?? 'https://api.telegram.org',
    baseUrl: SPONSORGATE_URL,
    token: SPONSORGATE_TOKEN,
  };
}

async function sandboxSettings(baseUrl: string): Promise<Settings> {
  const { bots } = await sandbox<{ bots: { api_token: string }[] }>(baseUrl, '/state');
  const token = bots[0]?.api_token ?? '';
  const bot = await sandbox<{ token: string }>(baseUrl, '/chats', { type: 'bot', title: 'Example bot' });
  return { botToken: bot.token, apiRoot: `${baseUrl}/sandbox/telegram`, baseUrl, token };
}

async function sandbox<T>(baseUrl: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${baseUrl}/sandbox${path}`, {
    signal: AbortSignal.timeout(10_000),
    ...(body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: is a sandbox running at ${baseUrl}?`);
  return (await response.json()) as T;
}
