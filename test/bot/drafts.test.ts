import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { Person } from '../support/person.ts';

describe('what a wizard has gathered', () => {
  const service = useService();

  it('is still there after other wizards were begun: an order outlives a payout and the adding of a bot', async () => {
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
});
