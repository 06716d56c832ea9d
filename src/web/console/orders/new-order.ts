import { randomUUID } from 'node:crypto';
import { ApiError } from '../../../core/errors.ts';
import { clip, type Html, html } from '../../../core/html.ts';
import { readFunds } from '../../../modules/accounts/index.ts';
import { placeOrder, rewardFor } from '../../../modules/orders/index.ts';
import { estimateAudience } from '../../../modules/tasks/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { warning } from '../parts/elements.ts';
import { checkbox, hidden, radios, selectField, textField } from '../parts/form.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, refusalText, type Visit } from '../visit.ts';
import { describeKnowledge } from './describe-filters.ts';
import { filterGroups } from './filter-controls.ts';
import { HOLD_HOURS, type OrderForm, QUANTITY, RESOURCE_KINDS, readOrderForm, type WrongFields } from './order-form.ts';
import { ORDERS, orderCrumbs, pathOf } from './order-path.ts';
import { resolveResource } from './resolve-resource.ts';

export const NEW_ORDER = `${ORDERS}/new`;

/** What the form shows beside its fields, as texts that the page's script inserts. */
interface Preview {
  readonly title: string;
  readonly price: string;
  readonly reward: string;
  readonly audience: string;
  readonly known: string;
  readonly total: string;
  readonly balance: string;
  readonly missing: string;
}

/** A form that creates an order: the resource, its terms and filters, with a preview of the task, price and audience. */
export function newOrderPage(router: ConsoleRouter, deps: ConsoleDeps): void {
  const { db } = deps;

  router.page(NEW_ORDER, (visit) => show(visit, new URLSearchParams({ kind: 'channel', hold: '24', refund: 'yes' })));

  router.json(`${NEW_ORDER}/estimate`, async (visit, sent) => ({
    ...(await preview(visit, readOrderForm(visit, sent))),
  }));

  router.action(
    NEW_ORDER,
    async (visit, sent) => {
      // Browsers without scripts get the same form again with the new figures.
      if (sent.has('recalculate')) return show(visit, sent);
      const read = readOrderForm(visit, sent);
      const again = (wrong: WrongFields): Promise<Page> => show(visit, sent, { ...read, wrong });
      if (read.terms === undefined) return again(read.wrong);
      const resource = await resolveResource(deps, visit, read);
      if ('wrong' in resource) return again(resource.wrong);
      const { title, ...terms } = read.terms;
      const named = title === '' ? clip(resource.title, 128) : title;
      try {
        const orderId = await placeOrder(deps, {
          accountId: visit.owner.accountId,
          key: `console:order:${sent.get('key') ?? ''}`,
          request: { ...terms, priceKopecks: String(terms.priceKopecks), title: named, link: resource.requested.link },
          resource: resource.requested,
          terms: { ...terms, title: named, name: named },
        });
        return done(pathOf({ id: orderId }), visit.texts.newOrder.created);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'insufficient_funds') return again(new Map([['quantity', await missingText(visit, read)]]));
        if (error.code !== 'resource_refused') throw error;
        return again(new Map([[resource.field, refusalText(visit.language, error)]]));
      }
    },
    { back: () => NEW_ORDER },
  );

  async function missingText(visit: Visit, read: OrderForm): Promise<string> {
    return visit.texts.newOrder.missing((await preview(visit, read)).missing);
  }

  async function preview(visit: Visit, read: OrderForm): Promise<Preview> {
    const { owner, formats, texts } = visit;
    const words = texts.filters;
    const priceKopecks = read.priceKopecks ?? 0n;
    const [found, funds] = await Promise.all([
      estimateAudience({ db: deps.reports, clock: deps.clock }, { filters: read.filters, priceKopecks }),
      readFunds(db, owner.accountId),
    ]);
    const total = found.chargeKopecks * BigInt(read.quantity ?? 0);
    const missing = total - funds.withdrawableKopecks;
    const audience = words.audienceOf(formats.count(found.matchingUsers), formats.count(found.knownUsers));
    return {
      title: read.title === '' ? texts.newOrder.untitled : read.title,
      price: formats.rubles(found.chargeKopecks),
      reward: formats.rubles(rewardFor(priceKopecks, deps.publisherSharePercent)),
      audience: found.isExact ? audience : words.approximately(audience),
      known: describeKnowledge(visit, found.knowledge),
      total: formats.rubles(total),
      balance: formats.rubles(funds.withdrawableKopecks),
      missing: missing > 0n ? formats.rubles(missing) : '–',
    };
  }

  async function show(visit: Visit, form: URLSearchParams, refused?: OrderForm): Promise<Page> {
    const words = visit.texts.newOrder;
    const read = refused ?? { ...readOrderForm(visit, form), wrong: new Map<string, string>() };
    const [figures, chats, bot] = await Promise.all([
      preview(visit, read),
      deps.telegram.listChats(visit.owner.telegramUserId),
      deps.telegram.botToAdd(),
    ]);
    const fields = { visit, form, wrong: read.wrong };
    const isFiltered = Object.keys(read.filters).length > 0 || read.wrongFilters.size > 0;
    return {
      title: words.title,
      crumbs: orderCrumbs(visit),
      status: refused === undefined ? 200 : 422,
      body: html`${refused && html`<p class="flash bad" role="alert">${words.checkFields}</p>`}${deps.isModerated && deps.operatorIds.size === 0 && warning(words.noOperators)}
        <form method="post" action="${NEW_ORDER}" class="filters new-order" data-estimate="${`${NEW_ORDER}/estimate`}">${hidden('csrf', visit.csrf)}${hidden('key', form.get('key') ?? randomUUID())}
        <div class="stack">${resourcePanel(fields, chats, bot)}${termsPanel(fields)}
        <details class="panel more"${isFiltered && ' open'}><summary><h2>${visit.texts.filters.title}</h2></summary><p class="note">${visit.texts.filters.note}</p>${filterGroups(visit, form, read.wrongFilters)}</details></div>
        ${previewPanel(visit, figures)}</form>`,
    };
  }
}

