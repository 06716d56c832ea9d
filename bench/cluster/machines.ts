/**
 * Five machines on this one: each has its own network (10.0.0.x), its own /etc, /var and /run, and the packages of this
 * machine. Needs root and Linux. Everything disappears with the processes.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../test/support/eventually.ts';

const run = promisify(execFile);
const COMMAND_LIMIT_MS = 120_000;

export interface Machine {
  readonly address: string;
  /** Runs a script as root and returns its output. Throws when a command fails. */
  shell(script: string): Promise<string>;
  /** Runs a script that does not end. */
  start(script: string): ChildProcess;
}

/** Names the folder of the machines for the program that runs apart. */
const FOLDER_VARIABLE = 'SPONSORGATE_MACHINES';

/**
 * Runs this program once more with a network, mounts and processes of its own, and there `work`. Returns its exit code.
 * All processes inside end with the program. The shell waits for those whose parent has ended.
 */
export async function runApart(work: (folder: string) => Promise<number>): Promise<number> {
  const inside = process.env[FOLDER_VARIABLE];
  if (inside !== undefined) return work(inside);
  const folder = await mkdtemp(join(tmpdir(), 'sponsorgate-machines-'));
  const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  try {
    const child = spawn(
      '/usr/bin/unshare',
      // biome-ignore format: options, then the command
      ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc',
       'bash', '-c', '"$@"; exit $?', 'bash', ...program],
      { stdio: 'inherit', env: { ...process.env, [FOLDER_VARIABLE]: folder } },
    );
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `folder` must be on a disk: each machine stores its changes of /etc and /var there. */
export async function startMachines(folder: string, addresses: readonly string[]): Promise<Machine[]> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['link', 'add', 'switch', 'type', 'bridge']);
  await run('ip', ['link', 'set', 'switch', 'up']);
  const standIn = join(folder, 'bin');
  await mkdir(standIn);
  for (const [name, script] of Object.entries({ systemctl: SYSTEMCTL, 'apt-get': APT_GET })) {
    await writeFile(join(standIn, name), script);
    await chmod(join(standIn, name), 0o755);
  }
  const machines: Machine[] = [];
  for (const address of addresses) machines.push(await startMachine(folder, standIn, address));
  return machines;
}

async function startMachine(folder: string, standIn: string, address: string): Promise<Machine> {
  const number = address.split('.').at(-1) ?? '';
  const own = join(folder, address);
  // The machine lasts as long as this process.
  const init = spawn('/usr/bin/unshare', ['--net', '--mount', '--uts', 'sleep', 'infinity'], { stdio: 'ignore' });
  await once(init, 'spawn');
  const hasOwnNetwork = async (): Promise<boolean> =>
    (await readlink(`/proc/${init.pid}/ns/uts`)) !== (await readlink('/proc/self/ns/uts'));
  await eventually('the machine has its own network', hasOwnNetwork);
  await run('ip', ['link', 'add', `port${number}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(init.pid)]);
  await run('ip', ['link', 'set', `port${number}`, 'master', 'switch', 'up']);
  const env = {
    PATH: `${standIn}:${join(process.execPath, '..')}:/usr/sbin:/usr/bin:/sbin:/bin`,
    LC_ALL: 'C.UTF-8',
    HOME: '/root',
  };
  const inside = (script: string): string[] => [
    '-t',
    String(init.pid),
    '-n',
    '-m',
    '-u',
    'bash',
    '--norc',
    '-euc',
    script,
  ];
  const shell = async (script: string): Promise<string> => {
    const { stdout, stderr } = await run('/usr/bin/nsenter', inside(script), { env, timeout: COMMAND_LIMIT_MS });
    return stdout + stderr;
  };
  await shell(`
    hostname m${number}
    ip link set lo up; ip addr add ${address}/24 dev eth0; ip link set eth0 up
    for name in etc var; do
      mkdir -p ${own}/$name ${own}/work-$name
      mount -t overlay overlay -o lowerdir=/$name,upperdir=${own}/$name,workdir=${own}/work-$name /$name
    done
    mount -t tmpfs none /run
    install -d -o haproxy -g haproxy -m 2775 /run/haproxy
    install -d -o postgres -g postgres -m 2775 /run/postgresql
    install -d -o redis -g redis -m 2755 /run/redis
    mkdir -p /var/services`);
  return {
    address,
    shell,
    start: (script) => spawn('/usr/bin/nsenter', inside(script), { env, stdio: ['ignore', 'pipe', 'pipe'] }),
  };
}

/** The machines have no way out. Fails unless the packages of this machine include those that the guide installs. */
const APT_GET = `#!/bin/bash
for word in "\${@:2}"; do
  case $word in -*) ;; *) dpkg-query -W -f '\${Package} \${Version}\\n' $word ;; esac || exit 1
done
`;

/** Starts the programs of Debian's units without systemd: with their user, environment and command. */
const SYSTEMCTL = `#!/bin/bash
action= name=
for word; do
  case $word in -*) ;; *) if [ -z "$action" ]; then action=$word; else name=$word; fi ;; esac
done
unit=/lib/systemd/system/$name.service pid=/run/$name.main-pid
of() { sed -n "s/^$1=//p" $unit; }
if [ "$action" = reload ]; then kill -USR2 $(cat $pid); exit; fi
if [ "$action" != enable ] && [ -f $pid ]; then
  kill $(cat $pid)
  while kill -0 $(cat $pid) 2>/dev/null; do sleep 0.1; done
  rm $pid
fi
if [ "$action" = stop ]; then exit; fi
set -a
while read -r line; do eval "export $line"; done < <(of Environment | sed 's/%H/$(hostname)/')
for file in $(of EnvironmentFile | sed "s/%p/$name/"); do
  if [ -f "\${file#-}" ]; then . "\${file#-}"; fi
done
set +a
user=$(of User)
setsid setpriv --reuid=\${user:-root} --regid=\${user:-root} --init-groups $(eval "echo $(of ExecStart)") >>/var/services/$name.log 2>&1 </dev/null &
echo $! >$pid
`;
