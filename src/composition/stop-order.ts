type Close = () => Promise<void>;

/** Closes the opened parts of the service in the right order: first the entrances, then the parts behind them. */
export interface StopOrder {
  readonly isStopping: boolean;
  /** Adds an entrance for work: the HTTP server, the bot or the jobs. */
  addEntrance(close: Close): void;
  /** Adds a part that the parts added later use. It is closed after them. */
  addPart(close: Close): void;
  stop(): Promise<void>;
}

export function createStopOrder(): StopOrder {
  const entrances: Close[] = [];
  const parts: Close[] = [];
  let isStopping = false;
  return {
    get isStopping() {
      return isStopping;
    },
    addEntrance: (close) => void entrances.push(close),
    addPart: (close) => void parts.unshift(close),
    async stop() {
      isStopping = true;
      const failures: unknown[] = [];
      // Continue after a failed close: parts that stay open would keep the process alive.
      const end = (close: Close): Promise<void> => close().catch((error: unknown) => void failures.push(error));
      // Close the entrances in parallel: requests and jobs may each take seconds to finish.
      await Promise.all(entrances.splice(0).map(end));
      for (const close of parts.splice(0)) await end(close);
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
    },
  };
}
