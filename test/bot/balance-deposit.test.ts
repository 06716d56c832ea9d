import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { CRYPTO_PAY_TOKEN, CryptoPayDouble } from '../support/crypto-pay-double.ts';
import { Person } from '../support/person.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { dataBehind, LANGUAGES, ownerWith, read, said } from './balance-labels.ts';
import { deliverAgain, keepUpdates } from './deliver-again.ts';
import { journeyLanguages } from './journey-languages.ts';

const OPERATORS: Readonly<Record<string, number>> = { ru: 990_201, en: 990_202 };

describe('a deposit in a sandbox', () => {
  const service = useService({});

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`is play money that is available at once (${labels.language})`, async () => {
      const { sandbox } = service;
      const { person, accountId } = await ownerWith(sandbox, labels);
      await person.go(labels.balance, labels.deposit);
      assert.match(read(await person.say('many')), labels.wrongAmount);
      assert.match(read(await person.say('0.99')), labels.outOfRange);
      assert.match(read(await person.say('1 500,50')), labels.deposited);
      assert.equal(await sandbox.kopecks('available', accountId), 150_050);
    });
  }

  it('is credited once when its button is pressed repeatedly', async () => {
    const { sandbox } = service;
    const { person, accountId } = await ownerWith(sandbox, { language: 'en' });
    const data = dataBehind(await person.go('Balance', 'Deposit'), '₽500.00');
    await Promise.all([person.forge(data), person.forge(data)]);
    await person.forge(data);
    assert.equal(await sandbox.kopecks('available', accountId), 50_000);
    await person.forge(data.replace('50000', '99900'));
    assert.equal(await sandbox.kopecks('available', accountId), 50_000, 'only the amounts that were shown');
  });

  it('is credited once when Telegram delivers the message twice', async () => {
    const { sandbox } = service;
    await keepUpdates(service);
    const { person, accountId } = await ownerWith(sandbox, { language: 'en' });
    await person.go('Balance', 'Deposit');
    await person.say('70');
    await person.go('Balance', 'Deposit');
    await deliverAgain(service, person, '70');
    assert.match(read(await person.menu()), /₽70\.00 was added.*Available: ₽70\.00/s, 'it was delivered again');
    assert.equal(await sandbox.kopecks('available', accountId), 7_000);
  });
});

describe('a deposit through Crypto Pay', () => {
  let bank: CryptoPayDouble;
  let service: TestService;
  before(async () => {
    bank = await CryptoPayDouble.open();
    service = await startTestService({ CRYPTO_PAY_TOKEN, CRYPTO_PAY_API_ROOT: bank.url });
  });
  after(async () => {
    await service.stop();
    await bank.close();
  });

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`creates an invoice with a link and credits it once when it is paid (${labels.language})`, async () => {
      const { sandbox } = service;
      const { person, accountId } = await ownerWith(sandbox, labels);
      await person.go(labels.balance, labels.deposit, labels.cryptoBot);
      const menu = await person.say('700');
      assert.match(read(menu), labels.invoice);
      const invoiceId = Math.max(...bank.invoices.keys());
      assert.equal(menu.keyboard.flat()[0]?.url, bank.invoices.get(invoiceId)?.bot_invoice_url);

      const check = dataBehind(menu, labels.checkPayment);
      await person.press(labels.checkPayment);
      assert.match((await person.notice())?.text ?? '', labels.notPaid);
      const stranger = await ownerWith(sandbox, labels);
      bank.setInvoice(invoiceId, 'paid');
      await stranger.person.forge(check);
      assert.match((await stranger.person.notice())?.text ?? '', labels.stale);
      assert.match(read(await person.forge(check)), labels.paid);
      await person.forge(check);
      assert.equal(await sandbox.kopecks('available', accountId), 70_000);
    });

    it(`shows a message when Crypto Pay fails to create an invoice (${labels.language})`, async () => {
      const { person } = await ownerWith(service.sandbox, labels);
      bank.fail('createInvoice', { mode: 'error_500', done: 'before' });
      await person.go(labels.balance, labels.deposit, labels.cryptoBot);
      assert.match(read(await person.say('700')), labels.providerAway);
    });

    it(`also enables a payout to the person's own Crypto Bot account (${labels.language})`, async () => {
      const { person } = await ownerWith(service.sandbox, labels, 500);
      await person.go(labels.balance, labels.withdraw, labels.byCrypto, labels.all);
      assert.match(read(await person.say('@somebody')), labels.notAnId);
      const summary = read(await person.press(labels.toMyself));
      assert.ok(summary.includes(String(person.id)), summary);
    });
  }
});

describe('a deposit through an operator', () => {
  const service = useService({ OPERATOR_IDS: Object.values(OPERATORS).join(',') });

  for (const labels of journeyLanguages(LANGUAGES)) {
    it(`notifies operators with a button that credits it, and limits open requests (${labels.language})`, async () => {
      const { sandbox } = service;
      const operator = await Person.arrive(sandbox, {
        user_id: OPERATORS[labels.language] ?? 0,
        language_code: labels.language,
      });
      await operator.say('/start');
      const { person, accountId } = await ownerWith(sandbox, labels);
      await person.go(labels.balance, labels.deposit, labels.throughOperator);
      assert.match(read(await person.say('300')), labels.asked);
      const [message] = await said(operator, labels.operatorTold);
      assert.ok(message !== undefined);
      assert.match(dataBehind(message, labels.credit), /^op\.dep:\d+$/);
      assert.equal(await sandbox.kopecks('available', accountId), 0, 'nothing is credited before an operator does');

      for (let i = 0; i < 4; i++) {
        await person.go(labels.balance, labels.deposit, labels.throughOperator);
        await person.say('300');
      }
      await person.go(labels.balance, labels.deposit, labels.throughOperator);
      assert.match(read(await person.say('300')), labels.tooManyOpen);
    });
  }
});
