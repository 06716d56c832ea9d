export interface Settings {
  /** The token of your bot, from @BotFather. */
  readonly botToken: string;
  /** The address of Telegram's Bot API, or of the sandbox. */
  readonly apiRoot: string;
  readonly baseUrl: string;
  /** The API token of your bot at Sponsorgate; it begins with `at_`. */
  readonly token: string;
}

/** Reads the tokens from the environment. Without them, creates a bot in the sandbox and uses the demo publisher's token. */
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
  if (!response.ok) throw new Error(`${path} returned ${response.status}: is a sandbox running at ${baseUrl}?`);
  return (await response.json()) as T;
}
