import { performance } from 'node:perf_hooks';
import { Composer, type Context, GrammyError } from 'grammy';
import type { User } from 'grammy/types';
import { ApiError } from '../../core/errors.ts';
import { FORMATS, type Language, languageFor } from '../../core/locale.ts';
import { findAccountByTelegramUser, openAccount, setSeenLanguage } from '../../modules/accounts/index.ts';
import { listCasesOfAccount } from '../../modules/cases/index.ts';
import { advertiserArea, advertiserArrivals } from './advertiser/advertiser-area.ts';
import { balanceArea } from './balance/balance-area.ts';
import { ownCasesArea } from './balance/cases.ts';
import { type BotContext, commandIn, StaleButton, withSupport } from './bot-context.ts';
import { Conversation, ignoreRefusal, type Toast, toToast } from './conversation.ts';
import type { ManagementBotDeps } from './deps.ts';
import { consoleArea, homeArea, homeScreen } from './home.ts';
import { noticesArea } from './notices.ts';
import { operatorArea } from './operator/operator-area.ts';
import { publisherArea } from './publisher/publisher-area.ts';
import { keyboardOf, press } from './screen.ts';
import { TEXTS, type Texts } from './texts/index.ts';
import { createThrottle } from './throttle.ts';

/** The management bot: one Composer per area. */
export function managementBot(deps: ManagementBotDeps): Composer<Context> {
  const bot = new Composer<BotContext>();
  const admit = createThrottle(() => performance.now());
  const languages = createLanguageCache();

  // Private chats only: the screens show one person's money.
  bot.chatType(['group', 'supergroup', 'channel']).on('callback_query', async (ctx) => {
    const text = TEXTS[languages.of(ctx.from)].access.onlyPrivate;
    await ctx.answerCallbackQuery({ text, show_alert: true }).catch(ignoreRefusal);
  });
  bot
    .chatType(['group', 'supergroup'])
    .on('message:text')
    .filter(isAddressed, async (ctx) => {
      if (admit(ctx.chat.id) !== 'admitted') return;
      // The bot may have no right to write in the group.
      await ctx.reply(TEXTS[languages.of(ctx.from)].access.onlyPrivate).catch(ignoreRefusal);
    });

  // A person made the bot an administrator of a chat; a wizard may be waiting for it.
  const arrivals = advertiserArrivals(deps);
  bot
    .on('my_chat_member')
    .filter(isAPerson)
    .filter(arrivals.isAwaited, (ctx) =>
      answer(ctx, async () => {
        if (!ctx.person.isBanned) await arrivals.goOn(ctx);
      }),
    );

  const talk = bot.chatType('private').on(['message', 'callback_query']).filter(isAPerson);
  talk.use(async (ctx, next) => {
    const { access } = TEXTS[languages.of(ctx.from)];
    const admission = admit(ctx.from.id);
    if (admission === 'admitted') return next();
    if (ctx.callbackQuery !== undefined) await ctx.answerCallbackQuery(access.tooFast);
    else if (admission === 'refused_with_warning') await ctx.reply(access.tooFast);
  });
  talk.use(async (ctx, next) => {
    let failure: string | undefined;
    try {
      await answer(ctx, next);
    } catch (err) {
      // No automatic retry: the person can press again, and a late repeat could surprise them.
      deps.log.error({ err, update: ctx.update.update_id }, 'management bot failed to handle an update');
      failure = explainFault(TEXTS[languages.of(ctx.from)], err);
    }
    if (ctx.callbackQuery !== undefined) await answerPress(ctx, failure);
    else if (failure !== undefined) await ctx.reply(failure).catch(() => undefined);
  });

  /**
   * Answers the callback query once, after everything else: Telegram takes only the first answer, so an earlier one
   * would hide a later failure. Without an answer the person sees a spinner for a minute.
   */
  async function answerPress(ctx: BotContext, failure: string | undefined): Promise<void> {
    try {
      await ctx.answerCallbackQuery(pressAnswer(ctx, failure));
    } catch (err) {
      // Too late, or answered before a restart: the work is done and must not be repeated.
      deps.log.warn({ err, update: ctx.update.update_id }, 'callback query not answered');
    }
  }

  /** Opens the person's account and conversation, then runs the areas. */
  async function answer(ctx: BotContext, next: () => Promise<void>): Promise<void> {
    const { from } = ctx;
    if (from === undefined) return;
    const account =
      (await findAccountByTelegramUser(deps.db, from.id)) ??
      (await deps.db.transaction((tx) =>
        openAccount(tx, { telegramUserId: from.id, name: from.first_name, at: deps.clock.now() }),
      ));
    const seen = languageFor(from.language_code);
    // Notices are sent later, when no update shows the person's language.
    if (account.seenLanguage !== seen) await setSeenLanguage(deps.db, account.id, seen);
    const language = account.language ?? seen;
    languages.store(from.id, language);
    ctx.person = {
      accountId: account.id,
      telegramUserId: from.id,
      name: account.name,
      language,
      isOperator: deps.operatorIds.has(from.id),
      isBanned: account.bannedAt !== null,
      mutedNotices: account.mutedNotices,
    };
    ctx.texts = TEXTS[language];
    ctx.formats = FORMATS[language];
    ctx.support = deps.supportContact && ctx.texts.shared.support(deps.supportContact.text);
    ctx.updateKey = `update:${ctx.update.update_id}`;
    ctx.talk = await Conversation.open(deps, ctx, from.id);
    if (ctx.talk.isHandledAlready) return;
    try {
      await next();
    } catch (error) {
      await explain(ctx, error);
    }
  }

  /** Tells a banned person about the ban, and shows the way to the cases if there are any. */
  async function refuseBanned(ctx: BotContext): Promise<void> {
    const text = withSupport(ctx, ctx.texts.access.banned);
    ctx.talk.toast(text, { alert: true });
    if (ctx.message === undefined) return;
    const cases = await listCasesOfAccount(deps.db, { accountId: ctx.person.accountId, limit: 1 });
    const rows = cases.length === 0 ? [] : [[press(ctx.texts.cases.list, 'cases')]];
    await ctx.reply(text, rows.length === 0 ? {} : { reply_markup: keyboardOf({ rows }) });
  }

  /** Shows a refusal to the person. Rethrows faults. */
  async function explain(ctx: BotContext, error: unknown): Promise<void> {
    if (error instanceof StaleButton && ctx.person.isBanned) return refuseBanned(ctx);
    if (error instanceof StaleButton) {
      ctx.talk.toast(ctx.texts.access.stale);
      return ctx.talk.show(await homeScreen(deps, ctx));
    }
    if (!(error instanceof ApiError)) throw error;
    // The message of the error itself is in English.
    const text = ctx.texts.shared.refusals[error.code] ?? ctx.texts.access.failed;
    if (ctx.callbackQuery === undefined) await ctx.reply(text);
    else ctx.talk.toast(text, { alert: true });
  }

  // A press closes the open question, unless its handler asks a new one. So does a command.
  talk.use(async (ctx, next) => {
    if (ctx.callbackQuery !== undefined || commandIn(ctx) !== undefined) await ctx.talk.expectNothing();
    await next();
  });
  // The owner of a banned account may still answer its cases, here or in the console.
  const ofBanned = new Composer<BotContext>();
  ofBanned.use(ownCasesArea(deps), consoleArea(deps));
  ofBanned.use(refuseBanned);
  const areas = new Composer<BotContext>();
  areas.use(homeArea(deps), noticesArea(deps), consoleArea(deps));
  areas.use(publisherArea(deps), advertiserArea(deps), balanceArea(deps), operatorArea(deps));
  areas.on('callback_query', () => {
    throw new StaleButton('a button that nothing answers to');
  });
  // Any other message shows the menu.
  areas.on('message', async (ctx) => {
    await ctx.talk.expectNothing();
    await ctx.talk.show(await homeScreen(deps, ctx));
  });
  talk.branch((ctx) => ctx.person.isBanned, ofBanned, areas);
  // `answer` fills the fields of BotContext before any other handler runs.
  return bot as unknown as Composer<Context>;
}

