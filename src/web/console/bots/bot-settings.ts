import { type Html, html } from '../../../core/html.ts';
import { readCount } from '../../../core/locale.ts';
import {
  type Adjustment,
  adjustBot,
  type Bot,
  MAX_SPONSORS,
  RESOURCE_TYPES,
  ROUND_SECONDS,
  switchOwnBot,
} from '../../../modules/bots/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmPage } from '../parts/confirm-action.ts';
import { stepLink } from '../parts/elements.ts';
import { checkbox, checkboxes, form, hidden, hiddenFields, rowButton, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, readId, refused, type Visit } from '../visit.ts';
import { BOTS, botCrumbs, pathOf, requireBot } from './bot-path.ts';

const ROUND_MINUTES = { min: ROUND_SECONDS.min / 60, max: ROUND_SECONDS.max / 60 };
const ORDER_NUMBERS = { min: 1, max: 999_999_999_999 };

/** The actions behind the settings of a bot. */
export function botSettings(router: ConsoleRouter, { db }: ConsoleDeps): void {
  const back = (visit: Visit): string => pathOf({ id: readId(visit) });
  const adjustAll = async (visit: Visit, adjustments: readonly Adjustment[]): Promise<void> => {
    const bot = { accountId: visit.owner.accountId, botId: readId(visit) };
    for (const adjustment of adjustments) await adjustBot(db, { ...bot, adjustment });
  };

  const saveSettings = async (visit: Visit, sent: URLSearchParams) => {
    const settings = readSettings(sent);
    if (settings === undefined)
      return refused(back(visit), visit.texts.bots.wrongSettings(MAX_SPONSORS, ROUND_MINUTES));
    await adjustAll(visit, settings);
    return done(back(visit), visit.texts.common.saved);
  };
  router.action(`${BOTS}/:id/settings`, saveSettings, { back });

  const excludeOrder = async (visit: Visit, sent: URLSearchParams) => {
    const orderId = readCount(sent.get('order') ?? '', ORDER_NUMBERS);
    if (orderId === undefined) return refused(back(visit), visit.texts.bots.wrongOrder);
    await adjustAll(visit, [{ kind: 'order', orderId, isExcluded: sent.get('excluded') === 'yes' }]);
    return done(back(visit), visit.texts.common.saved);
  };
  router.action(`${BOTS}/:id/exclusions`, excludeOrder, { back });

  router.page(`${BOTS}/:id/switch-off`, async (visit) => {
    const bot = await requireBot(db, visit);
    const words = visit.texts.bots;
    return confirmPage(visit, {
      title: words.switchOffTitle,
      crumbs: botCrumbs(visit, bot),
      text: words.switchOffText,
      action: `${pathOf(bot)}/switch`,
      fields: hidden('active', 'no'),
      submit: words.switchOff,
    });
  });

  const switchBot = async (visit: Visit, sent: URLSearchParams) => {
    const isActive = sent.get('active') === 'yes';
    const bot = await switchOwnBot(db, { accountId: visit.owner.accountId, botId: readId(visit), isActive });
    return done(pathOf(bot), isActive ? visit.texts.bots.isOn : visit.texts.bots.isOff);
  };
  router.action(`${BOTS}/:id/switch`, switchBot, { back });
}

/** Returns all settings of the form; undefined when one of them is invalid, so that none is changed. */
function readSettings(sent: URLSearchParams): readonly Adjustment[] | undefined {
  const maxSponsors = readCount(sent.get('max_sponsors') ?? '', MAX_SPONSORS);
  const minutes = readCount(sent.get('round_minutes') ?? '', ROUND_MINUTES);
  const types = RESOURCE_TYPES.filter((type) => sent.getAll('types').includes(type));
  if (maxSponsors === undefined || minutes === undefined || types.length === 0) return undefined;
  const excluded = RESOURCE_TYPES.filter((type) => !types.includes(type));
  return [
    { kind: 'max_sponsors', value: maxSponsors },
    { kind: 'round_seconds', value: minutes * 60 },
    { kind: 'collects_profiles', value: sent.get('collects_profiles') === 'yes' },
    { kind: 'warns_of_unknown_orders', value: sent.get('warns_of_unknown_orders') === 'yes' },
    // Allowed types come first, so that the bot never excludes all types at once.
    ...types.map((type): Adjustment => ({ kind: 'resource_type', type, isExcluded: false })),
    ...excluded.map((type): Adjustment => ({ kind: 'resource_type', type, isExcluded: true })),
  ];
}

export function settingsPanel(visit: Visit, bot: Bot): Html {
  const words = visit.texts.bots;
  const fields = html`${textField({
    name: 'max_sponsors',
    label: words.maxSponsors,
    hint: words.maxSponsorsHint,
    type: 'number',
    value: String(bot.maxSponsors),
    ...MAX_SPONSORS,
    width: 'short',
  })}${textField({
    name: 'round_minutes',
    label: words.round,
    hint: words.roundHint,
    type: 'number',
    value: String(Math.round(bot.roundSeconds / 60)),
    ...ROUND_MINUTES,
    width: 'short',
  })}${checkboxes({
    name: 'types',
    label: words.types,
    hint: words.typesHint,
    choices: RESOURCE_TYPES.map((type) => ({ value: type, label: words.type[type] })),
    chosen: new Set(RESOURCE_TYPES.filter((type) => !bot.excludedResourceTypes.has(type))),
  })}<div class="field">${checkbox('collects_profiles', { value: 'yes', label: words.profiles }, bot.collectsProfiles)}<p class="hint">${words.profilesHint}</p></div><div class="field">${checkbox('warns_of_unknown_orders', { value: 'yes', label: words.unknownOrders }, bot.warnsOfUnknownOrders)}<p class="hint">${words.unknownOrdersHint}</p></div>`;
  return html`<section class="panel"><h2>${words.settingsTitle}</h2>${form(visit, { action: `${pathOf(bot)}/settings`, fields, submit: visit.texts.common.save })}</section>`;
}

export function exclusionsPanel(visit: Visit, bot: Bot): Html {
  const words = visit.texts.bots;
  const action = `${pathOf(bot)}/exclusions`;
  const excluded = [...bot.excludedOrderIds]
    .sort((a, b) => a - b)
    .map((orderId) => {
      const fields = hiddenFields({ order: String(orderId), excluded: 'no' });
      const undo = rowButton(visit, { action, fields, submit: words.showAgain, subject: String(orderId) });
      return html`<li>${words.orderNumber(orderId)} ${undo}</li>`;
    });
  const fields = html`${textField({ name: 'order', label: words.excludeOrder, inputMode: 'numeric', width: 'short', isRequired: true })}${hidden('excluded', 'yes')}`;
  return html`<section class="panel"><h2>${words.exclusionsTitle}</h2><p class="note">${words.exclusionsNote}</p>${excluded.length > 0 && html`<ul class="plain-list">${excluded}</ul>`}${form(visit, { action, fields, submit: words.exclude, style: 'plain' })}</section>`;
}

export function switchPanel(visit: Visit, bot: Bot): Html {
  const words = visit.texts.bots;
  const button = bot.isActive
    ? html`<p>${stepLink(`${pathOf(bot)}/switch-off`, words.switchOff, 'danger')}</p>`
    : form(visit, { action: `${pathOf(bot)}/switch`, fields: hidden('active', 'yes'), submit: words.switchOn });
  return html`<section class="panel"><h2>${words.switchTitle}</h2><p class="note">${bot.isActive ? words.switchOffText : words.switchOnText}</p>${button}</section>`;
}
