import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person } from '../support/person.ts';
import { dataBehind, LANGUAGES, ownerWith, read, said } from './balance-labels.ts';
import { journeyLanguages } from './journey-languages.ts';

const OPERATOR = 990_401;

describe('the support contact', () => {
  const service = useService({ OPERATOR_IDS: String(OPERATOR), SUPPORT_CONTACT: '@sponsorgate_help' });

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`is named to the owner of a banned account (${labels.language})`, async () => {
      const { sandbox, database } = service;
      const { person, accountId } = await ownerWith(sandbox, labels);
      await database.db.query("UPDATE accounts SET banned_at = now(), ban_reason = 'test' WHERE id = $1", [accountId]);
      await person.say('hello');
      const expected =
        labels.language === 'ru' ? /Напишите в поддержку: @sponsorgate_help/ : /support: @sponsorgate_help/;
      assert.equal((await said(person, expected)).length, 1);
    });
  }
});

describe('a service without operators', () => {
  const service = useService({ OPERATOR_IDS: '', ORDER_MODERATION: 'on' });

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`warns that a payout would wait (${labels.language})`, async () => {
      const { person } = await ownerWith(service.sandbox, labels, 500);
      await person.go(labels.balance, labels.withdraw);
      await person.say('250');
      const summary = await person.say('card 2200');
      const warning = labels.language === 'ru' ? /Операторы не назначены/ : /No operators are set up/;
      assert.match(read(summary), warning);
      assert.match(read(await person.press(labels.yes)), warning);
    });
  }
});

describe('a quick amount of a deposit through an operator', () => {
  const service = useService({ OPERATOR_IDS: String(OPERATOR) });

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`is asked about first, and two taps file one request (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await Person.arrive(sandbox, { user_id: OPERATOR, language_code: labels.language }).catch(
        () => undefined,
      );
      await operator?.say('/start');
      const { person, accountId } = await ownerWith(sandbox, labels);
      const menu = await person.go(labels.balance, labels.deposit, labels.throughOperator);
      const [five, thousand] = labels.language === 'ru' ? ['500,00', '1 000,00'] : ['500.00', '1,000.00'];
      const other = dataBehind({ ...menu, keyboard: menu.keyboard }, plainLabel(menu.keyboard, thousand));
      const requests = async (): Promise<number> => {
        const rows = await service.database.db.query('SELECT id FROM deposit_requests WHERE account_id = $1', [
          accountId,
        ]);
        return rows.length;
      };
      const question = await person.forge(dataBehind(menu, plainLabel(menu.keyboard, five)));
      assert.match(
        read(question),
        labels.language === 'ru' ? /Отправить оператору заявку/ : /Send an operator the request/,
      );
      assert.equal(await requests(), 0);
      const yes = dataBehind(question, labels.yes);
      const second = dataBehind(await person.forge(other), labels.yes);
      await Promise.all([person.forge(yes), person.forge(yes)]);
      await person.forge(second);
      assert.equal(await requests(), 1);
    });
  }
});

/** Returns the label of the button with this amount; amounts contain non-breaking spaces. */
function plainLabel(keyboard: readonly (readonly Record<string, unknown>[])[], amount: string): string {
  const labels = keyboard.flat().map(({ text }) => String(text));
  const found = labels.find(
    (label) =>
      label
        .replace(/[\u00a0\u202f]/g, ' ')
        .replace('₽', '')
        .trim() === amount,
  );
  assert.ok(found !== undefined, `no amount ${amount} among ${labels.join(', ')}`);
  return found;
}
