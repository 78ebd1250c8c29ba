import type { ComparedRun, RunsComparison } from '#analysis/between-runs/compare-with-reference.ts';
import type { FindingState } from '#analysis/between-runs/findings-between.ts';
import type { RunTimeComparison } from '#analysis/compare/compare-run-times.ts';
import type { RunComparison } from '#analysis/compare/compare-runs.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatTimeName, timeRatioText } from '#analysis/text/latency-text.ts';
import { formatRunRatio, verdictWords } from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMsTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { variantText } from '#planning/variant-of.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { inverse } from '#stats/intervals/intervals.ts';
import { changeKindText, excerpts } from '../../text/changes-text.ts';
import { heads, numbers, type PanelCell, type PanelTable, targets, words } from '../shared/panel-table.ts';
import { ratioRange } from '../shared/ratio-range.ts';

/** The reference, and the runs beside it. */
type Runs = Pick<RunsComparison, 'reference' | 'others'>;

/** The names of the runs: of the reference, and of each other run. */
type Labels = readonly string[];

const isShownAsDifference = (verdict: RunTimeComparison['verdict'] | RunComparison['verdict']): boolean =>
  isDifference(verdict as 'faster') || verdict === 'driftOrChange';

/** The differences between the reference and the other runs, with one column for each run. */
export function runChangesTable(
  { others }: { readonly others: readonly Pick<ComparedRun, 'changes'>[] },
  labels: Labels,
): PanelTable {
  const all = others.flatMap(({ changes }) => changes);
  const places = Map.groupBy(all, ({ kind, what, where }) => JSON.stringify([kind, what, where]));
  const hasPlaces = all.some(({ where }) => where !== null);
  return {
    columns: [...heads('Kind', 'What'), ...words(...(hasPlaces ? ['Where'] : []), ...labels)],
    rows: [...places.values()].map(([first]) => {
      const { kind, what, where, before } = first!;
      const own = others.map(({ changes }) =>
        changes.find((one) => one.kind === kind && one.what === what && one.where === where),
      );
      const differing = own.find((one) => one !== undefined);
      const [reference] = excerpts(before, differing?.after ?? null);
      return {
        cells: [
          ...[changeKindText[kind], what, ...(hasPlaces ? [where ?? ''] : []), reference],
          ...own.map(
            (one): PanelCell =>
              one === undefined ? 'the same' : { text: excerpts(before, one.after)[1], tone: 'differs' },
          ),
        ],
      };
    }),
  };
}

/** The variant of a cell, by the plan of the first run that has it. */
function variantIn({ reference, others }: Runs, { variant }: Cell): string {
  const runs = [reference, ...others.map(({ run }) => run)];
  const own = runs.find(({ plan }) => plan.variants.some(({ id }) => id === variant));
  return variantText((own ?? reference).plan, variant);
}

/** The throughput of each cell in the reference, and beside it in each other run with its ratio and verdict. */
export function comparedCellsTable(comparison: Runs, labels: Labels): PanelTable {
  const { reference, others } = comparison;
  const all = others.flatMap(({ cells }) => cells);
  const range = ratioRange(all.map(({ ratio }) => ratio));
  const unit = rateUnit(reference);
  const [first = '', ...rest] = labels;
  return {
    columns: [...heads('Variant'), ...targets('Target'), ...numbers(`${first}, ${unit}`, ...rest)],
    rows: [...new Map(all.map((one) => [keyOf(one), cellOf(one)]))].map(([key, cell]) => {
      const own = others.map(({ cells }) => cells.find((one) => keyOf(one) === key));
      const before = own.find((one) => one?.before)?.before;
      return {
        cells: [
          ...[variantIn(comparison, cell), cell.target, before ? formatInterval(before) : '–'],
          ...own.map((one): PanelCell => {
            if (one === undefined) return '–';
            const { after, ratio, verdict } = one;
            return {
              text: [
                ...(ratio === null ? [] : [formatRunRatio(one)]),
                ...(after === null ? [] : [`${formatInterval(after)} ${unit}`]),
                verdictWords[verdict],
              ],
              tone: isDifference(verdict as 'faster') ? 'differs' : undefined,
              mark: ratio === null ? undefined : { ratio, range, differs: isShownAsDifference(verdict) },
            };
          }),
        ],
      };
    }),
  };
}

