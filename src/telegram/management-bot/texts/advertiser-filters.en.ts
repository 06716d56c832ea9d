import { html, lines } from '../../../core/html.ts';
import type { filtersRu } from './advertiser-filters.ru.ts';

const BY_LISTS = 'Press the buttons, or write several with commas.';

export const filtersEn: typeof filtersRu = {
  title: html`👥 <b>Audience</b>`,
  intro: html`Who sees the order. A user whose value is unknown sees it too.`,
  everybody: html`No filters yet: the order fits everybody.`,
  chooseFilter: html`A factor (such as ×1.2) raises the price of a subscription.`,
  apply: '✅ Apply',
  applied: 'The filters are applied.',
  notApplied: 'The changes are not applied.',
  reset: '🧹 Reset the filter',
  resetAll: '🧹 Reset all',
  now: (p) => html`Now: <b>${p.value}</b>`,
  effect: {
    draft: (p) =>
      lines(
        html`💵 A subscription: <b>${p.charge}</b> (base price ${p.price})`,
        html`🧾 The whole order, ${p.count} subscribers: <b>${p.total}</b>`,
      ),
    order: (p) =>
      lines(
        p.isChanged
          ? html`💵 A subscription: ${p.before} now, <b>${p.charge}</b> then`
          : html`💵 A subscription: <b>${p.charge}</b>`,
        html`🧾 The order’s money is enough for <b>${p.affordable}</b> of ${p.left} subscribers`,
      ),
    known: (p) => html`❔ ${p.name}: known for ${p.known}, unknown for ${p.unknown} of users`,
    mostlyUnknown: (p) =>
      html`⚠️ Most of them have no known value: <b>${p.names}</b>. The filter does not exclude such users.`,
    unknownCharge: (p) =>
      p.isBase
        ? html`Users with an unknown value see the order too. A filter’s factor is charged only when the value is known: a subscription costs from ${p.base} to ${p.full}.`
        : html`Users with an unknown value see the order too, at the same price: <b>${p.full}</b>, with the full factor.`,
    nobodyKnown: html`👁 We know no users yet, so the audience cannot be estimated`,
    audience: (p) => html`👁 ${p.isExact ? '' : 'About '}<b>${p.matching}</b> of ${p.known} known users fit`,
  },
  confirm: (p) =>
    lines(
      html`Apply these filters to order ${p.orderId}?\n`,
      ...(p.chosen.length === 0 ? [html`Everybody fits.`] : p.chosen.map((line) => html`✅ ${line}`)),
      html``,
      html`💵 A subscription: ${p.before} before, <b>${p.charge}</b> then`,
      p.isShort
        ? html`⚠️ The order’s money is enough for <b>${p.affordable}</b> of the ${p.left} subscribers left. Remove some filters, or top up.`
        : html`🧾 The order’s money is enough for all that are left: ${p.left}.`,
      html`The new price does not apply to users who have seen the order already.`,
    ),
  wrong: {
    unknown: (p) => `I did not understand: ${p.words}. Check the spelling and try again.`,
    tooMany: (p) => `Too many: at most ${p.most}.`,
    outOfRange: (p) => `A number from ${p.least} to ${p.most} is needed.`,
  },
  hints: {
    languages: 'The languages in which users have their Telegram.',
    countries: 'The countries that users come from. Known of those who passed through our links.',
    cities: 'The cities that users come from. Known of those who passed through our links.',
    age: 'How old the user is, when they show the year of birth.',
    gender: 'Told by the name.',
    account_age_years: 'How many years the account has at least.',
    device_types: 'The device that the user is on.',
    os: 'The operating system that the user has.',
    premium: 'Whether the user has Telegram Premium.',
    has_photo: 'Whether there is a photo in the profile.',
    real_photo: 'Whether the photo seems to show the user: there are several.',
    has_name: 'Whether there is a name.',
    has_username: 'Whether there is a public @username.',
    has_bio: 'Whether “Bio” is filled in.',
    has_audio: 'Whether there is music or a voice in the profile.',
    russian_name: 'Whether the user’s name is a Russian one.',
    cyrillic_name: 'Whether there is Cyrillic in the name.',
    rating: 'The level of the Telegram rating, at least.',
    gifts: 'How many gifts are in the profile, at least.',
    chat_context: 'Where the user sees the task: in the private chat with the bot, or in a group.',
    fresh_days: 'For how many days we know the user, at most.',
    min_quality: 'The quality score of the bot that shows the task, at least. Bots without a score show it too.',
    scored_source: 'Whether only bots that already have a quality score show the task. “No” means only new bots.',
    human_checked: 'Whether the user passed our check “I am a person”. Few users have: the audience is small.',
  },
  typing: {
    languages: `${BY_LISTS} For example: Russian, en, pt-br.`,
    countries: `${BY_LISTS} For example: Russia, KZ, Germany.`,
    cities: `${BY_LISTS} For example: Moscow, Kazan.`,
    age: 'Choose, or write for example: 18-35, from 18, up to 40.',
    account_age_years: 'Choose the number of years, or write it.',
    rating: 'Choose the level, or write it.',
    gifts: 'Choose, or write a number from 1 to 100.',
    fresh_days: 'Choose, or write a number of days from 1 to 365.',
    min_quality: 'Choose, or write a score from 1 to 100.',
  },
};
