import { type Html, html } from '../../../core/html.ts';
import { createLink, type Link, listLinks, totalClicks } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { form, textField } from '../parts/form.ts';
import { copyable } from '../parts/pieces.ts';
import { buildTable, rowsShown, rowsWanted } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { cursorIn, done, type Page, type Visit } from '../visit.ts';
import { LINKS, nameOf, pathOf } from './link-path.ts';

interface Draft {
  readonly url: string;
  readonly name: string;
  readonly error?: string;
}

export function linkList(router: ConsoleRouter, { db, clock, publicUrl }: ConsoleDeps): void {
  async function show(visit: Visit, draft: Draft): Promise<Page> {
    const { accountId } = visit.owner;
    const beforeId = cursorIn(visit.query);
    const found = await listLinks(db, { accountId, beforeId, limit: rowsWanted(visit, 'links') });
    const shown = rowsShown(visit, 'links', found);
    const clicksOf = await totalClicks(
      db,
      shown.map(({ id }) => id),
    );
    return listPage(visit, {
      links: shown,
      clicksOf,
      addressOf: ({ code }) => `${publicUrl()}/l/${code}`,
      next: found.length > shown.length ? `before=${shown.at(-1)?.id}` : undefined,
      draft,
    });
  }

  router.page(LINKS, (visit) => show(visit, { url: '', name: '' }));

  router.action(
    LINKS,
    async (visit, sent) => {
      const [url, name] = [sent.get('url')?.trim() ?? '', sent.get('name')?.trim() ?? ''];
      const link = { accountId: visit.owner.accountId, url, name, at: clock.now() };
      const outcome = await db.transaction((tx) => createLink(tx, link));
      if (outcome.kind === 'saved') return done(pathOf(outcome.link), visit.texts.links.created);
      return { ...(await show(visit, { url, name, error: visit.texts.links.wrongUrl })), status: 422 };
    },
    { back: () => LINKS },
  );
}

interface Listed {
  readonly links: readonly Link[];
  readonly clicksOf: ReadonlyMap<number, number>;
  readonly addressOf: (link: Link) => string;
  readonly next: string | undefined;
  readonly draft: Draft;
}

function listPage(visit: Visit, { links, clicksOf, addressOf, next, draft }: Listed): Page {
  const { texts, formats } = visit;
  const { links: words, common } = texts;
  const clicks = ({ id }: Link): number => clicksOf.get(id) ?? 0;
  const table = buildTable(visit, {
    name: 'links',
    title: words.listTitle,
    note: words.listNote,
    rows: links,
    next,
    empty: words.empty,
    columns: [
      {
        title: common.name,
        cell: (link) => html`<a href="${pathOf(link)}">${nameOf(link)}</a>`,
        value: (link) => nameOf(link),
      },
      { title: words.short, cell: (link) => copyable(visit, addressOf(link), words.short), value: addressOf },
      { title: words.target, cell: ({ url }) => url },
      {
        title: words.rules,
        cell: ({ rules }) => formats.count(rules.length),
        value: ({ rules }) => rules.length,
        isFigure: true,
      },
      { title: words.clicks, cell: (link) => formats.count(clicks(link)), value: clicks, isFigure: true },
      { title: words.since, cell: ({ createdAt }) => formats.moment(createdAt), value: ({ createdAt }) => createdAt },
    ],
  });
  return {
    title: texts.menu.links,
    section: LINKS,
    body: html`${table.html}${newPanel(visit, draft)}`,
    tables: [table],
  };
}

function newPanel(visit: Visit, { url, name, error }: Draft): Html {
  const words = visit.texts.links;
  const fields = html`${textField({
    name: 'url',
    label: words.target,
    hint: words.targetHint,
    value: url,
    maxLength: 2_048,
    isRequired: true,
    error,
  })}${textField({ name: 'name', label: words.name, hint: words.nameHint, value: name, maxLength: 200 })}`;
  return html`<section class="panel"><h2>${words.newTitle}</h2><p class="note">${words.newNote}</p>${form(visit, { action: LINKS, fields, submit: words.create })}</section>`;
}