/** A ratio of the times of two runs in words. A difference that may be drift is said like a difference. */
export function runTimeRatioText({ ratio, verdict }: RunTimeComparison): string {
  if (ratio === null || verdict === 'missing') return verdictWords[verdict];
  if (verdict !== 'driftOrChange') return timeRatioText({ ratio, verdict });
  return `${timeRatioText({ ratio, verdict: ratio.value > 1 ? 'slower' : 'faster' })}, ${verdictWords.driftOrChange}`;
}

/** The judged times of each statement and cell in the reference, and beside it in each other run. */
export function comparedTimesTable(comparison: Runs, labels: Labels): PanelTable {
  const { others } = comparison;
  const all = others.flatMap(({ times }) => times);
  const keyOfTime = (one: RunTimeComparison) => JSON.stringify([one.work, one.figure, keyOf(one)]);
  const range = ratioRange(all.map(({ ratio }) => ratio && inverse(ratio)));
  const [first = '', ...rest] = labels;
  return {
    columns: [...heads('Time'), ...words('Variant'), ...targets('Target'), ...numbers(first, ...rest)],
    rows: [...new Map(all.map((one) => [keyOfTime(one), one]))].map(([key, time]) => {
      const own = others.map(({ times }) => times.find((one) => keyOfTime(one) === key));
      const before = own.find((one) => one?.before)?.before;
      return {
        cells: [
          ...[formatTimeName(time), variantIn(comparison, time), time.target],
          before ? formatInterval(before, formatMsTo) : '–',
          ...own.map((one): PanelCell => {
            if (one === undefined) return '–';
            const { after, ratio, verdict } = one;
            return {
              text: [runTimeRatioText(one), ...(after === null ? [] : [formatInterval(after, formatMsTo)])],
              tone: isDifference(verdict as 'faster') ? 'differs' : undefined,
              // Faster stands at the right in every table, and a shorter time is faster.
              mark:
                ratio === null ? undefined : { ratio: inverse(ratio), range, differs: isShownAsDifference(verdict) },
            };
          }),
        ],
      };
    }),
  };
}

function stateText(state: FindingState): string {
  if (state.status === 'notShown') return 'not shown';
  if (state.status === 'cannotTell') return `cannot tell: ${state.why}`;
  return `${state.lead.confidence}, in ${many(state.cells, 'cell')}: ${state.lead.claim}`;
}

/** The findings that some of the runs show, with one column for each run. */
export const findingChangesTable = ({ findings }: RunsComparison, labels: Labels): PanelTable => ({
  columns: [...heads('Finding'), ...words(...labels)],
  rows: findings.map(({ rule, states }) => ({
    cells: [
      rule.title,
      ...states.map(
        (state): PanelCell => ({ text: stateText(state), tone: state.status === 'shown' ? 'differs' : undefined }),
      ),
    ],
  })),
});

/** The client's machine during the runs. A value that may explain a difference from the reference is marked. */
export function comparedMachinesTable({ others }: RunsComparison, labels: Labels): PanelTable {
  const figures = [...new Set(others.flatMap(({ machine }) => machine.map(({ what }) => what)))];
  return {
    columns: [...heads('Figure'), ...numbers(...labels)],
    rows: figures.map((what) => {
      const own = others.map(({ machine }) => machine.find((one) => one.what === what));
      return {
        cells: [
          ...[what, own.find((one) => one !== undefined)?.before ?? '–'],
          ...own.map((one): PanelCell => {
            if (one === undefined) return '–';
            return one.differs && one.before !== one.after
              ? { text: [one.after, 'differs'], tone: 'differs' }
              : one.after;
          }),
        ],
      };
    }),
  };
}
