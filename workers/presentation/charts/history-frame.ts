import { many } from '#model/format/plural.ts';
import type { History, HistorySeries } from '#protocol/history.ts';
import { formatChanges } from '../text/changes-text.ts';
import { seriesTitle } from '../text/history-headline.ts';
import type { Frame } from './kit/framed.ts';

/** The most runs whose differences a saved picture lists. */
const mostListed = 6;

/** The words around a saved chart of a history: the experiment, its runs, and what changed between them. */
export function historyFrame({ name, size, runs }: History, series: HistorySeries): Frame {
  const changed = runs.slice(1).filter(({ changes }) => changes.length > 0);
  const more = changed.length - mostListed;
  return {
    title: seriesTitle(series),
    run: `${name}${size === null ? '' : `, ${size}`} · ${many(runs.length, 'run')}, ${dateOf(runs[0])} to ${dateOf(runs.at(-1))}`,
    note: 'Mean of each run with its 95 % interval over the repeats. Pale lines are the levels between changes.',
    facts: [
      ...changed
        .slice(0, mostListed)
        .map(({ startedAt, changes }) => [startedAt.slice(0, 10), formatChanges(changes, 6)] as const),
      ...(more > 0 ? [['', `${many(more, 'more run')} with differences`] as const] : []),
    ],
  };
}

const dateOf = (run: History['runs'][number] | undefined): string => run?.startedAt.slice(0, 10) ?? '';

/** The date of the last run, for the name of a file. */
export const chartFileDate = ({ runs }: History): string => dateOf(runs.at(-1));
