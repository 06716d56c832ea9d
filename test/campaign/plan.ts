import { createRandom } from '../../bench/random.ts';

/** One fault with its random parameters. The same seed gives the same list of faults. */
export type Fault =
  | { readonly kind: 'kill'; readonly who: string; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly who: string; readonly forMs: number }
  | { readonly kind: 'kill-postgres'; readonly downMs: number }
  | { readonly kind: 'kill-backend'; readonly draw: number }
  | { readonly kind: 'cut-wire'; readonly forMs: number }
  | { readonly kind: 'hang-up-wire' }
  | { readonly kind: 'slow-wire'; readonly delayMs: number; readonly forMs: number }
  | {
      readonly kind: 'telegram';
      readonly mode: TelegramMode;
      /** The method to which the fault applies. Undefined: every method. */
      readonly method: 'getUpdates' | undefined;
      readonly forMs: number;
    }
  | { readonly kind: 'move-clock'; readonly seconds: number; readonly through: 'the sandbox' | 'the workers alone' }
  | { readonly kind: 'receiver'; readonly mode: ReceiverMode; readonly forMs: number }
  | { readonly kind: 'bank'; readonly mode: BankMode; readonly done: 'before' | 'after'; readonly calls: number }
  | { readonly kind: 'race'; readonly what: Race; readonly seed: number };

export type TelegramMode = '429' | '5xx' | 'garbage' | 'slow' | 'never';
export type ReceiverMode = '500' | 'hang' | 'hang up';
type BankMode = 'hang' | 'cut' | 'error_500' | 'garbage';
export type Race = 'confirms' | 'leaves' | 'cancels' | 'top-ups' | 'payouts' | 'rotations';

export interface Round {
  readonly number: number;
  /** The number of faults before this round. */
  readonly before: number;
  /** The faults of the round, each with the pause after it. */
  readonly faults: readonly { readonly fault: Fault; readonly pauseMs: number }[];
}

export interface PlanOptions {
  readonly seed: number;
  readonly faults: number;
  readonly perRound: number;
  readonly workers: number;
}

type Draw = ReturnType<typeof createDraw>;

/** Random choices from one seeded stream of numbers. */
export function createDraw(seed: number) {
  const random = createRandom(seed);
  const whole = (low: number, high: number): number => low + Math.floor(random() * (high - low + 1));
  return {
    whole,
    chance: (share: number): boolean => random() < share,
    of<T>(items: readonly T[]): T {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
    share: random,
  };
}

const HOUR = 3600;

/** The kinds of faults with their weights. */
const KINDS: readonly (readonly [weight: number, make: (draw: Draw, workers: number) => Fault])[] = [
  [7, (d) => ({ kind: 'kill', who: `api-${d.whole(1, 2)}`, downMs: d.whole(0, 1_500) })],
  [6, (d, workers) => ({ kind: 'kill', who: `worker-${d.whole(1, workers)}`, downMs: d.whole(0, 1_500) })],
  [4, (d) => ({ kind: 'kill', who: 'bot-1', downMs: d.whole(0, 1_500) })],
  [4, (d, workers) => ({ kind: 'freeze', who: anybody(d, workers), forMs: d.whole(500, 4_000) })],
  [3, (d) => ({ kind: 'kill-postgres', downMs: d.whole(0, 1_000) })],
  [3, (d) => ({ kind: 'kill-backend', draw: d.whole(0, 1_000_000) })],
  [4, (d) => ({ kind: 'cut-wire', forMs: d.whole(500, 6_000) })],
  [4, () => ({ kind: 'hang-up-wire' })],
  [5, (d) => ({ kind: 'slow-wire', delayMs: d.whole(5, 150), forMs: d.whole(500, 4_000) })],
  [6, telegram('429')],
  [6, telegram('5xx')],
  [6, telegram('garbage')],
  [5, telegram('slow')],
  [4, telegram('never')],
  [6, (d) => ({ kind: 'move-clock', seconds: someTime(d), through: d.of(['the sandbox', 'the workers alone']) })],
  [4, (d) => ({ kind: 'receiver', mode: d.of(['500', 'hang', 'hang up']), forMs: d.whole(500, 3_000) })],
  [
    3,
    (d) => ({
      kind: 'bank',
      mode: d.of(['hang', 'cut', 'error_500', 'garbage']),
      done: d.of(['before', 'after']),
      calls: d.whole(1, 3),
    }),
  ],
  [5, race('confirms')],
  [4, race('leaves')],
  [3, race('cancels')],
  [3, race('top-ups')],
  [4, race('payouts')],
  [3, race('rotations')],
];
const TOTAL_WEIGHT = KINDS.reduce((sum, [weight]) => sum + weight, 0);

function telegram(mode: TelegramMode) {
  return (d: Draw): Fault => ({
    kind: 'telegram',
    mode,
    method: d.chance(0.2) ? 'getUpdates' : undefined,
    forMs: d.whole(500, 4_000),
  });
}

function race(what: Race) {
  return (d: Draw): Fault => ({ kind: 'race', what, seed: d.whole(1, 1_000_000_000) });
}

const anybody = (d: Draw, workers: number): string =>
  d.of(['api-1', 'api-2', 'bot-1', ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`)]);

/**
 * Returns a time, in most cases less than an hour. The sum over a campaign stays below the 30 days for which events are
 * kept.
 */
function someTime(d: Draw): number {
  const share = d.share();
  if (share < 0.6) return d.whole(60, HOUR - 1);
  return share < 0.9 ? d.whole(HOUR, 6 * HOUR) : 25 * HOUR;
}

export function planCampaign({ seed, faults, perRound, workers }: PlanOptions): Round[] {
  const draw = createDraw(seed);
  const rounds: Round[] = [];
  for (let before = 0; before < faults; before += perRound) {
    const count = Math.min(perRound, faults - before);
    rounds.push({
      number: rounds.length + 1,
      before,
      faults: Array.from({ length: count }, () => ({ fault: drawFault(draw, workers), pauseMs: draw.whole(100, 900) })),
    });
  }
  return rounds;
}

function drawFault(draw: Draw, workers: number): Fault {
  let left = draw.whole(1, TOTAL_WEIGHT);
  for (const [weight, make] of KINDS) {
    left -= weight;
    if (left <= 0) return make(draw, workers);
  }
  throw new Error('the weights do not add up');
}

/** Returns the name of a fault's kind in the report. */
export function kindOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
      return `kill ${fault.who.replace(/-\d+$/, '')}`;
    case 'telegram':
      return `telegram ${fault.mode}`;
    case 'race':
      return `race of ${fault.what}`;
    default:
      return fault.kind.replaceAll('-', ' ');
  }
}

/** Describes a fault and its parameters in one line. */
export function describeFault(fault: Fault): string {
  const drawn = Object.entries(fault).filter(([name, value]) => name !== 'kind' && value !== undefined);
  return `${fault.kind} ${drawn.map(([name, value]) => `${name}=${String(value)}`).join(' ')}`.trim();
}
