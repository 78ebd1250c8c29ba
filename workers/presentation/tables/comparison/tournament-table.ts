import { type Tournament, type TournamentRow, timeRatio } from '#analysis/compare/tournament.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { changeText, measureText, ratioText, reasonText, stateWord } from '#analysis/text/tournament-text.ts';
import { dash, formatBytes, formatInterval, formatMs, formatMsTo } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { planName } from '../server/query-plan-table.ts';
import type { Table } from '../shared/csv.ts';
import { asides, heads, type NotedTable, numbers, type PanelCell, words } from '../shared/panel-table.ts';
import { ratioRange } from '../shared/ratio-range.ts';

/** The parts of a run that name its variants and the reasons of those that are not compared. */
type Named = Pick<RunModel, 'plan' | 'cells'>;

/**
 * One row for each variant, grouped by targets: its effect on each statement, its bytes, its build time and its plans.
 */
export function tournamentTable(model: Named, all: readonly Tournament[]): NotedTable {
  const [first] = all;
  if (first === undefined) return { note: '', columns: [], rows: [] };
  const rows = all.flatMap((tournament) => tournament.rows);
  const range = ratioRange(rows.flatMap((row) => row.ratios.map((one) => one && timeRatio(one))));
  const has = {
    indexes: rows.some(({ indexes }) => indexes !== null),
    built: rows.some(({ indexes }) => indexes !== null && indexes.buildMs !== null),
    tables: rows.some(({ tableBytes }) => tableBytes !== null),
    plans: rows.some(({ plans }) => plans.length > 0),
    reasons: rows.some((row) => reasonText(model, row) !== ''),
  };
  const last = sentence([...(has.plans ? ['plan'] : []), ...(has.reasons ? ['reason'] : [])].join(', '));
  const sizes = (row: TournamentRow): readonly string[] => [
    ...(has.indexes ? [row.indexes === null ? dash : formatBytes(row.indexes.bytes)] : []),
    ...(has.tables ? [formatBytes(row.tableBytes)] : []),
    ...(has.built ? [row.indexes === null ? dash : formatMs(row.indexes.buildMs)] : []),
  ];
  return {
    note: noteText(model, first),
    columns: [
      ...heads('Change'),
      ...words(...first.measures.map(headText)),
      ...numbers(
        ...(has.indexes ? ['Indexes'] : []),
        ...(has.tables ? ['Tables'] : []),
        ...(has.built ? ['Built in'] : []),
      ),
      ...(last === '' ? [] : asides(last)),
    ],
    rows: all.flatMap((tournament) =>
      tournament.rows.map((row) => ({
        ...(all.length > 1 && { group: tournament.target }),
        ...(row.state !== 'pending' &&
          row.state !== 'skipped' && { cell: { variant: row.variant, target: row.target } }),
        cells: [
          changeText(model.plan, row.variant, tournament.baseline),
          ...ratioCells(row, range),
          ...sizes(row),
          ...(last === '' ? [] : [{ text: lastLines(model, row) }]),
        ],
      })),
    ),
  };
}

/** Names of statements stay as they are written. */
const headText = (measure: Tournament['measures'][number]): string =>
  `${measure.figure === 'throughput' ? sentence(measureText(measure)) : measureText(measure)}${measure.isWrite === true ? ' (writes)' : ''}`;

const noteText = ({ plan }: Named, { baseline, comparisons }: Tournament): string =>
  `Ratios refer to “${changeText(plan, baseline, baseline)}” on the same target, with the 95 % interval of each. A difference that may be chance${comparisons === 1 ? '' : ` among the ${comparisons} comparisons of this run`} is not certain. Sizes, with the rows that the trials have inserted, and times to build are means over the repeats.`;

/** Explains the marks of the table, where they are drawn. */
export const scaleNote =
  'On the scales, which all columns share, the dashed line is the baseline, and the left of it is faster.';

function ratioCells(row: TournamentRow, range: readonly [number, number]): readonly PanelCell[] {
  const state = stateWord[row.state];
  return row.ratios.map((one, i): PanelCell => {
    if (state !== '') return i === 0 ? { text: state, tone: row.state === 'pending' ? undefined : 'bad' } : '';
    if (one === null) return dash;
    if (one.verdict === 'baseline')
      return one.of === 'time' && one.ms !== null ? formatInterval(one.ms, formatMsTo) : 'baseline';
    const differs = isDifference(one.verdict);
    const text = ratioText(one);
    const ratio = timeRatio(one);
    if (ratio === null || one.verdict === 'notComparable') return text;
    return { text, mark: { ratio, range, differs: differs && one.isCertain } };
  });
}

/** The reason why a variant is not compared, or its plans. */
function lastLines(model: Named, row: TournamentRow): readonly string[] {
  const reason = reasonText(model, row);
  return reason === '' ? planLines(row) : [reason];
}

/** The plans that differ from the baseline's; of the baseline all plans. */
function planLines({ state, plans }: TournamentRow): readonly string[] {
  const shown = state === 'baseline' ? plans : plans.filter(({ hasChanged }) => hasChanged);
  if (plans.length > 0 && shown.length === 0) return ['same'];
  const several = plans.length > 1;
  return shown.map(({ before, after: { statement, plan }, hasChanged }) => {
    const own = planName(plan.steps);
    // Minor steps are not in the name.
    const name = hasChanged && own === planName(before.plan.steps) ? `${own}, with other steps` : own;
    return several && statement !== null ? `${statement}: ${name}` : name;
  });
}

/** The numbers of the tournament, with one row for each variant and measure. */
export const tournamentCsv = ({ plan }: Named, all: readonly Tournament[]): Table => ({
  columns: [
    ...['target', 'variant', 'change', 'state', 'of', 'figure', 'ms', 'ms low', 'ms high'],
    ...['ratio', 'ratio low', 'ratio high', 'verdict', 'certain'],
    ...['index bytes', 'table bytes', 'build ms'],
  ],
  rows: all.flatMap(({ baseline, measures, rows }) =>
    rows.flatMap((row) =>
      measures.map(({ work, figure }, i) => {
        const one = row.ratios[i] ?? null;
        const ms = one?.of === 'time' ? one.ms : null;
        return [
          ...[row.target, row.variant, changeText(plan, row.variant, baseline), row.state, work ?? ''],
          figure === 'throughput' ? figure : formatFigure(figure),
          ...[ms?.value ?? null, ms?.low ?? null, ms?.high ?? null],
          ...[one?.ratio?.value ?? null, one?.ratio?.low ?? null, one?.ratio?.high ?? null],
          ...[one?.verdict ?? '', one?.isCertain ? 'yes' : 'no'],
          ...[row.indexes?.bytes ?? null, row.tableBytes, row.indexes?.buildMs ?? null],
        ];
      }),
    ),
  ),
});
