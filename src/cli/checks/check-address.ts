import type { Config } from '../../config.ts';
import { METRICS_PATH } from '../../http/index.ts';
import { type Finding, fail, ok, reasonOf, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;
const HEALTH_PATH = '/api/v1/health';

/** Checks that the service responds at its local and public address and that the public cannot read its metrics. */
export async function* checkAddress(config: Config): AsyncGenerator<Finding> {
  const { publicUrl, telegram, metricsToken } = config;
  const here = await askHealth(localUrl(config));
  yield here === undefined
    ? ok('service', `runs at ${localUrl(config)}`)
    : warn('service', `does not answer at ${localUrl(config)} (${here}): start it, if it should run here`);
  if (telegram === undefined) return;

  if (publicUrl === localUrl(config)) {
    yield warn('public address', 'PUBLIC_URL is not set: links and postbacks of advertisers lead to this machine only');
    return;
  }
  if (!publicUrl.startsWith('https:')) {
    yield warn('public address', `${publicUrl} is not https: tokens travel in the open; put TLS in front of it`);
  }
  const there = await askHealth(publicUrl);
  if (there !== undefined) {
    // If the service is stopped, the public address may still be correct, so this is only a warning then.
    yield (here === undefined ? fail : warn)('public address', `${publicUrl} does not lead to the service (${there})`);
    return;
  }
  yield ok('public address', `${publicUrl} leads to the service`);
  if (metricsToken === undefined && (await isOpen(`${publicUrl}${METRICS_PATH}`))) {
    yield warn(
      'metrics',
      `${publicUrl}${METRICS_PATH} answers without a token, perhaps to everybody: set METRICS_TOKEN`,
    );
  }
}

function localUrl({ host, port }: Config): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Returns `undefined` when the service responds at `url`, and the reason of the failure otherwise. */
async function askHealth(url: string): Promise<string | undefined> {
  try {
    const answer = await get(`${url}${HEALTH_PATH}`);
    const body: unknown = await answer.json().catch(() => undefined);
    const isOurs = typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
    return answer.status === 200 && isOurs ? undefined : `status ${answer.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

async function isOpen(url: string): Promise<boolean> {
  try {
    const answer = await get(url);
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function get(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
}
