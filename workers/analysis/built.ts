import type { TrialResult } from '#protocol/measurement.ts';
import { meanInterval } from '#stats/intervals.ts';
import { formatMs, formatRate } from './format.ts';
import type { Caveat, CellSummary, Interval } from './model.ts';

/** Key and indexes of a cell that were made when the rows were there. */
export interface Built {
  /** Each with its mean time over the repeats, in the order in which they were made. */
  readonly parts: readonly { readonly part: string; readonly ms: number }[];
  readonly totalMs: Interval;
  /** Throughput counts that time: the rows of the trial went in before. */
  readonly counted: boolean;
  /** Rows per second while they went in, that time left out; null where it is not counted. */
  readonly loadPerSecond: Interval | null;
}

/** The part of a trial's building that its throughput counts, ms. */
export const countedMs = ({ builds = [] }: TrialResult): number =>
  builds.reduce((sum, { ms, counted }) => (counted ? sum + ms : sum), 0);

/** Over those repeats that built anything; null where none did. */
export function builtOf(ok: readonly TrialResult[]): Built | null {
  const built = ok.filter(({ builds = [] }) => builds.length > 0);
  const msOf = ({ builds = [] }: TrialResult) => builds.reduce((sum, { ms }) => sum + ms, 0);
  const totalMs = meanInterval(built.map(msOf));
  const [first] = built;
  if (first?.builds === undefined || totalMs === null) return null;
  const counted = first.builds.some((one) => one.counted);
  return {
    parts: first.builds.map(({ part }, i) => ({
      part,
      ms: built.reduce((sum, { builds }) => sum + (builds?.[i]?.ms ?? 0), 0) / built.length,
    })),
    totalMs,
    counted,
    loadPerSecond: counted
      ? meanInterval(built.map(({ totals, elapsedMs }) => (totals.rows * 1_000) / elapsedMs))
      : null,
  };
}

/** "key 1.2 s, index on at 300 ms". */
export const builtInWords = ({ parts }: Built): string =>
  parts.map(({ part, ms }) => `${part} ${formatMs(ms)}`).join(', ');

/** What the rate of a cell is made of, where rows went in first and key or indexes came after. */
export function builtCaveat({ variant, target, built }: CellSummary): Caveat | null {
  if (!built?.counted || built.loadPerSecond === null) return null;
  return {
    severity: 'info',
    cell: { variant, target },
    title: 'Building is counted',
    text: `Rows went in at ${formatRate(built.loadPerSecond.value, 'rows/s')}; what was built over them afterwards took ${formatMs(built.totalMs.value)} (${builtInWords(built)}). The rate shown and compared counts both.`,
  };
}
