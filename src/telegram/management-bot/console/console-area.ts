import { isIP } from 'node:net';
import { systemClock } from '../../../core/clock.ts';
import { EMPTY_LINE, lines } from '../../../core/html.ts';
import { endSessions, issueCode, listSessions } from '../../../modules/sessions/index.ts';
import { Area, type BotContext } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { link, press, type Screen } from '../screen.ts';

/** Opens the web console by a link that works once. */
export function consoleArea(deps: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('console', async (ctx) => ctx.talk.show(await linkScreen(deps, ctx)));
  area.onPress('console_end', (ctx) =>
    ctx.talk.show({
      text: ctx.texts.console.confirm,
      rows: [[press(ctx.texts.common.yes, 'console_ended'), press(ctx.texts.common.no, 'console')]],
    }),
  );
  area.onPress('console_ended', async (ctx) => {
    await endSessions(deps.db, { accountId: ctx.person.accountId });
    ctx.talk.toast(ctx.texts.console.ended);
    await ctx.talk.show(await linkScreen(deps, ctx));
  });
  return area;
}

async function linkScreen(
  { db, publicUrl, operatorIds, sandbox }: ManagementBotDeps,
  ctx: BotContext,
): Promise<Screen> {
  const { accountId } = ctx.person;
  // Sessions use real time, also in a sandbox whose clock is moved.
  const at = systemClock.now();
  const sessions = await listSessions(db, { accountId, operatorIds, at });
  const url = `${publicUrl()}/console/enter?code=${await issueCode(db, { accountId, at })}`;
  const { texts, formats } = ctx;
  const words = texts.console;
  const page = words.page({ devices: formats.count(sessions.length) });
  const isButton = sandbox !== undefined || isReachable(url);
  return {
    text: isButton ? page : lines(page, EMPTY_LINE, words.address({ url })),
    rows: [
      isButton ? [link(words.enter, url)] : [],
      [press(words.another, 'console'), ...(sessions.length > 0 ? [press(words.endAll, 'console_end')] : [])],
      [press(texts.common.back, 'home')],
    ],
  };
}

/** Telegram refuses buttons that lead to a local address. */
function isReachable(url: string): boolean {
  const { hostname } = new URL(url);
  return isIP(hostname) === 0 && hostname.includes('.');
}
