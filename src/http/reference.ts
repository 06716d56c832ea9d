import { type Html, html } from '../core/html.ts';
import { COLOURS, pagePolicy, renderDocument } from './page.ts';

/** The parts of JSON Schema that our schemas use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The parts of our OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: { readonly Error: Schema } };
}

interface Entry extends Operation {
  readonly method: string;
  readonly path: string;
}

const STYLE = `${COLOURS}
  html { scroll-padding-top: 1rem; } @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
  code, pre { font-family: var(--mono); font-size: .875em; overflow-wrap: anywhere; }
  .shell { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
  nav { position: sticky; top: 0; box-sizing: border-box; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem;
    border-right: 1px solid var(--line); font-size: .875rem; }
  nav ul { margin: 0; padding: 0; list-style: none; } nav > ul > li { margin-top: 1rem; }
  nav a { display: block; padding: .3rem .5rem; border-radius: 6px; color: var(--text); text-decoration: none; }
  nav a:hover { background: var(--sunk); } nav li > a.tag { font-weight: 700; } .brand { font-size: 1.125rem; font-weight: 700; }
  main { padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; } h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; }
  h2 { margin: 3.5rem 0 .25rem; font-size: 1.5rem; } h2 + p { margin-top: 0; color: var(--muted); } .box h2 { margin-top: 0; font-size: 1.25rem; }
  article, .box { margin: 1.25rem 0; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
  h3 { display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline; margin: 0; font-size: 1.0625rem; }
  h4 { margin: 1.25rem 0 .25rem; font-size: .9375rem; } .method { font: 700 .8125rem var(--mono); color: var(--accent); }
  .muted, dd { color: var(--muted); } dl { margin: 0; } dl > div { padding: .5rem 0; border-top: 1px solid var(--line); }
  dl > div:first-child { border-top: 0; } dt { display: flex; flex-wrap: wrap; gap: .1rem .6rem; } dd { margin: .1rem 0 0; }
  dt span { color: var(--muted); font-size: .875rem; }
  pre { margin: .5rem 0 0; padding: .85rem 1rem; white-space: pre-wrap; background: var(--sunk); border-radius: 8px; }
  details { margin-top: 1rem; } summary { padding: .5rem 0; font-weight: 600; cursor: pointer; }
  @media (max-width: 56rem) { .shell { display: block; } nav { position: static; height: auto; border: 0; padding-bottom: 0; }
    nav > ul { display: flex; flex-wrap: wrap; } nav > ul > li { margin: 0; } nav ul ul { display: none; } main { padding-top: 1rem; } }`;

export const REFERENCE_POLICY = pagePolicy({ style: STYLE });

/** Returns the reference of the API as one page without scripts. It is in English, like the API. */
export function renderReference(document: ApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ tags }) => tags.includes(name)),
  }));
  const links = groups.map(
    ({ name, entries: own }) =>
      html`<li><a class="tag" href="#${anchorOf(name)}">${name}</a><ul>${own.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul></li>`,
  );
  const sections = groups.map(
    ({ name, description, entries: own }) =>
      html`<section aria-labelledby="${anchorOf(name)}"><h2 id="${anchorOf(name)}">${name}</h2><p>${description}</p>${own.map(renderEntry)}</section>`,
  );
  const body = html`<div class="shell">
<nav aria-label="Contents"><a class="brand" href="/">Sponsorgate</a><ul><li><a class="tag" href="#start">Start here</a></li>${links}</ul></nav>
<main>${renderStart(document, entries)}${sections}</main>
</div>`;
  return renderDocument({ language: 'en', title: 'API reference · Sponsorgate', style: STYLE, body });
}

const anchorOf = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(/\W+/g, '-')}`;

function renderStart({ info, components }: ApiDocument, entries: readonly Entry[]): Html {
  const responses = entries[0]?.responses ?? {};
  const statuses = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return html`<section aria-labelledby="start"><h1 id="start">API reference</h1>
