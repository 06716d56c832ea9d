import assert from 'node:assert/strict';
import { systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/core/database.ts';
import { bindPayouts, type Payouts } from '../support/money-use-cases.ts';
import { Person, plain, type SeenMessage } from '../support/person.ts';
import { freshUser, type Publisher, type Sandbox } from '../support/sandbox.ts';

/** Button labels and texts of the balance screens, in both languages. */
const RU = {
  language: 'ru',
  balance: 'Баланс',
  history: 'История',
  withdraw: 'Вывести',
  payouts: 'Выплаты',
  deposit: 'Пополнить',
  contests: 'Конкурсы',
  yes: 'Да',
  no: 'Нет',
  cancel: 'Отмена',
  all: 'Всё:',
  toMyself: 'Мне (',
  cryptoBot: 'Через Crypto Bot',
  byCrypto: 'Криптовалюта',
  byHand: 'Вручную',
  throughOperator: 'Через оператора',
  checkPayment: 'Проверить оплату',
  credit: 'Зачислить',
  openPayout: 'Открыть заявку',
  rubles: (amount: string) => `${amount.replace('.', ',')} ₽`,
  available: (amount: string) => new RegExp(`Доступно: ${amount.replace('.', ',')} ₽`),
  inHold: (amount: string) => new RegExp(`В холде: ${amount.replace('.', ',')} ₽`),
  leavesHold: /Выйдет из холда.*\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}: 14,00 ₽ \(подписок: 2\)/s,
  debt: /Долг: 7,00 ₽/,
  notSettled: /Доступно: 7,00 ₽.*Можно вывести: 0,00 ₽\. Ещё 7,00 ₽ закрепится/s,
  tooLittle: /минимум выплаты 100,00 ₽/,
  wrongAmount: /не похоже на сумму/,
  belowMinimum: /Меньше 100,00 ₽ вывести нельзя/,
  aboveWithdrawable: /Вывести можно только 500,00 ₽/,
  askAmount: /Сколько вывести/,
  askDestination: /Куда перевести/,
  wrongDestination: /одна строка до 256/,
  notAnId: /Нужен Telegram ID/,
  summary: /Проверьте заявку.*250,50 ₽.*карта 2200 &lt;1&gt;|Проверьте заявку.*250,50 ₽.*карта 2200 <1>/s,
  destination: 'карта 2200 <1>',
  requested: /Заявка на выплату №\d+ принята: 250,50 ₽/,
  waits: /ждёт решения/,
  rejected: /отклонена.*Причина: нет такой карты/s,
  sent: /отправлена.*Подтверждение: чек 12/s,
  empty: /Пока ничего нет/,
  stale: /устарела/,
  deposited: /пополнен на 1 500,50 ₽.*Доступно: 1 500,50 ₽/s,
  outOfRange: /Можно от 1,00 ₽ до 10 000 000,00 ₽/,
  invoice: /Счёт на оплату 700,00 ₽ готов/,
  notPaid: /ещё не пришла/,
  paid: /пополнен на 700,00 ₽/,
  providerAway: /не отвечает/,
  asked: /Заявка на пополнение №\d+ на 300,00 ₽ отправлена/,
  tooManyOpen: /уже 5 открытых заявок/,
  operatorTold: /Аккаунт №\d+ просит пополнить баланс на 300,00 ₽/,
  payoutTold: /Заявка на выплату №\d+: 250,50 ₽/,
};

export type Labels = typeof RU;

