import { trialEnds } from '#experiment/schema/until.ts';
import type { Raw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';

/** Writes what a run goes on until; nothing at all where no key is left. */
export function editUntil(until: Raw): void {
  const left = Object.entries(until).filter(([, value]) => value !== undefined);
  edit(['measure', 'until'], left.length > 0 ? Object.fromEntries(left) : undefined);
}

/** The keys without what ends a trial: a precision, if there is one. */
export const withoutTrialEnd = (until: Raw): Raw =>
  Object.fromEntries(Object.entries(until).filter(([key]) => !trialEnds.some((end) => end === key)));
