import type { Experiment } from '#experiment/schema/experiment.ts';
import { mayFindNothing } from '#model/statements/may-find-nothing.ts';
import { leavesRowsOf, type RowMeaning, sameTable } from '#model/statements/row-meaning.ts';
import type { ParameterSpec } from '#model/statements/statements.ts';
import { scopesAround, statementsIn } from '#model/statements/steps.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { type CallValues, meansDiffer, spreadOfRepeats } from '#stats/intervals/call-means.ts';
import { statementMeaning } from '../statement-meaning.ts';
import { planOf, variantOf } from '../variant-of.ts';
import { type AnswersCompared, type SampledBeside, sampledBesideBaseline } from './answers-between.ts';
import { isContender } from './contenders.ts';
import { rowsKey } from './rows-key.ts';

/** The rows that a statement's calls returned or changed in another cell. */
export interface RowsElsewhere extends Cell {
  readonly rowsPerCall: number;
}

/** Problems of the rows that the calls of a statement returned or changed. */
type CallProblem = {
  readonly statement: string;
  readonly isRead: boolean;
  readonly calls: number;
  readonly rowsPerCall: number;
} & (
  | { readonly kind: 'foundNothing'; readonly elsewhere: RowsElsewhere | null }
  | { readonly kind: 'missedListed'; readonly missed: number }
  | { readonly kind: 'rowsDiffer'; readonly elsewhere: RowsElsewhere }
);

/**
 * The reason why the rows that came back keep a cell from being compared. otherAnswers: a statement answered the same
 * values otherwise than the baseline's text, before the clock or while it ran. foundNothing: none of the calls of a
 * statement found a row. missedListed: look-ups by values of a list found none. rowsDiffer: the calls returned or
 * changed other rows than the same calls elsewhere.
 */
export type RowProblem =
  | CallProblem
  | { readonly kind: 'otherAnswers'; readonly statement: string; readonly compared: AnswersCompared };

/** Differences of rows per call below this share are not reported, nor look-ups that miss as seldom. */
const negligible = 0.01;
/** The chance of any false report in a run whose calls draw alike. */
const falseReports = 1e-6;
/** The chance that a cell which finds rows in some calls is said to find none because it has few calls. */
const falseNothing = 1e-3;
/** With so few calls, random values may find nothing by chance. */
const fewCalls = 3;

interface Facts {
  readonly plan: Plan;
  readonly targets: readonly TargetRecord[];
}

/** One statement in one trial. */
interface RepeatValues extends CallValues {
  readonly repeat: number;
}

/** One statement in one cell. */
interface Measured extends CallValues {
  readonly cell: Cell;
  readonly empty: number;
  readonly repeats: readonly RepeatValues[];
  readonly statement: string;
  readonly meaning: RowMeaning;
  readonly parameters: readonly ParameterSpec[];
  /** No call changes the rows that other calls find. */
  readonly isSettled: boolean;
  /** Misses of its look-ups are missing rows: their values come from the table that it looks in, or from a file. */
  readonly looksUpListed: boolean;
}

/**
 * The problems of returned rows that keep cells from being compared, by cell (keyOf). Only custom statements are
 * checked: the dataset's own operations know how many rows each call has. A cell is compared with cells that have the
 * same values of all settings that may change the rows. `sampled`: the answers of sampled calls, if they are compared
 * already.
 */
export function rowProblems(
  facts: Facts,
  results: readonly TrialResult[],
  sampled: SampledBeside = sampledBesideBaseline(facts, results),
): ReadonlyMap<string, readonly RowProblem[]> {
  const other = [...results.flatMap(otherAnswers), ...otherSampled(sampled)];
  const isOther = ({ cell, statement }: Measured) =>
    other.some(({ cell: one, problem }) => problem.statement === statement && keyOf(one) === keyOf(cell));
  // Cells with other answers are no reason to doubt the rows of the others.
  const measured = measuredStatements(facts, results).filter((one) => !isOther(one));
  const groups = [
    ...Map.groupBy(measured, ({ statement, cell }) => rowsKey(facts.plan, cell.variant, statement)).values(),
  ];
  const comparisons = groups.reduce((sum, group) => sum + (group.length * (group.length - 1)) / 2, 0);
  const chance = falseReports / Math.max(1, comparisons);
  const chances = { differ: chance, nothing: falseNothing / Math.max(1, measured.length) };
  const found = [...other, ...groups.flatMap((group) => problemsOf(group, facts, chances))];
  return new Map(
    [...Map.groupBy(found, ({ cell }) => keyOf(cell))].map(([key, own]) => [key, own.map(({ problem }) => problem)]),
  );
}