interface Fields {
  readonly visit: Visit;
  readonly form: URLSearchParams;
  readonly wrong: WrongFields;
}

const fieldsOf =
  ({ form, wrong }: Fields) =>
  (name: string, label: string, hint?: string) => ({
    name,
    label,
    hint,
    value: form.get(name) ?? '',
    error: wrong.get(name),
  });

function resourcePanel(
  fields: Fields,
  chats: readonly { readonly chatId: number; readonly title: string }[],
  botName: string | undefined,
): Html {
  const { visit, form } = fields;
  const words = visit.texts.newOrder;
  const field = fieldsOf(fields);
  const kinds = radios({
    name: 'kind',
    label: words.kind,
    value: form.get('kind') ?? 'channel',
    choices: RESOURCE_KINDS.map((kind) => ({
      value: kind,
      label: words.kinds[kind].label,
      note: words.kinds[kind].note,
    })),
  });
  const known = selectField({
    ...field('chat', words.chat, words.chatHint(botName ?? '…')),
    choices: [
      { value: '', label: words.chatByName },
      ...chats.map(({ chatId, title }) => ({ value: String(chatId), label: clip(title, 60) })),
    ],
  });
  const name = textField({
    ...field('chat_name', words.chatName, chats.length === 0 ? words.chatHint(botName ?? '…') : undefined),
    placeholder: '@name',
    maxLength: 200,
  });
  // A token is a password: it is never sent back to the browser.
  const token = textField({
    ...field('bot_token', words.botToken, words.botTokenHint),
    value: '',
    type: 'password',
    maxLength: 200,
  });
  const bot = textField({
    ...field('bot_name', words.botName, words.botNameHint),
    placeholder: '@name_bot',
    maxLength: 200,
  });
  return html`<section class="panel"><h2>${words.what}</h2><div class="form">${kinds}
    <div class="only-channel form">${chats.length > 0 && known}${name}</div><div class="only-bot">${token}</div><div class="only-external">${bot}</div>
    ${textField({ ...field('title', words.taskTitle, words.taskTitleHint), maxLength: 128 })}</div></section>`;
}

function termsPanel(fields: Fields): Html {
  const { visit, form } = fields;
  const words = visit.texts.newOrder;
  const field = fieldsOf(fields);
  const { count } = visit.formats;
  const isChecked = (name: string): boolean => form.get(name) === 'yes';
  return html`<section class="panel"><h2>${words.terms}</h2><div class="form two-columns">
    ${textField({ ...field('price', words.price, words.priceHint), inputMode: 'decimal', isRequired: true })}
    ${textField({ ...field('quantity', words.quantity, words.quantityHint(count(QUANTITY.min), count(QUANTITY.max))), inputMode: 'numeric', isRequired: true })}
    ${textField({ ...field('daily_limit', words.dailyLimit, words.dailyLimitHint), inputMode: 'numeric' })}
    ${textField({ ...field('hours', words.hours, words.hoursHint), placeholder: '9-21', maxLength: 100 })}
    ${textField({ ...field('hold', words.hold, words.holdHint(count(HOLD_HOURS.max))), inputMode: 'numeric' })}
    <div class="field">${checkbox('pace', { value: 'yes', label: words.pace }, isChecked('pace'))}${checkbox('refund', { value: 'yes', label: words.refund }, isChecked('refund'))}</div>
  </div></section>`;
}

/** The task as users see it, what it costs, and the button that creates the order. */
function previewPanel(visit: Visit, figures: Preview): Html {
  const { newOrder: words, filters } = visit.texts;
  const item = (name: keyof Preview, label: string, note = ''): Html =>
    html`<div class="tile"><dt>${label}</dt><dd><strong data-figure="${name}">${figures[name]}</strong><small>${note}</small></dd></div>`;
  return html`<section class="panel estimate" aria-labelledby="preview-title"><h2 id="preview-title">${words.preview}</h2>
    <div id="estimate" aria-live="polite" class="preview-figures">
    <div class="task-preview"><p>${words.previewText}</p><span class="task-button"><bdi data-figure="title">${figures.title}</bdi></span><span class="task-button quiet">${words.previewDone}</span></div>
    <dl class="tiles">${item('price', filters.price, words.priceNote)}${item('audience', filters.audience, filters.audienceNote)}${item('total', words.total)}${item('missing', words.missingLabel)}${item('balance', words.balance)}${item('reward', words.reward)}${item('known', filters.known)}</dl></div>
    <div class="buttons"><button type="submit" class="primary">${words.create}</button><button type="submit" name="recalculate" value="yes" class="no-script" formnovalidate>${filters.recalculate}</button></div></section>`;
}
