import type { Settings } from '#contract/settings.ts';

/** Of `rows`, those that calls choose from (Settings.workingSet); one at least, where there are any. Plans of older versions have no share. */
export const workingRows = (rows: number, { workingSet = 1 }: Partial<Pick<Settings, 'workingSet'>>): number =>
  Math.min(rows, Math.ceil(rows * workingSet));