<p>${info.description} Version ${info.version}.</p>
<p>For programs: <a href="/openapi.json">openapi.json</a> · <a href="/llms.txt">llms.txt</a></p>
<div class="box"><h2>Authentication</h2><p>Send the API token of your bot.</p><pre>Auth: at_…</pre>
<p class="muted">The management bot issues it: My bots, the bot, API token. Operations marked “beta” need access to the beta.</p></div>
<div class="box"><h2>Errors</h2><p>Every error has one form.</p>${renderFields(components.schemas.Error)}
<h3>Statuses</h3><dl>${statuses.map(([status, { description }]) => html`<div><dt><code>${status}</code></dt><dd>${description}</dd></div>`)}</dl></div></section>`;
}

function renderEntry(entry: Entry): Html {
  const { operationId, method, path, summary, parameters = [], requestBody, responses } = entry;
  const body = requestBody?.content?.['application/json'];
  const [success] = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const answer = success?.[1].content?.['application/json']?.schema;
  const inputs = parameters.map(({ name, in: place, required, description, schema }) =>
    renderField(
      name,
      { ...schema, ...(description !== undefined && { description }) },
      `${place}${required === true ? ', required' : ''}`,
    ),
  );
  return html`<article aria-labelledby="${operationId}"><h3 id="${operationId}"><span class="method">${method}</span> <code>${path}</code></h3>
<p>${summary}</p>
${inputs.length > 0 && html`<h4>Parameters</h4><dl>${inputs}</dl>`}
${body?.schema !== undefined && html`<h4>Body</h4>${renderFields(body.schema)}`}
<pre>${exampleOf(entry, body?.example ?? body?.schema?.examples?.[0])}</pre>
${answer !== undefined && html`<details><summary>Response ${success?.[0]}</summary>${renderFields(answer)}</details>`}</article>`;
}

/** Returns a call for a terminal. */
function exampleOf({ method, path, security }: Entry, example: unknown): string {
  const [scheme = ''] = security.flatMap((each) => Object.keys(each));
  const url = `$URL${path.replaceAll(/\{(\w+)\}/g, '1')}${scheme === 'queryToken' ? '?api_token=$TOKEN' : ''}`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`,
    ...(scheme === 'token' ? ['-H "Auth: $TOKEN"'] : []),
    ...(example === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]),
  ].join(' \\\n  ');
}

const MAX_DEPTH = 5;

/** Lists the fields of an object, and of the objects in it, by their paths. */
function renderFields(schema: Schema): Html {
  const fields = [...fieldsOf(schema, '', 0)];
  return fields.length === 0 ? html`<p class="muted">${describeType(schema)}</p>` : html`<dl>${fields}</dl>`;
}

function* fieldsOf(schema: Schema, prefix: string, depth: number): Generator<Html> {
  for (const variant of schema.anyOf ?? [])
    if (variant.properties !== undefined || variant.items !== undefined) yield* fieldsOf(variant, prefix, depth);
  if (schema.items !== undefined) yield* fieldsOf(schema.items, `${prefix}[]`, depth);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    yield renderField(path, field, schema.required?.includes(name) === true ? undefined : 'optional');
    if (depth < MAX_DEPTH) yield* fieldsOf(field, path, depth + 1);
  }
}

function renderField(name: string, schema: Schema, note: string | undefined): Html {
  return html`<div><dt><code>${name}</code><span>${describeType(schema)}${note !== undefined && `, ${note}`}</span></dt>${schema.description !== undefined && html`<dd>${withCode(schema.description)}</dd>`}</div>`;
}

/** Shows `text in backticks` as code. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

function describeType({ type, anyOf, items, enum: values, const: only, format }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map(describeType))].join(' | ');
  if (items !== undefined) return `array of ${describeType(items)}`;
  const name = [type ?? 'any'].flat().join(' | ');
  return format === undefined ? name : `${name} (${format})`;
}
