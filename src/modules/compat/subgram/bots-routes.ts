import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { toRubles } from '../../../core/money.ts';
import { adjustBot, type Bot, claimBot, issueToken, requireOwnBot, switchOwnBot } from '../../bots/index.ts';
import { botTotals } from '../../statistics/index.ts';
import { saveTelegramToken } from '../gate-message.ts';
import { botOf, isOn, type NetworkDeps } from '../network-routes.ts';
import { BotsAnswer, BotsBody, Failure } from './schemas.ts';

/** `POST /bots`: register a bot, change its settings, read them. */
export const botsRoutes =
  (deps: NetworkDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/bots',
      { schema: { body: BotsBody, response: { 200: BotsAnswer, '4xx': Failure, '5xx': Failure } } },
      async (request) => {
        const caller = botOf(request);
        const { body } = request;
        if (body.action === 'add') return { status: 'ok', message: '', result: await add(caller.accountId, body) };
        const bot = await requireOwnBot(deps.db, { accountId: caller.accountId, botId: body.bot_id ?? caller.id });
        const changed = body.action === 'update' ? await update(bot, body) : bot;
        return { status: 'ok', message: '', result: await present(changed, request) };
      },
    );

    async function add(accountId: number, { bot_token: botToken }: Static<typeof BotsBody>) {
      const username = botToken == null ? undefined : await deps.messenger.usernameOf(botToken);
      if (username === 'unreachable') {
        throw new ApiError('telegram_unavailable', 'Telegram could not be asked about the token right now: try again.');
      }
      if (botToken == null || username === undefined) {
        const fields = [{ field: 'bot_token', message: 'proves that the bot is yours' }];
        throw new ApiError('validation_failed', 'Send the bot_token of a bot: it proves that the bot is yours.', {
          fields,
        });
      }
      const at = deps.clock.now();
      const claimed = await claimBot(deps.db, { accountId, username, at });
      if (claimed.kind !== 'registered') throw new ApiError('conflict', `@${username} is registered already.`);
      const { bot } = claimed;
      await saveTelegramToken(deps, bot, botToken);
      const api_key = await deps.db.transaction((tx) => issueToken(tx, { botId: bot.id, scopes: [], at }));
      return { bot_id: bot.id, bot_nickname: bot.username, api_key };
    }

    async function update(bot: Bot, body: Static<typeof BotsBody>): Promise<Bot> {
      const { accountId, id: botId } = bot;
      const own = { accountId, botId };
      let changed = bot;
      if (body.bot_token != null) await saveTelegramToken(deps, bot, body.bot_token);
      if (body.max_sponsors != null) {
        changed = await adjustBot(deps.db, { ...own, adjustment: { kind: 'max_sponsors', value: body.max_sponsors } });
      }
      if (body.time_purge != null) {
        const adjustment = { kind: 'round_seconds', value: body.time_purge * 60 } as const;
        changed = await adjustBot(deps.db, { ...own, adjustment });
      }
      const isActive = isOn(body.is_on);
      if (isActive !== undefined) changed = await switchOwnBot(deps.db, { ...own, isActive });
      return changed;
    }

    async function present(bot: Bot, request: FastifyRequest): Promise<Static<typeof BotsAnswer>['result']> {
      const totals = (await botTotals(deps.db, bot.accountId)).find(({ botId }) => botId === bot.id);
      return {
        bot_id: bot.id,
        bot_name: bot.username,
        bot_nickname: bot.username,
        is_on: bot.isActive,
        api_key: bot.id === botOf(request).id ? String(request.headers.auth ?? '') : '',
        time_purge: Math.round(bot.roundSeconds / 60),
        max_sponsors: bot.maxSponsors,
        get_links: true,
        gender_question: false,
        age_question: false,
        show_quiz: false,
        profit: toRubles(totals?.revenueKopecks ?? 0n),
        forbidden_themes: [],
      };
    }
  };
