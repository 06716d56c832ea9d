/** Starts HAProxy in front of PostgreSQL or of the API processes. */
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
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

export interface Haproxy {
  readonly primaryPort: number;
  readonly replicaPort: number;
  /** Returns the names of the servers that get the connections of the primary port, such as `n1`. */
  usedPrimaries(): Promise<string>;
  stop(): Promise<void>;
}

const CONFIGURATION = '/etc/haproxy/haproxy.cfg';

/** One port leads to the primary, the other to the standbys. */
export async function startPostgresHaproxy(folder: string, nodes: readonly Node[]): Promise<Haproxy> {
  const [primaryPort, replicaPort] = [await freePort(), await freePort()];
  const socket = join(folder, 'haproxy.sock');
  const settings = adapt(await readGuideFile(CONFIGURATION), [
    ['/run/haproxy/admin.sock', socket],
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
  return {
    primaryPort,
    replicaPort,
    async usedPrimaries() {
      const table = (await command(socket, 'show stat')).split('\n').map((line) => line.split(','));
      const columns = table[0] ?? [];
      const [name, status] = [columns.indexOf('svname'), columns.indexOf('status')];
      const used = table.filter((row) => row[0] === 'primary' && /^n\d/.test(row[name] ?? '') && row[status] === 'UP');
      return used.map((row) => row[name]).join(' and ');
    },
    stop: () => program.stop(),
  };
}

const COMMAND_LIMIT_MS = 2_000;

/** Sends one command to HAProxy's socket. HAProxy closes the connection after its response. */
async function command(socket: string, line: string): Promise<string> {
  const connection = connect(socket).setTimeout(COMMAND_LIMIT_MS, () => connection.destroy());
  connection.write(`${line}\n`);
  return readText(connection);
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
  const general = adapt(defaults, [['/run/haproxy/admin.sock', join(folder, 'haproxy.sock')]]);
  const program = await launch(folder, 'haproxy-http', `${general}\n${api}`);
  const url = `http://127.0.0.1:${port}`;
  await eventually('HAProxy has a ready process', async () => (await fetch(`${url}/api/v1/ready`)).ok, {
    everyMs: 100,
  });
  return { url, stop: () => program.stop() };
}

async function launch(folder: string, name: string, settings: string): Promise<Program> {
  // Without root, HAProxy runs as the current user.
  const isRoot = process.getuid?.() === 0;
  const text = isRoot ? settings : adapt(settings, [['  user haproxy\n  group haproxy\n', '']]);
  const file = join(folder, `${name}.cfg`);
  await writeFile(file, text);
  return startProgram('/usr/sbin/haproxy', ['-db', '-f', file], { folder, name });
}
