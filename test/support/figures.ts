import assert from 'node:assert/strict';

/** Parses the text of `/metrics`. */
export class Figures {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the value of the only series with this name and these labels, or undefined when there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const found = this.text.split('\n').filter((line) => {
      const [, series, rest = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
      return series === `sponsorgate_${name}` && wanted.every((label) => rest.split(/,(?=\w+=")/).includes(label));
    });
    assert.ok(found.length <= 1, `${name} ${JSON.stringify(labels)} is not one series:\n${found.join('\n')}`);
    return found[0] === undefined ? undefined : Number(found[0].slice(found[0].lastIndexOf(' ') + 1));
  }

  /** Returns the number of observations of a histogram. */
  count(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.value(`${name}_count`, labels) ?? 0;
  }
}

export async function readFigures(url: string, headers: Record<string, string> = {}): Promise<Figures> {
  const answer = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(20_000) });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return new Figures(await answer.text());
}
