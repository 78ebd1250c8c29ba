import { DynoError } from '#model/error.ts';

/** Throws 'badInput' during a run, because `work` would affect the measurement. `run`: its name, or null. */
export function requireNoRun(run: string | null, work: string): void {
  if (run === null) return;
  throw new DynoError('badInput', `“${run}” is running, and ${work} would be measured with it.`, {
    hint: 'Wait for the end of the run, or cancel it.',
  });
}