const experimentOfCell = ({ plan }: Pick<Facts, 'plan'>, { variant }: Pick<Cell, 'variant'>): Experiment =>
  planOf(plan, variantOf(plan, variant)).experiment;

type Found = { readonly cell: Cell; readonly problem: RowProblem };

const otherAnswers = (result: TrialResult): readonly Found[] =>
  (result.answers ?? []).flatMap((compared) =>
    compared.outcome === 'differ'
      ? [{ cell: cellOf(result), problem: { kind: 'otherAnswers', statement: compared.statement, compared } }]
      : [],
  );

const otherSampled = (sampled: SampledBeside): readonly Found[] =>
  [...sampled.values()]
    .flat()
    .flatMap(({ cell, compared }) =>
      compared.outcome === 'differ'
        ? [{ cell, problem: { kind: 'otherAnswers', statement: compared.statement, compared } }]
        : [],
    );

const perCall = ({ sum, calls }: CallValues): number => sum / calls;

/** The chance of a false report, for each comparison and each cell. */
interface Chances {
  readonly differ: number;
  readonly nothing: number;
}

function problemsOf(group: readonly Measured[], facts: Facts, chances: Chances): readonly Found[] {
  const expected = experimentOfCell(facts, group[0]!.cell).statements?.[group[0]!.statement]?.expectRows;
  const common = (one: Measured) => ({
    statement: one.statement,
    isRead: one.meaning.command === 'select',
    calls: one.calls,
    rowsPerCall: perCall(one),
  });
  const none = mayFindNothing(expected) ? [] : group.filter((one) => isNothing(one, group, chances.nothing));
  const missing = mayFindNothing(expected)
    ? []
    : group.filter((one) => !none.includes(one) && one.looksUpListed && one.empty > negligible * one.calls);
  const others = group.filter((one) => !none.includes(one) && !missing.includes(one));
  const elsewhere = (one: Measured): RowsElsewhere | null => {
    const nearest = nearestOf(
      one,
      group.filter((other) => !none.includes(other)),
    );
    return nearest && { ...nearest.cell, rowsPerCall: perCall(nearest) };
  };
  return [
    ...none.map(
      (one): Found => ({
        cell: one.cell,
        problem: { kind: 'foundNothing', ...common(one), elsewhere: elsewhere(one) },
      }),
    ),
    ...missing.map(
      (one): Found => ({
        cell: one.cell,
        problem: { kind: 'missedListed', ...common(one), missed: one.empty },
      }),
    ),
    ...differing(others, chances.differ).map(
      ({ one, other }): Found => ({
        cell: one.cell,
        problem: { kind: 'rowsDiffer', ...common(one), elsewhere: { ...other.cell, rowsPerCall: perCall(other) } },
      }),
    ),
  ];
}

/** No call found a row, and not by chance: in other cells the calls find rows often, or they find none in any cell. */
function isNothing(one: Measured, group: readonly Measured[], chance: number): boolean {
  if (one.sum > 0 || one.meaning.oneRow) return false;
  const others = group.filter((other) => other.sum > 0);
  const sumOf = (of: (other: Measured) => number) => others.reduce((sum, other) => sum + of(other), 0);
  if (others.length === 0)
    return one.parameters.length === 0 || group.reduce((sum, other) => sum + other.calls, 0) >= fewCalls;
  // The share of calls that miss, by the rule of succession: few calls without a miss do not show that there is none.
  const misses = (sumOf(({ empty }) => empty) + 1) / (sumOf(({ calls }) => calls) + 2);
  return one.calls * -Math.log(misses) >= -Math.log(chance);
}

/** The cell that tells most about another: its variant on another target, or another variant on its target. */
const nearestOf = (one: Measured, others: readonly Measured[]): Measured | null =>
  others.find(({ cell }) => cell.variant === one.cell.variant) ??
  others.find(({ cell }) => cell.target === one.cell.target) ??
  others[0] ??
  null;

/**
 * The statements whose calls return or change other rows than in other cells, each with a cell that it differs from.
 * If more than half of the cells agree with each other, only the remaining cells are returned.
 */
