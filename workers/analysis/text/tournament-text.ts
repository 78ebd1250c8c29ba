import { formatBytes, formatChange, formatChangeBounds, formatMs, formatRatioBounds } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { variedFactors } from '#planning/rates/baseline.ts';
import { formatLevel, formatLevels, variantOf, variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { inverse } from '#stats/intervals/intervals.ts';
import type { Tournament, TournamentMeasure, TournamentRatio, TournamentRow } from '../compare/tournament.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { shortRowText } from './row-text.ts';

type Named = Pick<RunModel, 'plan' | 'cells'>;

/**
 * The difference of a variant to the baseline, as the names of its own levels: "covering index", "rewritten ·
 * Connections: 8". The baseline, and a variant that no factor makes different, have the names of all levels that vary.
 */
export function changeText(plan: Plan, id: string, baseline: string): string {
  const [variant, base] = [variantOf(plan, id), variantOf(plan, baseline)];
  const varied = [...variedFactors(plan)];
  const own = varied.filter((factor) => variant?.levels[factor] !== base?.levels[factor]);
  const shown = own.length > 0 ? own : varied;
  const levels = variant?.levels ?? {};
  const texts = shown.flatMap((factor) => levelText(plan, factor, levels[factor]) ?? []);
  // An anonymous report has other words in its labels.
  const label = variantText(plan, id);
  return texts.length > 0 && texts.every((one) => label.includes(one)) ? texts.join(' · ') : label;
}

/** A file names the levels of a factor, or lists the values of a setting, which need its name. */
function levelText(plan: Plan, factor: string, level: Variant['levels'][string] | undefined): string | null {
  if (level === undefined) return null;
  return isMapping(plan.experiment.factors?.[factor]) ? formatLevel(factor, level) : formatLevels({ [factor]: level });
}

/** "search, p50", "units of work, p99", "throughput". */
export const measureText = ({ work, figure }: Pick<TournamentMeasure, 'work' | 'figure'>): string =>
  figure === 'throughput' ? 'throughput' : `${work ?? 'units of work'}, ${formatFigure(figure)}`;

/** The reason why a ratio is no verdict. */
const openWords: Readonly<Partial<Record<TournamentRatio['verdict'], string>>> = {
  notSignificant: 'no difference shown',
  notEnoughRepeats: 'cannot tell: too few repeats',
  tooFewCalls: 'cannot tell: too few calls',
  givenUp: 'cannot tell: units of work were given up',
  lateStarts: 'cannot tell: the client’s late starts may be the reason',
  setByLoad: 'cannot tell: set by the load',
  notComparable: 'not comparable',
  baseline: 'baseline',
};

/**
 * "41× faster (36–47×)", "4.0 % slower (1.0–7.0 %), not certain", "no difference shown (0.97–1.04×)", "cannot tell:
 * too few calls". Bounds have the unit of the value. A difference that may be chance among all comparisons is not
 * certain.
 */
export function ratioText(one: TournamentRatio): string {
  const { ratio, verdict } = one;
  if (ratio !== null && isDifference(verdict)) {
    const shown = one.of === 'throughput' || verdict === 'slower' ? ratio : inverse(ratio);
    const words =
      one.of === 'throughput' ? formatChange(shown, 'faster', 'slower') : formatChange(shown, verdict, verdict);
    return `${words}${formatChangeBounds(shown)}${one.isCertain ? '' : ', not certain'}`;
  }
  const bounds = ratio === null || verdict !== 'notSignificant' ? '' : formatRatioBounds(ratio);
  return `${openWords[verdict] ?? verdict}${bounds === '' ? '' : ` (${bounds}×)`}`;
}

/** The state of a variant that is not compared, in short; empty for the others. */
export const stateWord: Readonly<Record<TournamentRow['state'], string>> = {
  baseline: '',
  compared: '',
  disqualified: 'disqualified',
  failed: 'failed',
  skipped: 'not run',
  pending: 'not measured yet',
};

/**
 * The reason why a variant is not compared, without a stop; empty: there is none. It keeps its capital, because it may
 * begin with the name of an engine.
 */
export function reasonText(model: Named, { state, why, ...cell }: TournamentRow): string {
  if (state === 'disqualified') {
    const own = model.cells.find((one) => keyOf(one) === keyOf(cell));
    return own ? shortRowText(model, own) : '';
  }
  return why === null ? '' : withoutStop(why);
}

/** "disqualified: “search” gives other answers than with as it is"; empty for a variant that is compared. */
export function stateText(model: Named, row: TournamentRow): string {
  const reason = reasonText(model, row);
  return reason === '' ? stateWord[row.state] : `${stateWord[row.state]}: ${reason}`;
}

const withoutStop = (words: string): string => words.replace(/\.$/, '');

const list = lazyList('en', 'conjunction');

/** Sizes of rows are named if they differ by this share or more. */
const notableShare = 0.1;

/**
 * "an index of 12 MiB, built in 0.8 s", "indexes of 12 MiB instead of 3 MiB": the costs that the baseline does not
 * have.
 */
function costTexts(row: TournamentRow, baseline: TournamentRow | undefined): readonly string[] {
  const { addedIndexes: added, removedIndexes: removed, tableBytesPerRow: own } = row;
  const bytes = (sum: typeof added) => (sum === null || sum.bytes === null ? null : formatBytes(sum.bytes));
  const [more, less] = [bytes(added), bytes(removed)];
  const size = more === null ? '' : ` of ${more}${less === null ? '' : ` instead of ${less}`}`;
  const others = baseline?.tableBytesPerRow ?? null;
  const hasOtherRows = own !== null && others !== null && others > 0 && Math.abs(own / others - 1) >= notableShare;
  return [
    ...(added === null ? [] : [`${added.names.length === 1 ? 'an index' : 'indexes'}${size}`]),
    ...(removed === null || (more !== null && less !== null)
      ? []
      : [
          `without the ${removed.names.length === 1 ? 'index' : 'indexes'} ${list.format(removed.names)}${less === null ? '' : ` (${less})`}`,
        ]),
    ...(added === null || added.buildMs === null ? [] : [`built in ${formatMs(added.buildMs)}`]),
    ...(hasOtherRows ? [`rows of ${formatBytes(own)} instead of ${formatBytes(others)}`] : []),
  ];
}

/** The parts of the sentence about a change. */
interface ChangeParts {
  /** The measures that differ, in their order. */
  readonly differing: readonly { readonly one: TournamentRatio; readonly words: string }[];
  readonly costs: readonly string[];
  /** "no difference shown for “sell”", "the cost to writes not measured, because nothing writes". */
  readonly open: readonly string[];
}

function partsOf({ measures, rows, hasWrites }: Tournament, row: TournamentRow): ChangeParts {
  const known = row.ratios.flatMap((one, i) => (one === null ? [] : [{ one, name: nameOf(measures, measures[i]!) }]));
  const openBy = Map.groupBy(
    known.filter(({ one }) => !isDifference(one.verdict)),
    ({ one }) => openWords[one.verdict] ?? one.verdict,
  );
  return {
    differing: known
      .filter(({ one }) => isDifference(one.verdict))
      .map(({ one, name }) => ({ one, words: `${name} ${ratioText(one)}` })),
    costs: costTexts(
      row,
      rows.find(({ state }) => state === 'baseline'),
    ),
    open: [
      ...[...openBy].map(([words, own]) => `${words} for ${list.format(own.map(({ name }) => name))}`),
      ...(row.addedIndexes === null || hasWrites ? [] : ['the cost to writes not measured, because nothing writes']),
    ],
  };
}

/** The name of a quantity in sentences, with its figure where others of the same calls are judged as well. */
export function withFigure(
  measures: readonly TournamentMeasure[],
  { work, figure }: Pick<TournamentMeasure, 'work' | 'figure'>,
  name: string,
): string {
  const own = measures.filter((one) => one.work === work && one.figure !== 'throughput');
  return figure === 'throughput' ? figure : own.length > 1 ? `${formatFigure(figure)} of ${name}` : name;
}

const nameOf = (measures: readonly TournamentMeasure[], one: TournamentMeasure): string =>
  withFigure(measures, one, one.work === null ? 'units of work' : `“${one.work}”`);

/**
 * One sentence about a change: "covering index: “search” 41× faster (36–47×), “sell” 4.0 % slower (1.0–7.0 %), an
 * index of 12 MiB, built in 0.8 s." A difference that may be chance among all comparisons of the run is marked, and
 * statements without a difference are named at the end.
 */
export function tournamentSentence(model: Named, tournament: Tournament, row: TournamentRow): string {
  const name = changeText(model.plan, row.variant, tournament.baseline);
  const state = row.state === 'baseline' ? 'the baseline' : stateText(model, row);
  if (state !== '') return `${name}: ${state}.`;
  const { differing, costs, open } = partsOf(tournament, row);
  const words = joinedParts([...differing.map((one) => one.words), ...costs], open);
  return `${name}: ${words === '' ? 'no result' : words}.`;
}

/**
 * The sentence about a change without this ratio, which another sentence names: "“sell” 4.0 % slower (1.0–7.0 %), an
 * index of 12 MiB, built in 0.8 s"; may be empty.
 */
export function besidesText(tournament: Tournament, row: TournamentRow, told: TournamentRatio): string {
  const { differing, costs, open } = partsOf(tournament, row);
  return joinedParts([...differing.filter(({ one }) => one !== told).map(({ words }) => words), ...costs], open);
}

const joinedParts = (done: readonly string[], open: readonly string[]): string =>
  [done.join(', '), ...open].filter((words) => words !== '').join('; ');
