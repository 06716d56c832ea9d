const closers: (() => Promise<void>)[] = [];

/** Calls `close` when this process has run its last test file. For what the files of one process share. */
export function atLaneEnd(close: () => Promise<void>): void {
  closers.push(close);
}

export async function closeShared(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
