import type { ChangeKind } from '#protocol/run-change.ts';
import { type ComparedRun, whatChanged } from './what-changed.ts';

/** Changes between two runs that do not change their throughput and times on purpose. */
const harmless: readonly ChangeKind[] = ['price', 'measurement', 'dyno', 'driver', 'machine'];

/** True if two runs measured the same thing, so that their difference is drift. */
export const measuredSame = (one: ComparedRun, other: ComparedRun): boolean =>
  whatChanged(one, other).every(({ kind }) => harmless.includes(kind));
