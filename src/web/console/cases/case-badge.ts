import type { Case, CaseStatus } from '../../../modules/cases/index.ts';
import type { Tone } from '../parts/elements.ts';
import type { Visit } from '../visit.ts';

const TONES: Readonly<Record<CaseStatus, Tone>> = {
  open: 'accent',
  held: 'warn',
  cleared: 'good',
  reversed: 'bad',
  banned: 'bad',
};

export const caseBadge = ({ shared }: Visit, { status }: Pick<Case, 'status'>): readonly [Tone, string] => [
  TONES[status],
  shared.cases.statuses[status],
];
