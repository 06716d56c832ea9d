import { spawn } from 'node:child_process';
import { ROOT } from './pages.ts';

/** One bash process that keeps variables and functions between the blocks of a guide. */
export interface Shell {
  /** Runs a block and returns what it printed to stdout. */
  run(code: string): Promise<string>;
  close(): void;
}

const END = '--- end of block ---';

export function openShell(): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  let finish: (() => void) | undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.includes(END)) finish?.();
  });
  child.on('close', () => finish?.());
  return {
    async run(code) {
      output = '';
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      child.stdin.write(`${code}\nprintf '%s\\n' '${END}'\n`);
      await finished;
      return output.split(END)[0] ?? '';
    },
    close: () => child.stdin.end(),
  };
}
