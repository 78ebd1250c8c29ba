import { createStore } from '../../state/store.ts';

const key = 'dyno.coach';

/** The run whose first look is explained; null: none is. */
export const coachedRun = createStore<string | null>(null);

/** Has the results of a run explained when they are there, unless that was seen or skipped before. */
export function coachFirstResult(runId: string): void {
  if (localStorage.getItem(key) === null) coachedRun.set(runId);
}

/** Ends the explanation, and notes that it was seen, so that it never comes again. */
export function endCoach(): void {
  localStorage.setItem(key, 'seen');
  coachedRun.set(null);
}
