/** Starts HAProxy in front of PostgreSQL or of the API processes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../test/support/eventually.ts';
import { freePort } from '../../test/support/redis.ts';
import { adapt, readGuideFile } from './guide.ts';
import { type Program, startProgram } from './programs.ts';

/** A PostgreSQL behind HAProxy. The check goes to Patroni's port. */
interface Node {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
}

interface Haproxy {
  readonly primaryPort: number;
  readonly replicaPort: number;
  stop(): Promise<void>;
}

const CONFIGURATION = '/etc/haproxy/haproxy.cfg';

/** One port leads to the primary, the other to the standbys. */
export async function startPostgresHaproxy(folder: string, nodes: readonly Node[]): Promise<Haproxy> {
  const [primaryPort, replicaPort] = [await freePort(), await freePort()];
  const settings = adapt(await readGuideFile(CONFIGURATION), [
    ['127.0.0.1:5000', `127.0.0.1:${primaryPort}`],
    ['127.0.0.1:5001', `127.0.0.1:${replicaPort}`],
    ...nodes.map(
      ({ name, port, restPort }, i) =>
        [
          `server n${i + 1} 10.0.0.${i + 1}:5432 check port 8008`,
          `server ${name} 127.0.0.1:${port} check port ${restPort}`,
        ] as const,
    ),
  ]);
  const program = await launch(folder, 'haproxy-postgres', settings);
  return { primaryPort, replicaPort, stop: () => program.stop() };
}

interface HttpHaproxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Balances requests over two API processes; a process that is not ready gets no new ones. */
export async function startHttpHaproxy(folder: string, [first, second]: readonly number[]): Promise<HttpHaproxy> {
  const port = await freePort();
  const [defaults = ''] = (await readGuideFile(CONFIGURATION)).split('\nlisten ', 1);
  const api = adapt(await readGuideFile('the API, in haproxy.cfg'), [
    ['0.0.0.0:8080', `127.0.0.1:${port}`],
    ['10.0.0.21:8081', `127.0.0.1:${first}`],
    ['10.0.0.22:8081', `127.0.0.1:${second}`],
  ]);
  const program = await launch(folder, 'haproxy-http', `${defaults}\n${api}`);
  const url = `http://127.0.0.1:${port}`;
  await eventually('HAProxy has a ready process', async () => (await fetch(`${url}/api/v1/ready`)).ok, {
    everyMs: 100,
  });
  return { url, stop: () => program.stop() };
}

async function launch(folder: string, name: string, settings: string): Promise<Program> {
  const file = join(folder, `${name}.cfg`);
  await writeFile(file, settings);
  return startProgram('/usr/sbin/haproxy', ['-db', '-f', file], { folder, name });
}
