import { type Html, html } from '../../../core/html.ts';
import { createLink, type Link, listLinks, totalClicks } from '../../../modules/links/index.ts';
import type { ConsoleDeps } from '../deps.ts';
import { copyable } from '../parts/elements.ts';
import { form, textField } from '../parts/form.ts';
import { buildTable, pageOf, rowLimit } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { done, type Page, readCursor, type Visit } from '../visit.ts';
import { LINKS, nameOf, pathOf } from './link-path.ts';

interface Draft {
  readonly url: string;
  readonly name: string;
  readonly error?: string;
}

export function linkList(router: ConsoleRouter, { db, clock, publicUrl }: ConsoleDeps): void {
  async function show(visit: Visit, draft: Draft): Promise<Page> {
    const { accountId } = visit.owner;
    const { links: words, common, menu } = visit.texts;
    const beforeId = readCursor(visit.query);
    const found = await listLinks(db, { accountId, beforeId, limit: rowLimit(visit, 'links') });
    const { rows, last } = pageOf(visit, 'links', found);
    const ids = rows.map(({ id }) => id);
    const clicksOf = await totalClicks(db, ids);
    const addressOf = ({ code }: Link): string => `${publicUrl()}/l/${code}`;
    const table = buildTable(visit, {
      name: 'links',
      title: words.listTitle,
      note: words.listNote,
      rows,
      next: last && { before: last.id },
      empty: words.empty,
      columns: ({ link, text, count, time }) => [
        link(common.name, nameOf, pathOf),
        { title: words.short, cell: (row) => copyable(visit, addressOf(row), words.short), value: addressOf },
        text(words.target, ({ url }) => url),
        count(words.rules, ({ rules }) => rules.length),
        count(words.clicks, ({ id }) => clicksOf.get(id) ?? 0),
        time(words.since, ({ createdAt }) => createdAt),
      ],
    });
    return { title: menu.links, body: html`${table.html}${newPanel(visit, draft)}`, tables: [table] };
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
