import { trialEnds } from '#experiment/schema/until.ts';
import type { Raw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';

/** Writes the end condition of a trial. If no key is left, it is removed. */
export function editUntil(until: Raw): void {
  const left = Object.entries(until).filter(([, value]) => value !== undefined);
  edit(['measure', 'until'], left.length > 0 ? Object.fromEntries(left) : undefined);
}

/** Returns the keys of `until` without the end of a trial. Only a precision may remain. */
export const withoutTrialEnd = (until: Raw): Raw =>
  Object.fromEntries(Object.entries(until).filter(([key]) => !trialEnds.some((end) => end === key)));
