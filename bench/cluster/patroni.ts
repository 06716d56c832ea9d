/** Three PostgreSQL servers under Patroni with synchronous replication, on one etcd. */
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.ts';
import { freePort } from '../../test/support/redis.ts';
import { adapt, readGuideFile } from './guide.ts';
import { createNodeNetwork, type NodeNetwork } from './node-network.ts';
import { type Account, type Program, postgresFolder, processTree, signalAll, startProgram } from './programs.ts';

/** The lease of the primary: after this time without a sign of life another node may be promoted. */
export const TTL_SECONDS = 20;
/** How often Patroni looks after its server. */
export const LOOP_WAIT_MS = 2_000;
export const PASSWORDS = { superuser: 'super', replication: 'replica', service: 'service' };

interface PatroniNode {
  readonly name: string;
  /** The ports at which the other machines reach PostgreSQL and Patroni. */
  readonly port: number;
  readonly restPort: number;
  readonly network: NodeNetwork;
  /** Kills PostgreSQL; Patroni stays. */
  killPostgres(): Promise<void>;
  /** Kills Patroni and PostgreSQL. */
  killAll(): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
  /** Starts Patroni again after `killAll`. */
  start(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  readonly folder: string;
  readonly bin: string;
  /** Returns the members as Patroni reports them; empty when no node responds. */
  members(): Promise<readonly Member[]>;
  leader(): Promise<PatroniNode>;
  /** Returns whether the node's Patroni says that it is the primary. HAProxy asks the same. */
  isPrimary(node: PatroniNode): Promise<boolean>;
  /** Returns the name of the node that has the lease in etcd, or undefined when it is free. */
  leaseHolder(): Promise<string | undefined>;
  /** Waits until there are a leader, a synchronous standby and a second standby, all on one timeline. */
  untilHealthy(): Promise<void>;
  /** Moves the primary to another node by command. */
  switchOver(): Promise<void>;
  /** Changes a setting of the whole cluster. */
  configure(changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Stops etcd, and starts it again. */
  readonly etcd: { stop(): Promise<void>; start(): Promise<void> };
  stop(): Promise<void>;
}

export async function startPatroni(folder: string, account: Account | undefined): Promise<PatroniCluster> {
  const bin = postgresFolder() ?? '';
  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const peer = `http://127.0.0.1:${peerPort}`;
  const client = `http://127.0.0.1:${etcdPort}`;
  const startEtcd = () =>
    startProgram(
      '/usr/bin/etcd',
      // biome-ignore format: pairs
      ['--name', 'e1', '--data-dir', join(folder, 'etcd'), '--log-level', 'warn', '--enable-v2',
       '--listen-client-urls', client, '--advertise-client-urls', client,
       '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `e1=${peer}`],
      { folder, name: 'etcd', account, env: process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {} },
    );
  let etcd = await startEtcd();
  await eventually('etcd responds', async () => (await fetch(`${client}/health`)).ok, { everyMs: 200 });

  const nodes: PatroniNode[] = [];
  for (const name of ['n1', 'n2', 'n3']) {
    nodes.push(await startNode({ name, folder, bin, account, etcdPort }));
    // The first node creates the cluster; the others copy it.
    if (nodes.length === 1) await eventually('the first node is the primary', () => answersPrimary(nodes[0]), EVERY);
  }

  async function members(): Promise<readonly Member[]> {
    for (const { restPort } of nodes) {
      const answer = await ask(restPort, '/cluster').catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  const cluster: PatroniCluster = {
    nodes,
    folder,
    bin,
    members,
    async leader() {
      for (;;) {
        for (const node of nodes) if (await answersPrimary(node).catch(() => false)) return node;
        await sleep(200);
      }
    },
    isPrimary: answersPrimary,
    async leaseHolder() {
      const answer = await ask(etcdPort, '/v2/keys/service/sponsorgate/leader');
      return ((await answer.json()) as { node?: { value: string } }).node?.value;
    },
    async untilHealthy() {
      await eventually(
        'three nodes replicate',
        async () => {
          const found = await members();
          const leader = found.find(({ role }) => role === 'leader');
          const others = found.filter(({ role }) => role !== 'leader');
          return (
            leader?.state === 'running' &&
            others.length === 2 &&
            others.some(({ role }) => role === 'sync_standby') &&
            others.every(({ state, timeline }) => /running|streaming/.test(state) && timeline === leader.timeline)
          );
        },
        EVERY,
      );
    },
    async switchOver() {
      const leader = await cluster.leader();
      const body = JSON.stringify({ leader: leader.name });
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, { method: 'POST', body });
      if (!answer.ok) throw new Error(`the switch-over was refused: ${await answer.text()}`);
    },
    async configure(changes) {
      const leader = await cluster.leader();
      const body = JSON.stringify(changes);
      const answer = await fetch(`http://127.0.0.1:${leader.restPort}/config`, { method: 'PATCH', body });
      if (!answer.ok) throw new Error(`the change was refused: ${await answer.text()}`);
    },
    etcd: {
      stop: () => etcd.stop(),
      async start() {
        etcd = await startEtcd();
      },
    },
    async stop() {
      for (const node of nodes) {
        node.network.heal();
        node.resume();
        await node.killAll();
        await node.network.close();
      }
      await etcd.stop();
    },
  };
  return cluster;
}

const EVERY = { everyMs: 500 };

function ask(port: number, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) });
}

async function answersPrimary(node: PatroniNode | undefined): Promise<boolean> {
  return node !== undefined && (await ask(node.restPort, '/primary')).ok;
}

interface NodeOptions {
  readonly name: string;
  readonly folder: string;
  readonly bin: string;
  readonly account: Account | undefined;
  readonly etcdPort: number;
}

async function startNode({ name, folder, bin, account, etcdPort }: NodeOptions): Promise<PatroniNode> {
  const home = join(folder, name);
  await mkdir(home);
  if (account !== undefined) await chown(home, account.uid, account.gid);
  await chmod(home, 0o700);
  const data = join(home, 'data');
  const network = createNodeNetwork();
  const [ownPort, ownRestPort] = [await freePort(), await freePort()];
  const [port, restPort] = [await network.route(ownPort), await network.route(ownRestPort)];
  const etcd = await network.route(etcdPort);
  const settings = join(folder, `${name}.yml`);
  await writeFile(
    settings,
    adapt(await readGuideFile('/etc/patroni/config.yml'), [
      ['name: n1', `name: ${name}`],
      ['0.0.0.0:8008', `127.0.0.1:${ownRestPort}`],
      ['10.0.0.1:8008', `127.0.0.1:${restPort}`],
      // Without `use_proxies` Patroni asks etcd for its own address and goes around the network of the node.
      ['10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379', `127.0.0.1:${etcd}\n  use_proxies: true`],
      ['0.0.0.0:5432', `127.0.0.1:${ownPort}`],
      ['10.0.0.1:5432', `127.0.0.1:${port}`],
      ['/var/lib/postgresql/15/sponsorgate', data],
      ['/usr/lib/postgresql/15/bin', bin],
      ['/var/lib/postgresql/pgpass', join(home, 'pgpass')],
      ['/var/run/postgresql', home],
      ['10.0.0.0/24', '127.0.0.1/32'],
      ['SUPERUSER_PASSWORD', PASSWORDS.superuser],
      ['REPLICATION_PASSWORD', PASSWORDS.replication],
      // Without root, the servers run as the current user and not as `postgres`.
      ...(account === undefined ? [['local all all peer', 'local all all trust'] as const] : []),
    ]),
  );

  let patroni: Program | undefined;
  const start = async (): Promise<void> => {
    patroni = await startProgram('/usr/bin/patroni', [settings], { folder, name, account });
  };
  /** Patroni starts PostgreSQL as a process of its own, so the pid comes from PostgreSQL's file. */
  const postgresPids = async (): Promise<number[]> => {
    const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    return pid > 0 ? processTree(pid) : [];
  };
  let paused: number[] = [];
  await start();
  return {
    name,
    port,
    restPort,
    network,
    start,
    async killPostgres() {
      signalAll(await postgresPids(), 'SIGKILL');
    },
    async killAll() {
      const pids = [...(await processTree(patroni?.pid ?? 0)), ...(await postgresPids())].filter(Boolean);
      signalAll(pids, 'SIGKILL');
      await patroni?.stop();
    },
    async pause() {
      paused = [...(await processTree(patroni?.pid ?? 0)), ...(await postgresPids())].filter(Boolean);
      signalAll(paused, 'SIGSTOP');
    },
    resume() {
      signalAll(paused, 'SIGCONT');
      paused = [];
    },
  };
}
