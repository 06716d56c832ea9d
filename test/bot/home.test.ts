import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person, plain } from '../support/person.ts';

describe('the first screen', () => {
  const service = useService();

  it('greets in the language of the person, shows the balance and needs no command', async () => {
    const ivan = await Person.arrive(service.sandbox, { first_name: 'Иван', language_code: 'ru' });
    const menu = await ivan.say('привет');
    assert.match(plain(menu.text), /Иван.*Доступно: 0,00 ₽/s);
    const grace = await Person.arrive(service.sandbox, { first_name: 'Grace <b>', language_code: 'de' });
    assert.match((await grace.say('/start')).text, /Grace <b>.*Available: ₽0\.00/s);
  });

  it('is one message that changes, however much is pressed, and follows what the person writes', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    const first = await person.say('/start');
    const pressed = await person.go('Language', 'Back', 'Language');
    assert.equal(pressed.message_id, first.message_id);
    const later = await person.say('hello');
    assert.notEqual(later.message_id, first.message_id);
    assert.equal((await person.messages()).filter(({ from }) => from === 'bot').length, 1);
  });

  it('speaks the language that was chosen, from then on', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    assert.match((await person.go('Language', 'Русский')).text, /Доступно/);
    assert.match((await person.say('hello')).text, /Доступно/);
    assert.match((await person.go('Язык', 'English')).text, /Available/);
  });

  it('leaves no spinner: every press is answered', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    for (const data of ['language', 'home', 'speak:en', 'speak:xx', 'nothing:of:ours', '::', '/']) {
      await person.forge(data);
      assert.equal(await person.isWaiting(), false, data);
    }
  });

  for (const { language_code, label, says } of [
    { language_code: 'ru', label: 'Язык', says: /просит подождать 7 с/ },
    { language_code: 'en', label: 'Language', says: /asks us to wait 7 s/ },
  ]) {
    it(`answers a press with the flood wait that kept the screen from changing, in ${language_code}`, async () => {
      const person = await Person.arrive(service.sandbox, { language_code });
      const before = await person.say('/start');
      await service.sandbox.fault({ mode: 'too_many_requests', retry_after: 7, method: 'editMessageText' });
      assert.equal((await person.press(label)).text, before.text);
      assert.match((await person.notice())?.text ?? '', says);
      assert.equal((await person.notice())?.show_alert, true);
    });
  }

  it('answers a press that failed after its work was done with both', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    await person.say('/start');
    await service.sandbox.fault({ mode: 'down', method: 'editMessageText' });
    await person.forge('nothing:of:ours');
    assert.match((await person.notice())?.text ?? '', /^That button is out of date.*Something went wrong/);
  });

  it('shows an operator the way to the operator, and nobody else', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    const labels = (await person.say('/start')).buttons.flat();
    assert.ok(!labels.some((label) => label.includes('Operator')), String(labels));
  });
});
