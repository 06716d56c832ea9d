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

  it('shows an operator the way to the operator, and nobody else', async () => {
    const person = await Person.arrive(service.sandbox, { language_code: 'en' });
    const labels = (await person.say('/start')).buttons.flat();
    assert.ok(!labels.some((label) => label.includes('Operator')), String(labels));
  });
});
