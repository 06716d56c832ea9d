import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { geoDatabases } from '../../src/modules/links/index.ts';
import { FILTERS, type FilterKey, type Filters } from '../../src/modules/targeting/index.ts';
import { useService } from '../api/use-service.ts';
import { LABELS, LANGUAGES, type Language } from '../bot/advertiser-labels.ts';
import { arrive, says } from '../bot/advertiser-setup.ts';
import { CATEGORIES, NAMES } from '../bot/filter-labels.ts';
import type { Person } from '../support/person.ts';

/** One input in a filter editor: a pressed button or a typed text. */
type Move = { readonly press: Record<Language, string> } | { readonly say: Record<Language, string> };
const press = (ru: string, en = ru): Move => ({ press: { ru, en } });
const say = (ru: string, en = ru): Move => ({ say: { ru, en } });
const YES = press('да', 'yes');
const NO = press('нет', 'no');

const MOVES: { readonly [Key in FilterKey]: readonly [moves: readonly Move[], condition: Filters[Key]] } = {
  languages: [
    [press('русский', 'Russian'), say('английский, PT_br', 'English, PT_br')],
    ['ru', 'en', 'pt-br'],
  ],
  countries: [
    [press('Россия', 'Russia'), say('Казахстан, de', 'Kazakhstan, de'), press('Россия', 'Russia')],
    ['KZ', 'DE'],
  ],
  cities: [
    [press('Москва', 'Moscow'), say('Тверь, Saint Petersburg'), say('Петербург, moscow')],
    ['Moscow', 'Tver', 'St Petersburg'],
  ],
  age: [[press('25–34'), say('от 21', 'from 21')], { min: 21 }],
  gender: [[press('женский', 'female')], 'female'],
  account_age_years: [[press('от 2', 'from 2'), say('7')], { min: 7 }],
  device_types: [
    [press('смартфон', 'smartphone'), press('планшет', 'tablet')],
    ['smartphone', 'tablet'],
  ],
  os: [[press('Windows'), press('macOS'), press('Windows')], ['macOS']],
  premium: [[YES], true],
  has_photo: [[NO], false],
  real_photo: [[YES], true],
  has_name: [[NO, YES], true],
  has_username: [[YES], true],
  has_bio: [[YES], true],
  has_audio: [[NO], false],
  russian_name: [[YES], true],
  cyrillic_name: [[NO], false],
  rating: [[press('от 10', 'from 10')], { min: 10 }],
  gifts: [[say('42')], { min: 42 }],
  chat_context: [[press('группа', 'group')], 'group'],
  fresh_days: [[press('до 7', 'up to 7'), say('14')], { max: 14 }],
  min_quality: [[press('от 80', 'from 80'), say('75')], { min: 75 }],
  scored_source: [[YES], true],
  human_checked: [[YES], true],
};

async function make(person: Person, moves: readonly Move[], language: Language): Promise<void> {
  for (const move of moves) {
    if ('press' in move) await person.press(move.press[language]);
    else await person.say(move.say[language]);
  }
}

for (const language of LANGUAGES) {
  describe(`the editor of a filter, in ${language}`, () => {
    const service = useService();
    const labels = LABELS[language];
    const names = NAMES[language];

    async function openFilters() {
      const { sandbox } = service;
      const { person, accountId } = await arrive(sandbox, language, 10_000);
      const { orderId } = await sandbox.advertise({ account_id: accountId, price_per_sub: 10, quantity: 10 });
      await person.say('/start');
      await person.go(labels.orders, 'A resource', labels.users);
      const stored = async (): Promise<Filters> => {
        const rows = await service.database.db.query<{ filters: Filters }>('SELECT filters FROM orders WHERE id = $1', [
          orderId,
        ]);
        return rows[0]?.filters ?? {};
      };
      return { person, stored };
    }

    it('sets each of the 24 filters by buttons or typing, and the order stores exactly these values', async () => {
      const { person, stored } = await openFilters();
      for (const { key, category } of FILTERS) {
        await person.go(CATEGORIES[language][category], key === 'age' ? `${names.age} ` : names[key]);
        await make(person, MOVES[key][0], language);
        await person.go(labels.back, labels.back);
      }
      await person.go(labels.apply, labels.yes);
      const expected = Object.fromEntries(FILTERS.map(({ key }) => [key, MOVES[key][1]]));
      assert.deepEqual(await stored(), expected);
    });

    it('explains invalid input and does not change the filter', async () => {
      const { person } = await openFilters();
      const wrong: readonly [key: FilterKey, texts: readonly string[]][] = [
        ['languages', ['klingonese', ', ,']],
        ['countries', ['RU, Atlantis', 'XX']],
        ['cities', ['12345']],
        ['age', ['old', '40-20', '18-500', '-3']],
        ['account_age_years', ['1', '10', 'two']],
        ['rating', ['0', '11']],
        ['gifts', ['0', '101', '1.5']],
        ['fresh_days', ['0', '366']],
      ];
      for (const [key, texts] of wrong) {
        const category = FILTERS.find((filter) => filter.key === key)?.category ?? 'geography';
        await person.go(CATEGORIES[language][category], key === 'age' ? `${names.age} ` : names[key]);
        for (const text of texts) says(await person.say(text), /^⚠️/);
        says(await person.menu(), language === 'ru' ? /Сейчас: не важно/ : /Now: does not matter/);
        await person.go(labels.back, labels.back);
      }
    });

    it('sets no filter that all users pass, because it would cost money for nothing', async () => {
      const { person, stored } = await openFilters();
      await person.go(CATEGORIES[language].profile, `${names.age} `);
      says(await person.say('18-40'), /13[.,]00/);
      says(await person.say('0-120'), /10[.,]00/);
      await person.go(labels.back, labels.back, CATEGORIES[language].device, names.os, 'iOS');
      says(await person.press('iOS'), /10[.,]00/);
      assert.deepEqual(await stored(), {});
    });

    it('accepts no more values than fit on a screen', async () => {
      const { person } = await openFilters();
      const asked = await person.go(CATEGORIES[language].geography, names.cities);
      const hasCityData = geoDatabases().some(({ name, isPresent }) => name === 'city' && isPresent);
      assert.equal(/База городов|database of cities/.test(asked.text), !hasCityData);
      const many = Array.from(
        { length: 40 },
        (_, i) => `City ${'x'.repeat(30)}${String.fromCharCode(97 + (i % 26))}${i}`,
      );
      says(await person.say(many.join(', ')), /⚠️.*30/s);
      const full = await person.say(many.slice(0, 30).join(', '));
      assert.ok(full.text.length < 4_096);
      says(full, /City x/);
      says(await person.go(labels.back, labels.back), /City x/);
    });
  });
}
