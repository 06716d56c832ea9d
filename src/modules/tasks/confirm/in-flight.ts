/** The confirms of each user that this process has not answered yet. They read the limits of the user at the same time. */
export interface InFlight {
  of(userId: number): number;
  /** Counts `confirms` of the user until `work` ends. */
  during<Result>(userId: number, confirms: number, work: () => Promise<Result>): Promise<Result>;
}

export function createInFlight(): InFlight {
  const counts = new Map<number, number>();
  const add = (userId: number, change: number): void => {
    const count = (counts.get(userId) ?? 0) + change;
    if (count > 0) counts.set(userId, count);
    else counts.delete(userId);
  };
  return {
    of: (userId) => counts.get(userId) ?? 0,
    async during(userId, confirms, work) {
      add(userId, confirms);
      try {
        return await work();
      } finally {
        add(userId, -confirms);
      }
    },
  };
}
