import { setMuted } from '../../../modules/accounts/index.ts';
import { NOTICE_KINDS } from '../../../modules/notices/index.ts';
import { Area, type BotContext, choiceIn } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';
import { press, type Screen } from '../screen.ts';

function noticesScreen(ctx: BotContext, muted: ReadonlySet<string>): Screen {
  const { notices, common } = ctx.texts;
  return {
    text: notices.choose,
    rows: [
      ...NOTICE_KINDS.map((kind) => {
        const isMuted = muted.has(kind);
        return [press(`${isMuted ? '🔕' : '🔔'} ${notices.kinds[kind]}`, 'tell', kind, isMuted ? 'on' : 'off')];
      }),
      [press(common.back, 'home')],
    ],
  };
}

export function noticesArea({ db }: ManagementBotDeps): Area {
  const area = new Area();

  area.onPress('notices', (ctx) => ctx.talk.show(noticesScreen(ctx, ctx.person.mutedNotices)));

  /** Mutes or unmutes a kind in the list. */
  area.onPress('tell', async (ctx, chosen, to) => {
    const kind = choiceIn(chosen, NOTICE_KINDS);
    const isMuted = choiceIn(to, ['on', 'off']) === 'off';
    await setMuted(db, ctx.person.accountId, kind, isMuted);
    const muted = new Set(ctx.person.mutedNotices);
    if (isMuted) muted.add(kind);
    else muted.delete(kind);
    await ctx.talk.show(noticesScreen(ctx, muted));
  });

  /** The button below a notice. Shows no screen, so that the notice stays. */
  area.onPress('mute', async (ctx, chosen) => {
    await setMuted(db, ctx.person.accountId, choiceIn(chosen, NOTICE_KINDS), true);
    ctx.talk.toast(ctx.texts.notices.muted, { alert: true });
  });
  return area;
}
