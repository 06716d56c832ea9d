import type { Figures, KindFigures } from './measure.ts';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const rubles = (kopecks: number): string => Math.round(kopecks / 100).toLocaleString('en-US');

/** Prints one line per kind of bots. */
export function printKinds({ kinds, removedKept, removedLost, pausedRemovers }: Figures): void {
  console.log('\nFraudulent money, in rubles');
  console.table(kinds.filter(({ side }) => side === 'dishonest').map(fraudRow));
  console.log('Honest money, in rubles');
  console.table(kinds.filter(({ side }) => side !== 'dishonest').map(honestRow));
  console.log(
    `Advertisers who remove users: ${rubles(removedKept)} rubles kept by publishers, ${rubles(removedLost)} lost, orders of ${pausedRemovers} advertisers paused`,
  );
}

function fraudRow(one: KindFigures): Record<string, string | number> {
  const share = (kopecks: number): string => percent(one.rewards === 0 ? 0 : kopecks / one.rewards);
  const days = [...one.daysToCatch].sort((a, b) => a - b);
  return {
    kind: one.kind,
    bots: one.bots,
    rewards: rubles(one.rewards),
    refused: share(one.refused),
    reversed: share(one.reversed),
    'in hold': share(one.inHold),
    'at a case': share(one.atCase),
    paid: share(one.paid),
    stopped: one.rewards === 0 ? 'no task shown' : share(one.rewards - one.paid),
    'days to catch, median': days[Math.floor(days.length / 2)]?.toFixed(1) ?? '–',
    worst: days.at(-1)?.toFixed(1) ?? '–',
    uncaught: one.uncaught,
    checked: `${one.passed} of ${one.asked}`,
  };
}

function honestRow(one: KindFigures): Record<string, string | number> {
  const share = (kopecks: number): string => percent(one.rewards === 0 ? 0 : kopecks / one.rewards);
  return {
    kind: one.kind,
    bots: one.bots,
    'below the threshold once': one.belowOnce,
    subscriptions: one.subscriptions,
    rewards: rubles(one.rewards),
    'left in time': share(one.reversed),
    delayed: share(one.delayed),
    'wrongly taken': rubles(one.wronged),
    checked: `${one.passed} of ${one.asked}`,
  };
}

export interface Goals {
  readonly stopped: number;
  readonly stoppedCareful: number;
  readonly honestDelayed: number;
  readonly honestReversed: number;
}

/** Returns the goals of issue 17 with the measured figures. */
export function goalLines(figures: Figures, goals: Goals): { readonly text: string; readonly isReached: boolean }[] {
  const { stopped, stoppedCareful, honestDelayed, honestWronged, farmUsersRefused } = figures;
  const { honestBelow, honestLow, removedLost } = figures;
  const honestBots = figures.kinds.filter(({ side }) => side === 'honest').reduce((sum, { bots }) => sum + bots, 0);
  return [
    {
      text: `fraudulent money stopped before payout: ${percent(stopped)} (goal ≥ ${percent(goals.stopped)})`,
      isReached: stopped >= goals.stopped,
    },
    {
      text: `of the careful farms: ${percent(stoppedCareful)} (goal ≥ ${percent(goals.stoppedCareful)})`,
      isReached: stoppedCareful >= goals.stoppedCareful,
    },
    {
      text: `honest money delayed: ${percent(honestDelayed)} (goal ≤ ${percent(goals.honestDelayed)}); ${honestBelow} of ${honestBots} honest bots were below the threshold for a time, ${honestLow} of them low`,
      isReached: honestDelayed <= goals.honestDelayed,
    },
    {
      text: `honest rewards reversed or refused by error: ${rubles(honestWronged)} rubles (goal ${goals.honestReversed}); ${rubles(farmUsersRefused)} rubles refused to honest bots for users who also work for a farm`,
      isReached: honestWronged <= goals.honestReversed,
    },
    {
      text: `rewards lost to advertisers who remove users: ${rubles(removedLost)} rubles (goal 0)`,
      isReached: removedLost === 0,
    },
  ];
}
