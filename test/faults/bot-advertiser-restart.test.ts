import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LABELS, LANGUAGES } from '../bot/advertiser-labels.ts';
import { arrive, type Channel, letIn, orderIdIn, ownChannel, says } from '../bot/advertiser-setup.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Person, type SeenMessage } from '../support/person.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { startOn } from '../support/service.ts';

describe('a restart loses no input of an advertiser', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  /** Runs each step on a newly started service. The state of the first step passes to the later ones. */
  async function liveByLife<State>(
    begin: (sandbox: Sandbox) => Promise<State>,
    ...steps: readonly ((sandbox: Sandbox, state: State) => Promise<void>)[]
  ): Promise<void> {
    const state = await inOneLife(begin);
    for (const step of steps) await inOneLife((sandbox) => step(sandbox, state));
  }

  async function inOneLife<Result>(work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
    const service = await startOn(database.url);
    try {
      return await work(service.sandbox);
    } finally {
      await service.stop();
    }
  }

  const again = async (sandbox: Sandbox, id: number): Promise<Person> => {
    const { management_bot: bot } = await sandbox.control('GET', '/state');
    return new Person(sandbox, id, bot);
  };

  for (const language of LANGUAGES) {
    const { says: said, ...labels } = LABELS[language];

    it(`between any two steps of the wizard (${language})`, async () => {
      interface State {
        readonly id: number;
        readonly channel: Channel;
      }
      const step =
        (act: (person: Person, sandbox: Sandbox, state: State) => Promise<SeenMessage>, expected: RegExp) =>
        async (sandbox: Sandbox, state: State): Promise<void> =>
          says(await act(await again(sandbox, state.id), sandbox, state), expected);
      const press = (button: string, expected: RegExp) => step((person) => person.press(button), expected);
      const say = (text: string, expected: RegExp) => step((person) => person.say(text), expected);

      await liveByLife<State>(
        async (sandbox) => {
          const { person } = await arrive(sandbox, language);
          return { id: person.id, channel: await ownChannel(sandbox, person, { title: 'Restarted' }) };
        },
        press(labels.orders, /./),
        press(labels.newOrder, said.whatToAdvertise),
        press(labels.channel, said.addAsAdmin),
        step((person, sandbox, { channel }) => letIn(sandbox, person, channel), said.title),
        press(labels.keepTitle, said.price),
        say('10', said.quantity),
        say('40', said.limit),
        say('20', said.pace),
        press(labels.evenly, said.hours),
        say('9-21', said.hold),
        say('36', /36/),
        press(labels.next, said.users),
        press('🌍', /×1[.,]2/),
        press(language === 'ru' ? 'Страна' : 'Country', /KZ/),
        say('KZ', /12[.,]00/),
        press(labels.back, /12[.,]00/),
        press(labels.back, said.users),
        press(labels.next, /Restarted.*20.*9:00–21:00.*36.*480[.,]00/s),
        press(labels.create, said.active),
      );
    });

    it(`while an order is topped up and its filters are changed (${language})`, async () => {
      await liveByLife(
        async (sandbox) => {
          const { person, accountId } = await arrive(sandbox, language);
          const { orderId } = await sandbox.advertise({ account_id: accountId, price_per_sub: 10, quantity: 20 });
          await person.say('/start');
          await person.go(labels.orders, 'A resource', labels.topUp);
          return { id: person.id, orderId };
        },
        async (sandbox, { id }) => says(await (await again(sandbox, id)).say('5'), /50[.,]00/),
        async (sandbox, { id }) => says(await (await again(sandbox, id)).press(labels.buy), / 25/),
        async (sandbox, { id }) => {
          const person = await again(sandbox, id);
          await person.go(labels.users, '👤', language === 'ru' ? 'Возраст ' : 'Age');
        },
        async (sandbox, { id }) => says(await (await again(sandbox, id)).say('18-30'), /18–30/),
        async (sandbox, { id }) => {
          const person = await again(sandbox, id);
          await person.go(labels.back, labels.back, labels.apply);
        },
        async (sandbox, { id, orderId }) => {
          const page = await (await again(sandbox, id)).press(labels.yes);
          assert.equal(orderIdIn(page), orderId);
          says(page, /18–30/);
        },
      );
    });
  }
});