/** Returns what a checker bot replies to a person: the management bot is the one to talk to. */
export const greetAtChecker = (languageCode: string | undefined, bot: string | undefined): string | undefined =>
  bot === undefined ? undefined : TEXTS[languageFor(languageCode)].access.checkerBot({ bot });

/** Returns the text for a fault. */
function explainFault(texts: Texts, error: unknown): string {
  const isFlood = error instanceof GrammyError && error.error_code === 429;
  return isFlood ? texts.access.flood({ seconds: error.parameters.retry_after ?? 1 }) : texts.access.failed;
}

const MAX_LANGUAGES = 10_000;

/**
 * Keeps the languages that people chose. Texts that are sent without reading the account, such as the one for a flood,
 * follow the choice too.
 */
function createLanguageCache() {
  const chosen = new Map<number, Language>();
  return {
    of: (from: User | undefined): Language => chosen.get(from?.id ?? 0) ?? languageFor(from?.language_code),
    store(userId: number, language: Language): void {
      if (chosen.size >= MAX_LANGUAGES) chosen.clear();
      chosen.set(userId, language);
    },
  };
}

/** Keeps a toast set before the fault: its work was done, only the screen is missing. */
function pressAnswer(ctx: BotContext, failure: string | undefined): Toast | undefined {
  const toast = (ctx.talk as Conversation | undefined)?.toastShown;
  if (failure === undefined) return toast;
  return toToast([toast?.text, failure].filter((text) => text !== undefined).join(' '), { alert: true });
}

/**
 * Returns whether a group's message begins with a command that names our bot. `/rules`, `/ban@other_bot` and a `/help`
 * within a sentence do not.
 */
function isAddressed(ctx: Context): boolean {
  const text = ctx.message?.text ?? '';
  const command = ctx.message?.entities?.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  return (
    command !== undefined && text.slice(0, command.length).toLowerCase().endsWith(`@${ctx.me.username}`.toLowerCase())
  );
}

const isAPerson = (ctx: Context): boolean => ctx.from !== undefined && !ctx.from.is_bot;
