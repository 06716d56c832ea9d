import { EMPTY_LINE, html, lines } from '../../../core/html.ts';
import type { Bot } from '../../../modules/bots/index.ts';
import { type Area, type BotContext, choiceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press } from '../screen.ts';
import { botIn } from './bot-page.ts';
import { SNIPPET_TABS, snippet } from './snippets.ts';

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
