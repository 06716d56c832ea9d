import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import { type Area, type BotContext, choiceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { botIn } from './bot-page.ts';

const PLACEHOLDER = '<API_KEY>';

export function botIntegration(area: Area, deps: ManagementBotDeps): void {
  area.onPress('botCode', async (ctx, id, chosen) => {
    const tab = choiceIn(chosen, SNIPPET_TABS);
    const bot = await botIn(deps, ctx, id);
    const { common, publisher } = ctx.texts;
    const { integration } = publisher;
    const token = await shownToken(deps, ctx, bot);
    const baseUrl = deps.publicUrl();
    const { language, code } = snippet(tab, { baseUrl, token: token ?? PLACEHOLDER });
    await ctx.talk.show({
      text: lines(
        integration.intro(bot),
        EMPTY_LINE,
        html`<pre><code class="language-${language}">${code}</code></pre>`,
        EMPTY_LINE,
        token === undefined ? integration.withoutToken(bot) : integration.withToken,
        integration.reference({ url: `${baseUrl}/docs` }),
      ),
      rows: [
        SNIPPET_TABS.map((other) => {
          const name = integration.tabs[other];
          return press(other === tab ? integration.chosen({ tab: name }) : name, 'botCode', bot.id, other);
        }),
        [press(publisher.bot.token, 'botKeys', bot.id), press(common.back, 'bot', bot.id)],
      ],
    });
  });
}

/**
 * Returns the token shown in the message whose button was pressed. We do not store tokens, so it passes from screen to
 * screen in the message itself.
 */
async function shownToken({ tokens }: ManagementBotDeps, ctx: BotContext, bot: Bot): Promise<string | undefined> {
  const token = /at_[\w-]{43}/.exec(ctx.callbackQuery?.message?.text ?? '')?.[0];
  const holder = token === undefined ? undefined : await tokens.find(token);
  return holder?.bot.id === bot.id ? token : undefined;
}

/** Sample code for the API. A test runs it unchanged. */
const SNIPPET_TABS = ['curl', 'ts', 'py'] as const;
type SnippetTab = (typeof SNIPPET_TABS)[number];

interface Snippet {
  /** Telegram's name of the language, for highlighting. */
  readonly language: string;
  readonly code: string;
}

function snippet(tab: SnippetTab, { baseUrl, token }: { baseUrl: string; token: string }): Snippet {
  switch (tab) {
    case 'curl':
      return { language: 'bash', code: curl(baseUrl, token) };
    case 'ts':
      return { language: 'typescript', code: typescript(baseUrl, token) };
    case 'py':
      return { language: 'python', code: python(baseUrl, token) };
  }
}

const curl = (baseUrl: string, token: string): string => `curl ${baseUrl}/api/v1/get-sponsors \\
  -H 'Auth: ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"user_id": 123456789}'

curl ${baseUrl}/api/v1/confirm-subscriptions \\
  -H 'Auth: ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"user_id": 123456789, "ads_ids": [1, 2]}'`;

const typescript = (baseUrl: string, token: string): string => `const call = async (method: string, body: object) => {
  const response = await fetch(\`${baseUrl}/api/v1/\${method}\`, {
    method: 'POST',
    headers: { Auth: '${token}', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
  return response.json();
};

const user_id = 123456789;
const { status, sponsors } = await call('get-sponsors', { user_id });
console.log(status, sponsors);

// "I subscribed" was pressed:
const ads_ids = sponsors.map((task: { ads_id: number }) => task.ads_id);
if (ads_ids.length > 0) {
  const { grant_access } = await call('confirm-subscriptions', { user_id, ads_ids });
  console.log(grant_access);
}`;

const python = (baseUrl: string, token: string): string => `import json
import urllib.request

def call(method, body):
    request = urllib.request.Request(
        f"${baseUrl}/api/v1/{method}",
        data=json.dumps(body).encode(),
        headers={"Auth": "${token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)

user_id = 123456789
answer = call("get-sponsors", {"user_id": user_id})
print(answer["status"], answer["sponsors"])

# "I subscribed" was pressed:
ads_ids = [task["ads_id"] for task in answer["sponsors"]]
if ads_ids:
    result = call("confirm-subscriptions", {"user_id": user_id, "ads_ids": ads_ids})
    print(result["grant_access"])`;
