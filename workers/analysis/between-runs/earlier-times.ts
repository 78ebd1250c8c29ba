import { formatFigure } from '#planning/judged/trial-times.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import type { TimesOfRuns } from '#protocol/runs-alike.ts';
import type { EarlierTimes } from '../compare/compare-run-times.ts';

/** The times of the earlier runs, among the times of all runs of their experiment. */
export function earlierTimes(earlier: readonly Pick<RunEntry, 'id'>[], all: readonly TimesOfRuns[]): EarlierTimes {
  const ids = new Set(earlier.map(({ id }) => id));
  const byTime = new Map(all.map((one) => [keyOf(one), one.runs]));
  return ({ label, target }, { work, figure }) =>
    (byTime.get(keyOf({ label, target, work, quantity: formatFigure(figure) })) ?? [])
      .filter(({ id }) => ids.has(id))
      .map(({ value }) => value);
}

const keyOf = ({ label, target, work, quantity }: Omit<TimesOfRuns, 'runs'>): string =>
  JSON.stringify([label, target, work, quantity]);
