import type { Settings } from '#contract/settings.ts';

/**
 * How many of the rows calls choose from (Settings.workingSet); at least one, where there are any. Without the setting,
 * all.
 */
export const workingRows = (rows: number, { workingSet = 1 }: Partial<Pick<Settings, 'workingSet'>>): number =>
  Math.min(rows, Math.ceil(rows * workingSet));
