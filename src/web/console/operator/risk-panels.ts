import { type Html, html } from '../../../core/html.ts';
import { listBotsOfAccount } from '../../../modules/bots/index.ts';
import { type Case, listCasesOfAccount, listConnectedAccounts } from '../../../modules/cases/index.ts';
import { changeConnection, overrideQuality } from '../../../modules/operators/index.ts';
import { findQuality, type QualityLevel } from '../../../modules/quality/index.ts';
import { QUALITY_TEXTS } from '../../../texts/quality.ts';
import type { ConsoleDeps } from '../deps.ts';
import { confirmedAction } from '../parts/confirm-action.ts';
import { badge, facts, panel, type Tone } from '../parts/elements.ts';
import { rowButton } from '../parts/form.ts';
import { buildTable } from '../parts/table.ts';
import type { ConsoleRouter } from '../router.ts';
import { type BuiltTable, type Crumb, done, readId, refused, type Visit } from '../visit.ts';
import { accountCrumbs, accountNotFound, accountPath } from './account-path.ts';
import { askReason } from './ask-reason.ts';
import { ACCOUNTS, accountLink, byOperator, CASES } from './operator-path.ts';

const MOST_CASES = 50;
const MOST_CONNECTED = 50;
const LEVELS = ['good', 'watched', 'low'] as const;
const TONES: Readonly<Record<QualityLevel, Tone>> = { new: 'plain', good: 'good', watched: 'warn', low: 'bad' };

/** The undecided cases of an account and the quality of its bots, beside its payout. */
export async function riskPanels(
  { db }: Pick<ConsoleDeps, 'db'>,
  visit: Visit,
  accountId: number,
): Promise<{ readonly html: Html; readonly cases: readonly Case[] }> {
  const cases = await listCasesOfAccount(db, { accountId, isUndecided: true, limit: MOST_CASES });
  const words = visit.texts.operator.cases;
  const rows = cases.map(({ id, kind, riskKopecks }): [string, Html] => [
    visit.shared.cases.kinds[kind],
    html`<a href="${`${CASES}/${id}`}">${visit.texts.cases.numbered(id)}</a>, ${words.risk}: ${visit.formats.rubles(riskKopecks)}`,
  ]);
  const list = rows.length === 0 ? html`<p>${words.noOpenCases}</p>` : facts(...rows);
  const quality = await qualityPanel(db, visit, accountId);
  return { cases, html: html`${panel(words.openCases, list, { id: 'open-cases' })}${quality}` };
}

async function qualityPanel(db: ConsoleDeps['db'], visit: Visit, accountId: number): Promise<Html | undefined> {
  const bots = await listBotsOfAccount(db, accountId);
  if (bots.length === 0) return undefined;
  const found = await findQuality(
    db,
    bots.map(({ id }) => id),
  );
  const { levels, score, noScore } = QUALITY_TEXTS[visit.language];
  const rows = bots.map(({ id, username }): [string, Html] => {
    const quality = found.get(id);
    const level = quality?.level ?? 'new';
    const points = quality?.score == null ? noScore : score(quality.score);
    return [`@${username}`, html`${badge(TONES[level], levels[level])} ${points}`];
  });
  return panel(visit.texts.operator.cases.quality, facts(...rows), { id: 'bot-quality' });
}

/** The bots of an account with links that set or restore their quality level. */
export async function qualityTable({ db }: ConsoleDeps, visit: Visit, accountId: number): Promise<BuiltTable> {
  const bots = await listBotsOfAccount(db, accountId);
  const found = await findQuality(
    db,
    bots.map(({ id }) => id),
  );
  const words = visit.texts.operator.cases;
  const { levels } = QUALITY_TEXTS[visit.language];
  return buildTable(visit, {
    name: 'quality',
    title: words.quality,
    rows: bots,
    empty: visit.texts.operator.accounts.noBots,
    columns: ({ text, badge: state }) => [
      text(visit.texts.common.name, ({ username }) => `@${username}`),
      state(words.level, ({ id }) => {
        const level = found.get(id)?.level ?? 'new';
        return [TONES[level], levels[level]];
      }),
      text(words.score, ({ id }) => String(found.get(id)?.score ?? '–')),
      // A column and not the actions of the row, because four links in one line are wider than the page.
      {
        title: words.setLevel,
        cell: ({ id, username }) => {
          const link = (to: string, label: string): Html =>
            html`<a href="${`${accountPath(accountId)}/bots/${id}/quality/${to}`}" aria-label="${`${label}: @${username}`}">${label}</a> `;
          return html`${LEVELS.map((level) => link(level, levels[level]))}${link('restore', words.restore)}`;
        },
        value: () => '',
      },
    ],
  });
}

