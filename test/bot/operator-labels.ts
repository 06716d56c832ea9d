import assert from 'node:assert/strict';
import { Person, plain, type SeenMessage } from '../support/person.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { read } from './balance-labels.ts';

/** The Telegram ids of the operators by language. */
export const OPERATORS: Readonly<Record<string, number>> = { ru: 990_301, en: 990_302 };
export const OPERATOR_IDS = Object.values(OPERATORS).join(',');

/** Button labels and texts of the operator's screens, in both languages. */
const RU = {
  language: 'ru',
  operator: 'Оператор',
  moderation: 'Модерация',
  payouts: 'Выплаты',
  deposits: 'Пополнения',
  accounts: 'Аккаунты',
  beta: 'Бета-доступ',
  contests: 'Конкурсы',
  figures: 'Показатели',
  broadcasts: 'Рассылки',
  users: 'Пользователи',
  log: 'Журнал',
  approve: 'Одобрить',
  reject: 'Отклонить',
  markSent: 'Отправлено',
  queue: 'К очереди',
  credit: 'Зачислить',
  creditMoney: 'Зачислить деньги',
  otherAmount: 'Другая сумма',
  decline: 'Закрыть без оплаты',
  ban: 'Заблокировать',
  unban: 'Разблокировать',
  grant: 'Выдать доступ',
  revoke: 'Забрать доступ',
  newContest: 'Новый конкурс',
  cancelContest: 'Отменить конкурс',
  now: 'Сейчас',
  week: 'Неделя',
  books: 'Проверить учёт',
  newBroadcast: 'Новая рассылка',
  same: 'Тот же текст',
  stop: 'Остановить',
  refresh: 'Обновить',
  yes: 'Да',
  no: 'Нет',
  cancel: 'Отмена',
  home: 'В меню',
  text300: /до 300 символов/,
  stale: /устарела/,
  alreadyDone: /Уже решено/,
};
export type Labels = typeof RU;

const EN: Labels = {
  language: 'en',
  operator: 'Operator',
  moderation: 'Moderation',
  payouts: 'Payouts',
  deposits: 'Deposits',
  accounts: 'Accounts',
  beta: 'Beta access',
  contests: 'Contests',
  figures: 'Figures',
  broadcasts: 'Broadcasts',
  users: 'Users',
  log: 'Log',
  approve: 'Approve',
  reject: 'Reject',
  markSent: 'Sent',
  queue: 'To the queue',
  credit: 'Credit',
  creditMoney: 'Credit money',
  otherAmount: 'Another amount',
  decline: 'Close without money',
  ban: 'Ban',
  unban: 'Lift the ban',
  grant: 'Grant access',
  revoke: 'Revoke access',
  newContest: 'New contest',
  cancelContest: 'Cancel the contest',
  now: 'Now',
  week: 'A week',
  books: 'Check the books',
  newBroadcast: 'New broadcast',
  same: 'The same text',
  stop: 'Stop',
  refresh: 'Refresh',
  yes: 'Yes',
  no: 'No',
  cancel: 'Cancel',
  home: 'menu',
  text300: /at most 300 characters/,
  stale: /menu/,
  alreadyDone: /Decided already/,
};

export const LANGUAGES: readonly Labels[] = [RU, EN];

/** Creates an operator who has the operator's menu open. */
export async function operatorAt(sandbox: Sandbox, labels: Labels): Promise<Person> {
  const operator = new Person(sandbox, OPERATORS[labels.language] ?? 0, await managementBot(sandbox));
  await sandbox.call('POST', '/sandbox/users', {
    user_id: operator.id,
    first_name: 'Op',
    language_code: labels.language,
  });
  await operator.say('/start');
  await operator.press(labels.operator);
  return operator;
}

async function managementBot(sandbox: Sandbox): Promise<string> {
  return (await sandbox.control('GET', '/state')).management_bot;
}

/** Opens a part of the operator's menu from any screen. */
export async function openPart(operator: Person, labels: Labels, ...parts: readonly string[]): Promise<SeenMessage> {
  await operator.say('/start');
  return operator.go(labels.operator, ...parts);
}

/** Returns the first page of the audit log. */
export async function logOf(operator: Person, labels: Labels): Promise<string> {
  return read(await openPart(operator, labels, labels.log));
}

export async function noticeOf(person: Person): Promise<string> {
  const notice = await person.notice();
  assert.ok(notice !== null, 'nothing flew over the chat');
  return plain(notice.text);
}
