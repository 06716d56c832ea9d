import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person } from '../support/person.ts';
import { arrive, letIn, ownChannel, says, startOrder } from './advertiser-setup.ts';
import { deliverAgain, keepUpdates } from './deliver-again.ts';

describe('the draft of a wizard', () => {
  const service = useService({});

  it('of an order survives the start of other wizards', async () => {
    const { sandbox } = service;
    const person = await Person.arrive(sandbox, { language_code: 'en' });
    await person.say('/start');
    await sandbox.control('POST', '/accounts', { user_id: person.id, deposit: 5000 });
    await person.go('My orders', 'New order');
    await person.say('/start');
    await person.go('Balance', 'Withdraw');
    await person.say('/start');
    await person.go('My bots', 'Add a bot');
    await person.say('/start');
    const labels = (await person.go('My orders')).buttons.flat();
    assert.ok(
      labels.some((label) => /draft/i.test(label)),
      String(labels),
    );
  });

  it('does not change when Telegram delivers two answers again after a crash', async () => {
    const { sandbox } = service;
    await keepUpdates(service);
    const olga = await arrive(sandbox, 'en');
    const { person, labels } = olga;
    const channel = await ownChannel(sandbox, person);
    await startOrder(olga, 'channel');
    await letIn(sandbox, person, channel);
    await person.press(labels.keepTitle);
    await person.say('10');
    says(await person.say('40'), labels.says.limit);
    await deliverAgain(service, person, '10');
    says(await person.menu(), labels.says.limit);
    await deliverAgain(service, person, '40');
    says(await person.menu(), labels.says.limit);
    const summary = await person.go(labels.noLimit, labels.allDay, labels.next, labels.next);
    says(summary, /400[.,]00/);
  });
});