/** The accounts that appear to share an owner with this one, and the button that says they do not. */
export async function connectedTable({ db }: ConsoleDeps, visit: Visit, accountId: number): Promise<BuiltTable> {
  const words = visit.texts.operator.cases;
  return buildTable(visit, {
    name: 'connected',
    title: words.connected,
    note: words.connectedNote,
    rows: await listConnectedAccounts(db, accountId, MOST_CONNECTED),
    empty: words.noConnected,
    columns: ({ text, badge: state }) => [
      {
        title: visit.texts.operator.owner,
        cell: (row) => accountLink(visit, row.accountId),
        value: (row) => row.accountId,
      },
      text(visit.texts.common.name, ({ name }) => name),
      state(visit.texts.common.status, ({ isConnected }) =>
        isConnected ? ['warn', words.isConnected] : ['plain', words.isNotConnected],
      ),
    ],
    actions: ({ accountId: otherId, name, isConnected }) =>
      rowButton(visit, {
        action: `${accountPath(accountId)}/connections/${otherId}/${isConnected ? 'cut' : 'restore'}`,
        submit: isConnected ? words.disconnect : words.connect,
        subject: name,
      }),
  });
}

/** Sets quality levels and decides which accounts are connected. */
export function riskActions(router: ConsoleRouter, deps: ConsoleDeps): void {
  const back = (visit: Visit): string => accountPath(readId(visit));
  const crumbs = async (visit: Visit): Promise<[Crumb, ...Crumb[]]> => accountCrumbs(visit, readId(visit));

  for (const level of LEVELS) {
    askReason(router, `${ACCOUNTS}/:id/bots/:bot/quality/${level}`, {
      style: level === 'good' ? 'primary' : 'danger',
      words: ({ cases }, visit) => cases.askLevel(QUALITY_TEXTS[visit.language].levels[level]),
      crumbs,
      async act(visit, reason) {
        const outcome = await overrideQuality(deps, {
          ...byOperator(visit),
          botId: readId(visit, 'bot'),
          level,
          reason,
        });
        if (outcome.kind === 'not_found') throw accountNotFound();
        return outcome.kind === 'done'
          ? done(back(visit), visit.shared.cases.outcomes.overridden)
          : refused(back(visit), visit.shared.operator.unchanged);
      },
    });
  }

  confirmedAction(router, `${ACCOUNTS}/:id/bots/:bot/quality/restore`, {
    back,
    ask: async (visit) => ({
      ...visit.texts.operator.cases.askRestore,
      crumbs: await crumbs(visit),
      style: 'primary',
    }),
    async act(visit) {
      const decision = { ...byOperator(visit), botId: readId(visit, 'bot'), level: null, reason: '' };
      const outcome = await overrideQuality(deps, decision);
      if (outcome.kind === 'not_found') throw accountNotFound();
      return outcome.kind === 'done'
        ? done(back(visit), visit.shared.cases.outcomes.restored)
        : refused(back(visit), visit.shared.operator.unchanged);
    },
  });

  for (const isConnected of [false, true]) {
    router.action(
      `${ACCOUNTS}/:id/connections/:other/${isConnected ? 'restore' : 'cut'}`,
      async (visit) => {
        const decision = { accountId: readId(visit), otherId: readId(visit, 'other'), isConnected };
        const isChanged = await changeConnection(deps, { ...byOperator(visit), ...decision });
        const { connected, disconnected } = visit.shared.cases.outcomes;
        if (!isChanged) return refused(back(visit), visit.shared.operator.unchanged);
        return done(back(visit), isConnected ? connected : disconnected);
      },
      { back },
    );
  }
}
