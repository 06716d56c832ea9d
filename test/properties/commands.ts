import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bodyOf, type ConfirmBody } from './confirm-body.ts';
import type { Model } from './model.ts';
import type { RealWorld } from './real-world.ts';
import { type Action, CHATS, DEPOSITS_KOPECKS, type OrderTerms, orderName, type Setup, USERS } from './terms.ts';

type Command = fc.AsyncCommand<Model, RealWorld>;

const userName = (user: number): string => `user ${'ABC'[user]}`;
const botName = (bot: number): string => `bot ${bot + 1}`;
const chatName = (chat: number): string => (CHATS[chat] === 'bot' ? 'the advertised bot' : `channel ${chat + 1}`);

/** Creates one step of a run. After the step, model and service must agree on all money, slots and statuses. */
function step(
  text: string,
  run: (model: Model, real: RealWorld) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Command {
  return {
    check: (model) => check(model as Model),
    async run(model, real) {
      await run(model, real);
      await real.assertAgrees(model);
    },
    toString: () => `\n  - ${text}`,
  };
}

const hasOrder = (order: number) => (model: Model) => order < model.orders.length;

const ask = (user: number, bot: number, action: Action, max: number): Command =>
  step(
    action === 'subscribe'
      ? `${userName(user)} asks ${botName(bot)}, which shows at most ${max}`
      : `${userName(user)} asks ${botName(bot)} for at most ${max} extra tasks`,
    async (model, real) => model.getSponsors(user, bot, action, max, await real.getSponsors(user, bot, action, max)),
  );

async function join(model: Model, real: RealWorld, user: number, chat: number, silent: boolean): Promise<void> {
  await real.join(user, chat, silent);
  model.join(user, chat, !silent && CHATS[chat] === 'channel');
}

const joinOne = (user: number, chat: number, silent: boolean): Command =>
  step(
    `${userName(user)} joins ${chatName(chat)}${silent ? ' unnoticed' : ''}`,
    (model, real) => join(model, real, user, chat, silent),
    (model) => !model.audience.isMember(user, chat),
  );

const joinShown = (user: number, bot: number, silent: boolean): Command =>
  step(
    `${userName(user)} joins all that ${botName(bot)} shows${silent ? ', unnoticed' : ''}`,
    async (model, real) => {
      for (const order of model.shown(user, bot)) await join(model, real, user, model.order(order).chat, silent);
    },
    (model) => model.shown(user, bot).length > 0,
  );

const leave = (user: number, chat: number, silent: boolean): Command =>
  step(
    `${userName(user)} leaves ${chatName(chat)}${silent ? ' unnoticed' : ''}`,
    async (model, real) => {
      await real.leave(user, chat, silent);
      model.leave(user, chat, !silent && CHATS[chat] === 'channel');
    },
    (model) => model.audience.isMember(user, chat),
  );

/** Checks one confirm response against the model and adopts it. */
function judge(model: Model, user: number, bot: number, order: number, answer: ConfirmBody): void {
  const known = model.orders[order];
  const allowed = model.expectConfirm(user, bot, order).map((outcome) => ({
    outcome,
    body: bodyOf(
      outcome,
      known === undefined ? 0 : model.reward(order),
      known !== undefined && model.isInHold(user, bot, order),
    ),
  }));
  const met = allowed.find(({ body }) => body.outcome === answer.outcome) ?? allowed[0];
  assert.ok(met);
  assert.deepEqual(answer, met.body, `confirm of ${orderName(order)}`);
  model.confirm(user, bot, order, met.outcome);
}

/** The order may not exist. */
const confirmOne = (user: number, bot: number, order: number): Command =>
  step(`${userName(user)} confirms ${orderName(order)} in ${botName(bot)}`, async (model, real) =>
    judge(model, user, bot, order, await real.confirm(user, bot, order)),
  );

async function confirmAll(model: Model, real: RealWorld, user: number, bot: number, orders: number[]): Promise<void> {
  const answers = await real.confirmMany(user, bot, orders);
  for (const [i, order] of orders.entries()) judge(model, user, bot, order, answers[i] as ConfirmBody);
}

const confirmMany = (user: number, bot: number, orders: number[]): Command =>
  step(`${userName(user)} confirms ${orders.map(orderName).join(' + ')} at once in ${botName(bot)}`, (model, real) =>
    confirmAll(model, real, user, bot, orders),
  );

const confirmShown = (user: number, bot: number): Command =>
  step(
    `${userName(user)} confirms all that ${botName(bot)} shows`,
    (model, real) => confirmAll(model, real, user, bot, model.shown(user, bot)),
    (model) => model.shown(user, bot).length > 0,
  );

/** Runs the usual flow in one step, so that runs often reach counted tasks. */
const doAll = (user: number, bot: number, max: number, silent: boolean): Command =>
  step(
    `${userName(user)} asks ${botName(bot)}, which shows at most ${max}, joins all${silent ? ' unnoticed' : ''} and confirms all`,
    async (model, real) => {
      model.getSponsors(user, bot, 'subscribe', max, await real.getSponsors(user, bot, 'subscribe', max));
      const shown = model.shown(user, bot);
      for (const order of shown) await join(model, real, user, model.order(order).chat, silent);
      if (shown.length > 0) await confirmAll(model, real, user, bot, shown);
    },
  );

const MINUTE = 60;
/**
 * Every move of the clock is a multiple of ten minutes plus 15 seconds. All deadlines are multiples of ten minutes, so
 * no sum of moves ends so close to a deadline that the real time between two steps could change the result.
 */
const ODD_SECONDS = 15;
const MAX_MOVES = 36; // the model counts a sleep and the following advance as two moves
const MAX_COMMANDS = 60;

const advance = (minutes: number): Command =>
  step(
    `${minutes < 120 ? `${minutes} minutes` : `${minutes / 60} hours`} pass`,
    async (model, real) => {
      await real.advance(minutes * MINUTE + ODD_SECONDS);
      model.advance(minutes * MINUTE + ODD_SECONDS);
    },
    (model) => model.moves < MAX_MOVES,
  );

const sleepAndAsk = (minutes: number, user: number, bot: number, max: number): Command =>
  step(
    `${minutes} minutes pass, and ${userName(user)} asks ${botName(bot)}, which shows at most ${max}, before any worker wakes`,
    async (model, real) => {
      await real.sleep(minutes * MINUTE + ODD_SECONDS);
      model.sleep(minutes * MINUTE + ODD_SECONDS);
      model.getSponsors(user, bot, 'subscribe', max, await real.getSponsors(user, bot, 'subscribe', max));
      await real.advance(0);
      model.advance(0);
    },
    (model) => model.moves < MAX_MOVES,
  );

const setStatus = (order: number, status: 'active' | 'paused' | 'cancelled'): Command =>
  step(
    `${orderName(order)} is ${status === 'active' ? 'resumed' : status}`,
    async (model, real) => {
      const done = await (status === 'cancelled' ? real.cancel(order) : real.setPaused(order, status === 'paused'));
      assert.equal(done, model.setStatus(order, status), `whether ${orderName(order)} may become ${status}`);
    },
    hasOrder(order),
  );

const topUp = (order: number, quantity: number): Command =>
  step(
    `${orderName(order)} is topped up by ${quantity}`,
    async (model, real) => assert.equal(await real.topUp(order, quantity), model.topUp(order, quantity)),
    hasOrder(order),
  );

const describe = (terms: OrderTerms): string =>
  [
    `${terms.quantity} × ${terms.priceKopecks} kopecks for ${chatName(terms.chat)}`,
    terms.owner < 2 ? `owner of ${botName(terms.owner)}` : `advertiser ${terms.owner - 1}`,
    `${terms.holdHours} h hold`,
    ...(terms.refund ? [] : ['no refund']),
    ...(terms.dailyLimit === undefined ? [] : [`${terms.dailyLimit} a day`]),
  ].join(', ');

export async function addOrder(model: Model, real: RealWorld, terms: OrderTerms): Promise<void> {
  assert.equal(await real.addOrder(terms), model.addOrder(terms), 'whether the order could be paid for');
}

const MAX_ORDERS = 7;

const newOrder = (terms: OrderTerms): Command =>
  step(
    `a new order: ${describe(terms)}`,
    (model, real) => addOrder(model, real, terms),
    (model) => model.orders.length < MAX_ORDERS,
  );

/** A failure shrinks to the first value. Repeated values are chosen more often. */
const anyUser = fc.constantFrom(0, 0, 0, 0, 0, ...Array.from({ length: USERS }, (_, i) => i));
const anyBot = fc.constantFrom(0, 0, 1);
const anyChat = fc.nat(CHATS.length - 1);
const anyOrder = fc.constantFrom(0, 0, 1, 1, 2, 2, 3, 4, 5);
const anyMax = fc.constantFrom(1, 2, 3, 5);
const rarely = fc.constantFrom(false, false, true);

/** Only the owner of bot 1 advertises this chat: two accounts that advertise one chat count as one owner (decision 0180). */
const OWN_CHAT = 1;

const anyTerms: fc.Arbitrary<OrderTerms> = fc
  .record({
    owner: fc.constantFrom(2, 2, 3, 0),
    chat: anyChat,
    priceKopecks: fc.constantFrom(100, 999, 101, 1),
    quantity: fc.integer({ min: 1, max: 4 }),
    holdHours: fc.constantFrom(24, 0, 1, 48),
    refund: fc.constantFrom(true, true, false),
    dailyLimit: fc.constantFrom(undefined, undefined, 1, 2),
  })
  .map((terms) => {
    if (terms.owner === 0) return { ...terms, chat: OWN_CHAT };
    return terms.chat === OWN_CHAT ? { ...terms, chat: 0 } : terms;
  });

export const anySetup: fc.Arbitrary<Setup> = fc
  .record({
    roundMinutes: fc.tuple(fc.constantFrom(24 * 60, 20, 20), fc.constantFrom(2 * 60, 24 * 60)),
    orders: fc.array(anyTerms, { minLength: 3, maxLength: 4, size: 'max' }),
  })
  .map((setup) => ({
    ...setup,
    toString: () =>
      `\n  rounds of ${setup.roundMinutes.join(' and ')} minutes, deposits of ${DEPOSITS_KOPECKS.join(', ')} kopecks` +
      setup.orders.map((terms, i) => `\n  ${orderName(i)}: ${describe(terms)}`).join(''),
  }));

const anyAsk = fc
  .tuple(anyUser, fc.nat(1), fc.constantFrom<Action>('subscribe', 'subscribe', 'newtask'), anyMax)
  .map((args) => ask(...args));
const anyDoAll = fc.tuple(anyUser, anyBot, anyMax, rarely).map((args) => doAll(...args));
const anyJoinShown = fc.tuple(anyUser, fc.nat(1), rarely).map((args) => joinShown(...args));
const anyConfirmShown = fc.tuple(anyUser, fc.nat(1)).map((args) => confirmShown(...args));
const anyLeave = fc.tuple(anyUser, anyChat, fc.boolean()).map((args) => leave(...args));
const anyAdvance = fc.constantFrom(50, 10, 70, 10, 50, 70, 5 * 60, 12 * 60, 24 * 60, 50 * 60).map(advance);

export const anyCommands = fc.commands(
  [
    ...[anyAsk, anyAsk, anyAsk, anyDoAll, anyDoAll, anyJoinShown, anyConfirmShown, anyConfirmShown],
    ...[anyAdvance, anyAdvance, anyAdvance, anyLeave, anyLeave, anyLeave],
    fc.tuple(fc.constantFrom(70, 50), anyUser, anyBot, anyMax).map((args) => sleepAndAsk(...args)),
    fc.tuple(anyUser, anyChat, fc.boolean()).map((args) => joinOne(...args)),
    fc.tuple(anyUser, anyBot, fc.constantFrom(0, 1, 2, 3, 4, 99)).map((args) => confirmOne(...args)),
    fc
      .tuple(anyUser, anyBot, fc.array(fc.constantFrom(0, 1, 2, 3, 4, 99), { minLength: 1, maxLength: 5 }))
      .map((args) => confirmMany(...args)),
    fc
      .tuple(
        anyOrder,
        fc.constantFrom<('active' | 'paused' | 'cancelled')[]>('paused', 'active', 'active', 'cancelled'),
      )
      .map((args) => setStatus(...args)),
    fc.tuple(anyOrder, fc.constantFrom(1, 2, 1000)).map((args) => topUp(...args)),
    anyTerms.map(newOrder),
  ],
  { maxCommands: MAX_COMMANDS, size: 'max' },
);
