import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';
import { ROOT, readPage } from './pages.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const dashboard = JSON.parse(read('docs/monitoring/dashboard.json')) as Dashboard;
const alerts = read('docs/monitoring/alerts.yml');
const alertTests = read('docs/monitoring/alerts.test.yml');

const figures = dashboard.panels.filter(({ type }) => type !== 'row');
const panelExpressions = [...figures.flatMap(({ targets = [] }) => targets), ...dashboard.annotations.list].map(
  ({ expr }) => expr,
);
const alertExpressions = [...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);

let service: TestService;
let exposed: string;

before(async () => {
  service = await startTestService();
  // One subscription gives most metrics a sample, whose labels the tests below read.
  const { sandbox } = service;
  await sandbox.pauseAllOrders();
  const { token } = await sandbox.publisher();
  await sandbox.subscribe(token, await sandbox.advertise(), 7_100_000_001);
  await sandbox.advance(60);
  exposed = await (await fetch(`${service.url}/metrics`)).text();
});
after(() => service.stop());

/** Metrics that a test service does not expose: Redis needs REDIS_URL, and Prometheus itself creates `up`. */
const ELSEWHERE = new Set(['sponsorgate_redis_up', 'up']);

/** Returns the names of metrics in an expression of PromQL. */
function metricsOf(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring) *\([^)]*\)/g, '');
  return [...bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?! *\()/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['or', 'and', 'unless'].includes(name));
}

/** Returns the type of the metric behind a name, such as `histogram` for `…_bucket`. */
function typeOf(name: string): string | undefined {
  const base = name.replace(/_(?:count|sum|bucket)$/, '');
  const type = (wanted: string) => new RegExp(`^# TYPE ${wanted} (\\w+)$`, 'm').exec(exposed)?.[1];
  const baseType = type(base);
  return base !== name && (baseType === 'histogram' || baseType === 'summary') ? baseType : type(name);
}

test('every metric of the dashboard and of the alerts exists', () => {
  assert.ok(panelExpressions.length > 30 && alertExpressions.length > 10, 'the expressions are found');
  const unknown = [...panelExpressions, ...alertExpressions].flatMap((expr) => {
    const names = metricsOf(expr);
    assert.ok(names.length > 0, `no metric found in ${expr}`);
    return names.filter((name) => typeOf(name) === undefined && !ELSEWHERE.has(name));
  });
  assert.deepEqual(unknown, []);
});

test('every label of the dashboard and of the alerts belongs to one of the metrics in the expression', () => {
  // Prometheus adds these two.
  const added = ['instance', 'job'];
  const wrong = [...panelExpressions, ...alertExpressions].flatMap((expr) => {
    const known = new Set([
      ...added,
      ...metricsOf(expr).flatMap((name) => {
        const samples = [...exposed.matchAll(new RegExp(`^${name}\\{([^}]*)\\}`, 'gm'))].map(
          ([, labels = '']) => labels,
        );
        return samples.flatMap((labels) => [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label));
      }),
    ]);
    const selected = [...expr.matchAll(/(\w+) *(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label);
    const grouped = [...expr.matchAll(/\bby *\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/[ ,]+/));
    // A metric without a sample, such as that of failed jobs, shows no labels.
    const hasSamples = metricsOf(expr).some((name) => exposed.includes(`\n${name}{`));
    return hasSamples
      ? [...selected, ...grouped].filter((label) => !known.has(label)).map((label) => `${label}: ${expr}`)
      : [];
  });
  assert.deepEqual(wrong, []);
});

test('every panel has a title, an explanation, a unit and its own place', () => {
  for (const { title, description, fieldConfig, targets } of figures) {
    assert.ok(title !== '' && description !== undefined && description !== '', title);
    assert.ok(fieldConfig?.defaults.unit !== undefined, `${title} has no unit`);
    assert.ok(targets !== undefined && targets.length > 0, `${title} shows nothing`);
  }
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length, 'ids are unique');
  const places = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, i) => `${x + (i % w)}:${y + Math.floor(i / w)}`),
  );
  assert.equal(new Set(places).size, places.length, 'panels do not overlap');
});

test('every job and every route that an alert or a panel names exists', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(read).join('');
  const named = (label: string): string[] =>
    [...panelExpressions, ...alertExpressions]
      .flatMap((expr) => [...expr.matchAll(new RegExp(`\\b${label}=~?"([^"$]+)"`, 'g'))].map(([, value = '']) => value))
      .flatMap((value) =>
        value
          .replace(/^(.*)\((.*)\)$/, (_, path: string, list: string) =>
            list
              .split('|')
              .map((end) => path + end)
              .join('|'),
          )
          .split('|'),
      );
  const jobs = named('job').filter((job) => job !== 'sponsorgate');
  assert.ok(jobs.length > 0 && named('route').length > 0);
  assert.deepEqual(
    jobs.filter((job) => !sources.includes(`name: '${job}'`)),
    [],
  );
  assert.deepEqual(
    named('route').filter(
      (route) => !sources.includes(`'${route.replace('/api/v1', '')}'`) && !sources.includes(`'${route}'`),
    ),
    [],
  );
});

test('every alert says how urgent it is and what to do, has a test, and is listed in operations.md', () => {
  const rules = alerts.split(/^ +- alert: /m).slice(1);
  const page = readPage('docs/guides/operations.md').text;
  assert.equal(rules.length, alertExpressions.length);
  for (const rule of rules) {
    const name = rule.split('\n')[0] ?? '';
    assert.match(rule, /severity: (?:page|ticket)\b/, name);
    assert.match(rule, /summary: .+/, name);
    assert.match(rule, /description: .+/, name);
    assert.match(alertTests, new RegExp(`- alertname: ${name}\\n`), `${name} has no test that fires it`);
    assert.match(
      alertTests,
      new RegExp(`alertname: ${name}, .*exp_alerts: \\[\\]`),
      `${name} is not tested when healthy`,
    );
    assert.ok(page.includes(`\`${name}\``), `operations.md does not list ${name}`);
  }
});
