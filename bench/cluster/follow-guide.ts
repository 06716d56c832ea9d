/**
 * `npm run cluster -- --guide`: follows docs/guides/high-availability.md word by word on five machines (machines.ts). It
 * writes every file that the guide shows, runs every command on the machines that the guide names, and asks the service
 * for a response before and after a switch-over.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../stage.ts';
import { type Machine, runApart, startMachines } from './machines.ts';
import { missingPackages } from './programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const DATABASE = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const SERVICE = ['10.0.0.21', '10.0.0.22'];
const HOME = '/var/sponsorgate';

/** Where the files of the guide belong. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  '/etc/default/etcd': DATABASE,
  '/etc/patroni/config.yml': DATABASE,
  '/etc/haproxy/haproxy.cfg': SERVICE,
  '/etc/pgbouncer/pgbouncer.ini': SERVICE,
  '.env': SERVICE,
};

export async function followGuide(): Promise<number> {
  if (process.getuid?.() !== 0) {
    console.error('the guide is followed as root: it needs networks and mounts of its own');
    return 1;
  }
  const missing = missingPackages(['postgresql', 'patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'redis-server']);
  if (missing !== undefined) {
    console.error(missing);
    return 1;
  }
  return runApart(followOn);
}

async function followOn(folder: string): Promise<number> {
  const machines = await startMachines(folder, [...DATABASE, ...SERVICE]);
  const on = (address: string): Machine => {
    const found = machines.find((machine) => machine.address === address);
    assert.ok(found, `the guide has no machine ${address}`);
    return found;
  };
  for (const address of SERVICE) {
    await on(address).shell(`mkdir -p ${HOME}/node_modules/.bin && cd ${HOME} && echo '{}' >package.json
      ln -s ${ROOT}/bin/sponsorgate.js node_modules/.bin/sponsorgate`);
  }
  const logs: Record<string, string> = {};
  const guide = await readFile(join(ROOT, 'docs/guides/high-availability.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    first: code.split('\n', 1)[0] ?? '',
    code,
  }));
  let commands = 0;
  for (const { language, first, code } of blocks) {
    const file = Object.keys(FILES).find((path) => /^[#;] /.test(first) && first.slice(2) === path);
    if (file !== undefined) {
      for (const address of FILES[file] ?? []) await write(on(address), file.replace(/^\./, `${HOME}/.`), code);
      progress(`${file} written`);
    } else if (first.includes('in haproxy.cfg')) {
      for (const address of SERVICE) await write(on(address), '/etc/haproxy/haproxy.cfg', `\n${code}`, '>>');
    } else if (language === 'sh' && first.startsWith('# on ')) {
      for (const address of first.slice('# on '.length).split(', ')) {
        // "the third likewise with 3 instead of 2"
        const third = address === '10.0.0.2' && code.includes('sed -i') ? [on('10.0.0.3')] : [];
        for (const machine of [on(address), ...third]) {
          const text = machine.address === '10.0.0.3' && first === '# on 10.0.0.2' ? likeThird(code) : code;
          await follow(machine, text, logs);
          commands++;
        }
      }
    }
  }
  const answer = await untilReady(on('10.0.0.22'));
  progress(`the service through HAProxy: ${answer}`);
  const members = await on('10.0.0.1').shell('patronictl -c /etc/patroni/config.yml list -f json');
  const leaders = (JSON.parse(members) as { Role: string }[]).filter(({ Role }) => Role === 'Leader');
  assert.equal(leaders.length, 1);
  console.log(`\n${JSON.stringify({ name: 'guide', blocks: commands, failed: 0 })}`);
  return 0;
}

const likeThird = (code: string): string =>
  code.replaceAll('=n2', '=n3').replaceAll('n2/', 'n3/').replaceAll('10.0.0.2', '10.0.0.3');

async function write(machine: Machine, path: string, text: string, how: '>' | '>>' = '>'): Promise<void> {
  assert.ok(!text.includes('END_OF_FILE'));
  await machine.shell(`cat ${how}${path} <<'END_OF_FILE'\n${text}END_OF_FILE\n`);
}

/** Runs the commands of one block. The last one may start the service, which does not end. */
async function follow(machine: Machine, code: string, logs: Record<string, string>): Promise<void> {
  const [commands = '', service] = code.split(/^(?=npx sponsorgate start$)/m);
  progress(`on ${machine.address}: ${commands.trim().split('\n').slice(1).join('; ')}`);
  try {
    const output = await machine.shell(`cd ${HOME} 2>/dev/null || cd /\n${commands}`);
    for (const line of output.trim().split('\n')) if (line !== '') progress(`    ${line}`);
  } catch (error) {
    throw new Error(`${machine.address}: ${code}`, { cause: error });
  }
  if (service === undefined) return;
  const child = machine.start(`cd ${HOME}\n${service}`);
  child.stderr?.on('data', (text: Buffer) => {
    logs[machine.address] = ((logs[machine.address] ?? '') + text.toString()).slice(-20_000);
  });
  child.on('exit', () => console.error(`the service on ${machine.address} ended: ${logs[machine.address]}`));
  progress(await untilReady(machine, 8081));
}

async function untilReady(machine: Machine, port = 8080): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const asked = machine.shell(`curl -s -w ' %{http_code}' http://${machine.address}:${port}/api/v1/ready`);
    const answer = await asked.catch(() => '');
    if (answer.endsWith('200') || attempt === 60) return answer;
    await sleep(1_000);
  }
}
