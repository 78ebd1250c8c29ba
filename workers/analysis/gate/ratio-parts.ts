import { timesLack, timesOf, trialTimes } from '#planning/judged/trial-times.ts';
import { isSetByLoad } from '#planning/rates/load-rates.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { leastRuns } from '#stats/intervals/between-runs.ts';
import { dependsOnLateStarts } from '../compare/late-starts.ts';
import { verdictOf } from '../compare/mean-ratios.ts';
import type { ComparedCell, ComparedCells, Values } from './compared-cells.ts';
import type { GateCondition } from './conditions.ts';
import type { JudgedCell } from './gate-result.ts';
import { doubtTexts, ratioText } from './gate-text.ts';
import { type JudgedRatio, judgeRatio, type RatioSides, repeatsToDecide } from './judge-ratio.ts';

/** A condition that compares a cell with the baseline's. */
type RatioCondition = Extract<GateCondition, { kind: 'slower' | 'time' }>;

/** A ratio that is judged when all comparisons of the gate are known. */
export interface RatioDraft {
  readonly condition: RatioCondition;
  readonly compared: ComparedCell;
  readonly sides: RatioSides;
  readonly ratio: JudgedRatio;
  readonly limit: number;
  /** The reason, as a clause, why the ratio decides nothing; null: it may decide. */
  readonly doubt: string | null;
}

/**
 * The ratio of a cell to its baseline; a sentence where there is none; null where the condition is not about the cell,
 * because neither side calls the statement.
 */
export function draftRatio(
  condition: RatioCondition,
  compared: ComparedCell,
  facts: ComparedCells,
): RatioDraft | string | null {
  const { own, base, earlier } = facts;
  if (base === null) return 'there is no baseline.';
  const key = keyOf(compared.cell);
  const results = [own.results.get(key) ?? [], base.results.get(compared.baseKey) ?? []] as const;
  if (condition.kind === 'time') {
    const [here, there] = results.map((all) => timeKind(all, condition));
    if (here === undefined && there === undefined) return null;
    if (here === undefined || there === undefined)
      return `only ${there === undefined ? 'this run' : 'the baseline'} has times of its calls.`;
    if (here !== there) return `one side has ${here} times, and the other ${there} times.`;
  }
  const values = [valuesFor(condition, own, key), valuesFor(condition, base, compared.baseKey)] as const;
  if (values[0] === null || values[1] === null) return lackText(condition, results[values[0] === null ? 0 : 1]);
  const sides: RatioSides = {
    kind: condition.kind === 'slower' ? 'rates' : 'times',
    own: values[0],
    base: values[1],
    earlier: earlier?.flatMap((one) => positive(valuesFor(condition, one, compared.baseKey))) ?? null,
  };
  const limit = condition.kind === 'slower' ? 1 - condition.share : 1 + condition.share;
  const ratio = judgeRatio(sides, limit);
  if (ratio === null) return 'its ratio to the baseline is undefined.';
  if (ratio.side === null) return 'a single repeat has no interval.';
  const draft = { condition, compared, sides, ratio, limit };
  return { ...draft, doubt: doubtOf(draft, facts, results) };
}

const timeKind = (all: readonly TrialResult[], { work }: Extract<RatioCondition, { kind: 'time' }>) =>
  all.flatMap((result) => trialTimes(result, work)?.time ?? [])[0];

const valuesFor = (condition: RatioCondition, { rates, results }: Values, key: string): readonly number[] | null =>
  condition.kind === 'slower'
    ? (rates.get(key) ?? null)
    : timesOf(results.get(key) ?? [], condition.work, condition.figure);

/** The repeats of an earlier run; nothing where a ratio to them is undefined. */
const positive = (values: readonly number[] | null): readonly (readonly number[])[] =>
  values !== null && values.length > 0 && values.every((value) => value > 0) ? [values] : [];

function lackText(condition: RatioCondition, results: readonly TrialResult[]): string {
  if (condition.kind === 'slower') return 'it has no throughput.';
  return timesLack(results, condition.work, condition.figure) === 'givenUp'
    ? 'units of work were given up, so nobody knows this time.'
    : 'a repeat has too few calls for this time.';
}

/** True for another number of rows, and for another file that rows come from. An edited statement may be judged. */
const isOfRows = ({ kind, what }: RunChange): boolean =>
  kind === 'file' || (kind === 'schema' && /^(?:dataset|tables\.[^.]+)\.rows$/.test(what));

function doubtOf(
  { condition, compared: { own, base }, sides: { earlier }, ratio: { interval } }: Omit<RatioDraft, 'doubt'>,
  { changes, machine, run }: ComparedCells,
  results: readonly [readonly TrialResult[], readonly TrialResult[]],
): string | null {
  const rows = changes.filter(isOfRows);
  if (rows.length > 0) return doubtTexts.rows(rows);
  if (machine !== null) return doubtTexts.machine(machine);
  if (condition.kind === 'slower') {
    const ofLoad = [own?.load?.setsThroughput ?? false, base?.load?.setsThroughput ?? false] as const;
    if (isSetByLoad({ ratio: interval, verdict: verdictOf(interval) }, ofLoad)) return doubtTexts.load;
  } else if (dependsOnLateStarts(run, condition, results)) return doubtTexts.lateStarts;
  return earlier !== null && earlier.length < leastRuns ? doubtTexts.drift(leastRuns - earlier.length) : null;
}

/**
 * The outcome of a ratio. `certain`: the ratios that are worse than the baseline when all comparisons are considered.
 * `comparisons`: their number. `chance`: of a false failure, shared by all of them.
 */
export function judgedRatio(
  draft: RatioDraft,
  certain: ReadonlySet<RatioDraft>,
  comparisons: number,
  chance: number,
): JudgedCell {
  const { condition, compared, sides, ratio, limit } = draft;
  const isCertain = certain.has(draft);
  const outcome =
    draft.doubt !== null || ratio.side === 'around' || (ratio.side === 'beyond' && !isCertain)
      ? 'undecided'
      : ratio.side === 'beyond'
        ? 'failed'
        : 'passed';
  const isOpen = outcome === 'undecided' && draft.doubt === null;
  const repeats = isOpen ? repeatsToDecide(sides, ratio, limit, chance / comparisons) : null;
  const doubt =
    draft.doubt ??
    (ratio.contrary !== null
      ? doubtTexts.contrary(ratio.contrary)
      : ratio.side === 'beyond' && !isCertain
        ? doubtTexts.chance(comparisons)
        : isOpen && repeats === null && sides.earlier !== null
          ? doubtTexts.betweenRuns
          : null);
  const { cell, name } = compared;
  const { interval, runs } = ratio;
  return {
    ...{ cell, name, unit: 'ratio', interval, limit, outcome },
    // The expected number may be reached already, because the scatter of the repeats is an estimate.
    repeatsNeeded: outcome !== 'undecided' ? 0 : repeats === null ? null : Math.max(1, repeats),
    sentence: ratioText(condition, { name, interval, runs, limit, outcome }, doubt),
  };
}