const EN: Labels = {
  language: 'en',
  balance: 'Balance',
  history: 'History',
  withdraw: 'Withdraw',
  payouts: 'Payouts',
  deposit: 'Deposit',
  contests: 'Contests',
  yes: 'Yes',
  no: 'No',
  cancel: 'Cancel',
  all: 'All of it:',
  toMyself: 'To myself',
  cryptoBot: 'Through Crypto Bot',
  byCrypto: 'Cryptocurrency',
  byHand: 'By hand',
  throughOperator: 'Through an operator',
  checkPayment: 'Check the payment',
  credit: 'Credit',
  openPayout: 'Open the payout',
  rubles: (amount) => `₽${amount}`,
  available: (amount) => new RegExp(`Available: ₽${amount}`),
  inHold: (amount) => new RegExp(`In hold: ₽${amount}`),
  leavesHold: /Leaves hold.*\d{2}\/\d{2}\/\d{4}, \d{2}:\d{2}: ₽14\.00 \(subscriptions: 2\)/s,
  debt: /Debt: ₽7\.00/,
  notSettled: /Available: ₽7\.00.*You can withdraw: ₽0\.00\. Another ₽7\.00 settles/s,
  tooLittle: /smallest payout is ₽100\.00/,
  wrongAmount: /does not look like an amount/,
  belowMinimum: /Less than ₽100\.00 cannot be withdrawn/,
  aboveWithdrawable: /Only ₽500\.00 can be withdrawn/,
  askAmount: /How much shall we send/,
  askDestination: /Where to\?/,
  wrongDestination: /one line of at most 256/,
  notAnId: /must be a Telegram ID/,
  summary: /Please check.*₽250\.50.*card 2200 <1>/s,
  destination: 'card 2200 <1>',
  requested: /Payout \d+ is requested: ₽250\.50/,
  waits: /waits for a decision/,
  rejected: /rejected.*Reason: нет такой карты/s,
  sent: /sent.*Reference: чек 12/s,
  empty: /Nothing here yet|nothing/i,
  stale: /menu/,
  deposited: /₽1,500\.50 was added.*Available: ₽1,500\.50/s,
  outOfRange: /From ₽1\.00 to ₽10,000,000\.00/,
  invoice: /invoice for ₽700\.00 is ready/,
  notPaid: /not arrived yet/,
  paid: /₽700\.00 was added/,
  providerAway: /does not answer/,
  asked: /Request \d+ to deposit ₽300\.00 was sent/,
  tooManyOpen: /5 open requests already/,
  operatorTold: /Account \d+ asks to deposit ₽300\.00/,
  payoutTold: /Payout \d+ waits: ₽250\.50/,
};

export const LANGUAGES: readonly Labels[] = [RU, EN];

export interface Owner extends Publisher {
  readonly person: Person;
}

/** Creates a person who has started the bot, with a publisher bot and the deposit. */
export async function ownerWith(sandbox: Sandbox, { language }: Pick<Labels, 'language'>, deposit = 0): Promise<Owner> {
  const person = await Person.arrive(sandbox, { first_name: 'Owner <b>', language_code: language });
  await person.say('/start');
  const { account_id: accountId } = await sandbox.control('POST', '/accounts', { user_id: person.id, deposit });
  return { person, ...(await sandbox.publisher({ account_id: accountId })) };
}

/** Returns the callback data of the button, so that a test can press it again after the button is gone. */
export function dataBehind({ keyboard }: SeenMessage, label: string): string {
  const found = keyboard.flat().find(({ text }) => String(text).includes(label));
  assert.ok(found !== undefined, `no button “${label}” among ${JSON.stringify(keyboard)}`);
  return String(found.callback_data);
}

export const read = ({ text }: SeenMessage): string => plain(text);

/** Returns the bot's messages that match the pattern. */
export async function said(person: Person, pattern: RegExp): Promise<SeenMessage[]> {
  return (await person.messages()).filter((message) => message.from === 'bot' && pattern.test(read(message)));
}

/** Returns the payout use cases, so that a test can decide about payouts without the bot. */
export const payoutsOf = (db: Database): Payouts =>
  bindPayouts({ db, clock: systemClock, minimumKopecks: 10_000n, cryptoPay: undefined });

/** Waits for the step and then stops the service, even when the step fails. */
export async function lastStep<T>(service: { stop(): Promise<void> }, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } finally {
    await service.stop();
  }
}

/**
 * Earns three rewards from an account that turns out to have the same owner: afterwards both advertise one channel. One of
 * the users leaves.
 */
export async function earnFromOneself(sandbox: Sandbox, { accountId, person, token }: Owner): Promise<void> {
  const order = await sandbox.advertise({ price_per_sub: 100, quantity: 3, hold_hours: 0 });
  const users = [freshUser(), freshUser(), freshUser()];
  for (const user of users) await sandbox.subscribe(token, order, user);
  await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 1 });
  await sandbox.advertise({ account_id: accountId, chat_id: order.chatId, price_per_sub: 1, quantity: 1 });
  await sandbox.leave(order.chatId, users[0] ?? 0);
}