function differing(
  group: readonly Measured[],
  chance: number,
): readonly { readonly one: Measured; readonly other: Measured }[] {
  const compared = group.filter(isCompared);
  if (compared.length < 2) return [];
  const spread = spreadOfRepeats(compared.map(({ repeats }) => repeats));
  const differs = (a: Measured, b: Measured) => a !== b && rowsDiffer(a, b, chance, spread);
  const agreeing = compared.map((one) => compared.filter((other) => !differs(one, other)));
  const most = agreeing.reduce((best, some) => (some.length > best.length ? some : best));
  const usual = most.length * 2 > compared.length ? most : [];
  return compared.flatMap((one) => {
    if (usual.includes(one)) return [];
    const other = nearestOf(
      one,
      (usual.length > 0 ? usual : compared).filter((two) => differs(one, two)),
    );
    return other === null ? [] : [{ one, other }];
  });
}

/** A repeat whose calls returned or changed other rows than those of the other repeats of its cell. */
export interface OddRepeat extends Cell {
  readonly statement: string;
  readonly isRead: boolean;
  readonly repeat: number;
  readonly rowsPerCall: number;
  /** Rows per call of the other repeats together. */
  readonly others: number;
}

/**
 * The repeat of each statement in each cell that is farthest from the other repeats, where random draws do not explain
 * the distance. It keeps no cell from being compared: a table that others fill makes the repeats of all cells differ.
 */
export function oddRepeats(facts: Facts, results: readonly TrialResult[]): readonly OddRepeat[] {
  const measured = measuredStatements(facts, results).filter((one) => isCompared(one) && one.repeats.length > 1);
  const comparisons = measured.reduce((sum, { repeats }) => sum + repeats.length, 0);
  const chance = falseReports / Math.max(1, comparisons);
  return measured.flatMap((one): readonly OddRepeat[] => {
    const odd = one.repeats.flatMap((repeat) => {
      const others = { ...one, ...totalOf(one.repeats.filter((other) => other !== repeat)) };
      const differs = rowsDiffer({ ...one, ...repeat }, others, chance, 1);
      return differs ? [{ repeat: repeat.repeat, rowsPerCall: perCall(repeat), others: perCall(others) }] : [];
    });
    const distance = ({ rowsPerCall, others }: (typeof odd)[number]) => Math.abs(rowsPerCall - others);
    const [farthest] = odd.toSorted((a, b) => distance(b) - distance(a));
    const { cell, statement, meaning } = one;
    return farthest === undefined ? [] : [{ ...cell, statement, isRead: meaning.command === 'select', ...farthest }];
  });
}

const totalOf = (repeats: readonly CallValues[]): CallValues => ({
  calls: repeats.reduce((sum, { calls }) => sum + calls, 0),
  sum: repeats.reduce((total, { sum }) => total + sum, 0),
  squares: repeats.reduce((sum, { squares }) => sum + squares, 0),
  most: Math.max(...repeats.map(({ most }) => most)),
});

/** Rows of equal calls are equal, wherever they run. */
const isCompared = ({ meaning, parameters, isSettled }: Measured): boolean =>
  ['select', 'insert', 'update'].includes(meaning.command) &&
  !meaning.oneRow &&
  !meaning.isMoving &&
  isSettled &&
  parameters.every(({ type }) => type !== 'captured');

const isConstant = ({ calls, sum, squares }: CallValues): boolean => squares * calls === sum ** 2;

function rowsDiffer(a: Measured, b: Measured, chance: number, spread: number): boolean {
  const [low, high] = [perCall(a), perCall(b)].toSorted((x, y) => x - y);
  if (high! - low! <= negligible * high!) return false;
  const bothConstant = isConstant(a) && isConstant(b);
  // Calls without parameters are all equal.
  if (a.parameters.length === 0 && bothConstant) return true;
  // The values of a sequence are used in order, so a cell with more calls reaches later values.
  if (a.parameters.some(({ type }) => type === 'sequence') && !bothConstant) return false;
  return meansDiffer(a, b, chance, spread);
}

