import type { Settings } from '#model/settings/settings.ts';

/**
 * The number of rows that calls choose from (Settings.workingSet), at least one if there are any; without the setting,
 * all.
 */
export const workingRows = (rows: number, { workingSet = 1 }: Partial<Pick<Settings, 'workingSet'>>): number =>
  Math.min(rows, Math.ceil(rows * workingSet));