function measuredStatements({ plan, targets }: Facts, results: readonly TrialResult[]): readonly Measured[] {
  const ok = results.filter(
    ({ status, statements, target, variant }) =>
      status === 'ok' &&
      statements !== undefined &&
      isContender({ targets }, target) &&
      variantOf(plan, variant)?.settings.operation === 'statement',
  );
  // Levels may change the texts, so that the statements of a target differ between its variants.
  const read = new Map<Experiment, Map<string, ReadonlyMap<string, ReadStatement>>>();
  for (const [experiment, alike] of Map.groupBy(ok, (one) => experimentOfCell({ plan }, one)))
    read.set(
      experiment,
      new Map(
        [...Map.groupBy(alike, ({ target }) => target)].map(([name, own]) => [
          name,
          readStatements({ experiment, targets }, name, own),
        ]),
      ),
    );
  return [...Map.groupBy(ok, keyOf).values()].flatMap((own) => {
    const cell = cellOf(own[0]!);
    const known = read.get(experimentOfCell({ plan }, cell))?.get(cell.target);
    return [...(known?.values() ?? [])].flatMap((statement): readonly Measured[] => {
      const repeats = own.flatMap(({ repeat, statements = [] }) =>
        statements.flatMap((one) =>
          one.kind === 'statement' && one.name === statement.statement && one.rowSpread !== undefined
            ? [{ repeat, calls: one.calls - (one.uncounted ?? 0), sum: one.rows, ...one.rowSpread }]
            : [],
        ),
      );
      if (repeats.length === 0) return [];
      const total = (of: (one: (typeof repeats)[number]) => number) => repeats.reduce((sum, one) => sum + of(one), 0);
      return [
        {
          ...statement,
          ...{ cell, repeats },
          ...{ calls: total(({ calls }) => calls), sum: total(({ sum }) => sum), squares: total((one) => one.squares) },
          ...{ empty: total(({ empty }) => empty), most: Math.max(...repeats.map(({ most }) => most)) },
        },
      ];
    });
  });
}

type ReadStatement = Pick<Measured, 'statement' | 'meaning' | 'parameters' | 'isSettled' | 'looksUpListed'>;

/**
 * The statements that a target ran, with their texts for this target. Statements whose rows have no meaning are left
 * out.
 */
function readStatements(
  { experiment, targets }: Pick<Facts, 'targets'> & { readonly experiment: Experiment },
  target: string,
  results: readonly TrialResult[],
): ReadonlyMap<string, ReadStatement> {
  const { statements: specs = {} } = experiment;
  const record = targets.find(({ name }) => name === target);
  const language = record?.descriptor.statements;
  if (record === undefined || language === undefined) return new Map();
  const choice = { target, engine: record.engine };
  const names = new Set(
    results.flatMap(({ statements = [] }) =>
      statements.flatMap(({ name, kind }) => (kind === 'statement' && Object.hasOwn(specs, name) ? [name] : [])),
    ),
  );
  const meanings = new Map(
    [...names].flatMap((name) => {
      const meaning = statementMeaning(specs[name]!, choice, language);
      return meaning === null ? [] : [[name, meaning] as const];
    }),
  );
  return new Map(
    [...meanings].flatMap(([statement, meaning]) => {
      if (meaning.command === 'other' || meaning.command === 'none') return [];
      // Changes that are sent with the commit are counted before anybody looks for their rows.
      if (meaning.command !== 'select' && record.descriptor.changesAtCommit) return [];
      const parameters = parametersOf(experiment, statement);
      const isSettled = [...meanings.values()].every((other) => leavesRowsOf(other, meaning));
      const { lookUp } = meaning;
      const isListed = (name: string) => {
        const own = parameters.filter((one) => one.name === name).map(({ spec }) => spec);
        return (
          own.length > 0 &&
          own.every(
            (spec) =>
              spec.type === 'csv' ||
              (spec.type === 'query' &&
                (statementMeaning(spec, choice, language)?.reads ?? ['']).every((table) =>
                  sameTable(table, lookUp!.table),
                )),
          )
        );
      };
      return [
        [
          statement,
          {
            ...{ statement, meaning, isSettled, parameters: parameters.map(({ spec }) => spec) },
            looksUpListed: isSettled && lookUp !== null && !meaning.oneRow && lookUp.parameters.every(isListed),
          },
        ] as const,
      ];
    }),
  );
}

/** The parameters of a statement: its own, and those of the units of work that it is a step of. */
function parametersOf(
  { statements = {}, transactions = {}, scenarios = {} }: Experiment,
  statement: string,
): readonly { readonly name: string; readonly spec: ParameterSpec }[] {
  const units = Object.entries(transactions).filter(([, { steps }]) => statementsIn(steps).includes(statement));
  return [
    statements[statement]!.parameters,
    ...units.flatMap(([name, unit]) => scopesAround(statement, name, unit).map(({ parameters }) => parameters)),
    ...Object.values(scenarios).map(({ parameters }) => parameters),
  ].flatMap((some) => Object.entries(some).map(([name, spec]) => ({ name, spec })));
}
