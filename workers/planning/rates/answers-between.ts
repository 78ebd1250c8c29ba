import { textFor } from '#experiment/statements/statement-mix.ts';
import { type AnswerSide, type AnswerTraits, compareAcross, compareTexts } from '#model/statements/compare-across.ts';
import { compareDigests, compareDigestsAcross, type DigestedSide } from '#model/statements/compare-digests.ts';
import type { RowsCompared } from '#model/statements/compare-rows.ts';
import { type RowOrder, rowOrder } from '#model/statements/row-order.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { ComparedAnswers, GivenAnswers, GivenDraw, TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { planOf, variantOf } from '../variant-of.ts';
import { isContender } from './contenders.ts';
import { rowsKey } from './rows-key.ts';

/** The time at which answers were given. Absent: before the clock. */
interface When {
  /** The answers are those of sampled calls, while the clock ran. */
  readonly isSampled?: true;
}

/** The comparison of a cell's answers with those of the baseline's text. */
export interface AnswersCompared extends ComparedAnswers, When {}

/** The comparison of a cell's answers with those of a cell on another target. */
export interface AnswersElsewhere extends Omit<ComparedAnswers, 'baseline'>, When {
  readonly other: Cell;
}

interface Facts {
  readonly plan: Plan;
  readonly targets: readonly TargetRecord[];
}

/** The answers of a statement in one cell. */
interface Given {
  readonly cell: Cell;
  readonly answers: GivenAnswers;
  readonly target: TargetRecord;
  readonly order: () => RowOrder;
}

/**
 * The answers of each cell beside those of each other target, by cell (keyOf). Tables that Dyno fills have the same
 * rows on all targets, so that the same values have the same answers. A cell is compared with the same variant, or
 * else with another variant that may not change the answer. Those of sampled calls are compared where the answers
 * before the clock were equal.
 */
export function answersBetween(
  facts: Facts,
  results: readonly TrialResult[],
): ReadonlyMap<string, readonly AnswersElsewhere[]> {
  const before = besideTargets(facts, givenIn(facts, results, 'givenAnswers'));
  const placeOf = (cell: Cell, { statement, other }: AnswersElsewhere) =>
    JSON.stringify([keyOf(cell), keyOf(other), statement]);
  const equal = new Set(
    before.flatMap(({ cell, elsewhere }) => (elsewhere.outcome === 'equal' ? [placeOf(cell, elsewhere)] : [])),
  );
  const sampled = besideTargets(facts, steadyIn(givenIn(facts, results, 'sampledAnswers')))
    .filter(({ cell, elsewhere }) => equal.has(placeOf(cell, elsewhere)))
    .map(({ cell, elsewhere }) => ({ cell, elsewhere: { ...elsewhere, isSampled: true as const } }));
  return new Map(
    [...Map.groupBy([...before, ...sampled], ({ cell }) => keyOf(cell))].map(([key, own]) => [
      key,
      own.map(({ elsewhere }) => elsewhere),
    ]),
  );
}

function besideTargets({ plan }: Facts, given: readonly Given[]) {
  const groups = Map.groupBy(given, ({ cell, answers: { statement } }) => rowsKey(plan, cell.variant, statement));
  return [...groups.values()].flatMap((group) => {
    const byTarget = Map.groupBy(group, ({ cell }) => cell.target);
    return group.flatMap((one) =>
      [...byTarget].flatMap(([target, others]) => {
        if (target === one.cell.target) return [];
        const other = others.find(({ cell }) => cell.variant === one.cell.variant) ?? others[0]!;
        const elsewhere: AnswersElsewhere = { ...compared(one, other, across), other: other.cell };
        return [{ cell: one.cell, elsewhere }];
      }),
    );
  });
}

/** A cell's answers beside those of the baseline's text on the same target. */
interface BesideBaseline {
  readonly cell: Cell;
  readonly compared: AnswersCompared;
}

/** The compared answers of sampled calls, by cell (keyOf). */
export type SampledBeside = ReadonlyMap<string, readonly BesideBaseline[]>;

/**
 * The answers of sampled calls of each cell beside those of the baseline's text, by cell (keyOf), where the answers
 * before the clock were equal. The cells have tables of their own, so that the loaded rows have to be the same.
 */
export function sampledBesideBaseline(facts: Facts, results: readonly TrialResult[]): SampledBeside {
  const given = new Map(
    steadyIn(givenIn(facts, results, 'sampledAnswers')).map((one) => [
      statementKey(one.cell, one.answers.statement),
      one,
    ]),
  );
  const found = results.flatMap((result): readonly BesideBaseline[] =>
    (result.answers ?? []).flatMap(({ statement, baseline, outcome }) => {
      if (outcome !== 'equal') return [];
      const cell = cellOf(result);
      const answersIn = (variant: string) => given.get(statementKey({ ...cell, variant }, statement));
      const [own, other] = [answersIn(cell.variant), answersIn(baseline)];
      if (own === undefined || other === undefined) return [];
      const isAlike = rowsKey(facts.plan, cell.variant, statement) === rowsKey(facts.plan, baseline, statement);
      const beside = isAlike
        ? compared(own, other, ofTexts)
        : { statement, ...notChecked('the level changes the rows of the tables, or the draws, too') };
      return [{ cell, compared: { ...beside, baseline, isSampled: true } }];
    }),
  );
  return Map.groupBy(found, ({ cell }) => keyOf(cell));
}

/** The answers of each cell's statements: those of the repeat with most draws, if the other repeats have the same. */
function steadyIn(given: readonly Given[]): readonly Given[] {
  const byStatement = Map.groupBy(given, ({ cell, answers }) => statementKey(cell, answers.statement));
  return [...byStatement.values()].map((repeats) => {
    const [most, ...others] = repeats.toSorted((a, b) => b.answers.draws.length - a.answers.draws.length);
    const isSteady = others.every((one) => compared(one, most!, ofTexts).outcome !== 'differ');
    return isSteady ? most! : { ...most!, answers: unsteady(most!.answers) };
  });
}

const statementKey = (cell: Cell, statement: string): string => JSON.stringify([keyOf(cell), statement]);

const knownUnsteady = new WeakMap<GivenAnswers, GivenAnswers>();

function unsteady(answers: GivenAnswers): GivenAnswers {
  const why = 'its text itself gives other answers to the same values in another repeat';
  const found = knownUnsteady.get(answers) ?? { statement: answers.statement, draws: [], why };
  knownUnsteady.set(answers, found);
  return found;
}

function givenIn(
  { plan, targets }: Facts,
  results: readonly TrialResult[],
  when: 'givenAnswers' | 'sampledAnswers',
): readonly Given[] {
  return results.flatMap((result) => {
    const target = targets.find(({ name }) => name === result.target);
    const language = target?.descriptor.statements;
    const given = result[when];
    if (!given || !target || !language || !isContender({ targets }, target.name)) return [];
    return given.map((answers): Given => {
      const order = () => {
        const { statements = {} } = planOf(plan, variantOf(plan, result.variant)).experiment;
        const spec = statements[answers.statement];
        const text = spec && textFor(spec.text, { target: target.name, engine: target.engine });
        return rowOrder(text ?? '', language);
      };
      return { cell: cellOf(result), answers, target, order };
    });
  });
}

/** Comparisons of the same two answers, which every cell and every new record of a run asks for again. */
const known = new WeakMap<GivenAnswers, WeakMap<GivenAnswers, Omit<ComparedAnswers, 'baseline'>>>();

function compared(own: Given, other: Given, compare: Compare): Omit<ComparedAnswers, 'baseline'> {
  const before = known.get(own.answers) ?? new WeakMap<GivenAnswers, Omit<ComparedAnswers, 'baseline'>>();
  known.set(own.answers, before);
  const found = before.get(other.answers) ?? { statement: own.answers.statement, ...compareDraws(own, other, compare) };
  before.set(other.answers, found);
  return found;
}

type Outcome = Omit<ComparedAnswers, 'statement' | 'baseline'>;

interface Compare {
  readonly rows: (first: AnswerSide, second: AnswerSide) => RowsCompared;
  /** Compares answers of which not all rows are kept. */
  readonly digests: (first: DigestedSide, second: DigestedSide) => RowsCompared;
}

const across: Compare = { rows: compareAcross, digests: compareDigestsAcross };
const ofTexts: Compare = { rows: compareTexts, digests: compareDigests };

const notChecked = (why: string): Outcome => ({ outcome: 'notChecked', draws: 0, why });

function compareDraws(own: Given, other: Given, compare: Compare): Outcome {
  const why = own.answers.why ?? other.answers.why;
  if (why !== undefined) return notChecked(why);
  const draws = Math.min(own.answers.draws.length, other.answers.draws.length);
  if (draws === 0) return notChecked('one of them made no call that could be compared');
  let doubt: string | undefined;
  let rows = 0;
  let sides: Sides | null = null;
  for (let i = 0; i < draws; i++) {
    const [here, there] = [own.answers.draws[i]!, other.answers.draws[i]!];
    rows += here.count;
    if (isSame(here, there)) continue;
    sides ??= { own: sideOf(own), other: sideOf(other) };
    const found = compareDraw(here, there, sides, compare);
    if (found.outcome === 'differ') return { ...found, draws: i + 1 };
    if (found.outcome === 'cannotTell') doubt ??= found.why;
  }
  if (doubt !== undefined) return { outcome: 'cannotTell', draws, why: doubt };
  return rows > 0 ? { outcome: 'equal', draws } : { outcome: 'cannotTell', draws, why: 'no draw found a row' };
}

const isSame = (here: GivenDraw, there: GivenDraw): boolean =>
  here.values === there.values &&
  here.digests.order === there.digests.order &&
  !hasMore(here, there) &&
  here.columns.join() === there.columns.join();

/** True if one of the answers has rows beyond those that were compared. */
const hasMore = (...draws: readonly GivenDraw[]): boolean => draws.some((draw) => draw.hasMore === true);

type Side = Omit<AnswerSide, 'answer'>;

interface Sides {
  readonly own: Side;
  readonly other: Side;
}

const sideOf = ({ target: { descriptor }, order }: Given): Side => ({
  order: order(),
  traits: traitsOf(descriptor),
});

const traitsOf = (descriptor: TargetRecord['descriptor']): AnswerTraits => ({
  isNamed: descriptor.statements?.language !== 'sql',
  emptyIsNull: descriptor.emptyIsNull ?? false,
  storesWhole: descriptor.storesWhole ?? false,
  uuidOrder: descriptor.uuids.order,
});

/**
 * Compares a cell's answer (`here`) with the answer of the other target (`there`), which takes the baseline's place.
 */
function compareDraw(here: GivenDraw, there: GivenDraw, { own, other }: Sides, compare: Compare): Outcome {
  const cannotTell = (why: string): Outcome => ({ outcome: 'cannotTell', draws: 0, why });
  if (here.values !== there.values) return cannotTell('the values of its parameters are others there');
  const answerOf = ({ rows = [], hasMore, ...draw }: GivenDraw) => ({ ...draw, rows, hasMore: hasMore === true });
  const [first, second] = [
    { ...other, answer: answerOf(there) },
    { ...own, answer: answerOf(here) },
  ];
  const isLong = here.rows === undefined || there.rows === undefined;
  const found = isLong ? compare.digests(first, second) : compare.rows(first, second);
  if (found.outcome === 'equal') return { outcome: 'equal', draws: 0 };
  if (found.outcome === 'cannotTell') return cannotTell(found.why);
  return {
    outcome: 'differ',
    draws: 0,
    why: isLong ? `${found.what} (the answer is too long for its rows to be kept)` : found.what,
    difference: {
      parameters: here.parameters,
      digests: { baseline: there.digests.set, own: here.digests.set },
      rows: {
        columns: there.columns,
        pairs: found.pairs.map(({ baseline, own: row }) => ({ baseline: shown(baseline), own: shown(row) })),
      },
    },
  };
}

/** Maximum number of characters of a shown value. */
const mostCharacters = 200;

const shown = (row: readonly (string | null)[] | null): (string | null)[] | null =>
  row?.map((value) =>
    value !== null && value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value,
  ) ?? null;

/** A cell with its answers beside those of other targets. */
type AnsweringCell = Cell & { readonly otherAnswers: readonly AnswersElsewhere[] };

/** True if a cell answers a statement otherwise than another target. */
export const answersDiffer = (
  { otherAnswers }: Pick<AnsweringCell, 'otherAnswers'>,
  target: string,
  statement: string | null = null,
): boolean =>
  otherAnswers.some(
    (one) =>
      one.outcome === 'differ' && one.other.target === target && (statement === null || one.statement === statement),
  );

/**
 * The cells that no ranking of all targets contains, because they answer a statement otherwise than another target,
 * each with that target. Targets that most others agree with stay; where all disagree, the first one stays.
 */
export function answeringOtherwise<One extends AnsweringCell>(
  cells: readonly One[],
): readonly { readonly cell: One; readonly target: string }[] {
  const targets = [...Map.groupBy(cells, ({ target }) => target)].map(([target, own]) => {
    const differing = own.flatMap(({ otherAnswers }) => otherAnswers.filter(({ outcome }) => outcome === 'differ'));
    return { target, own, against: new Set(differing.map(({ other }) => other.target)).size };
  });
  const kept: string[] = [];
  return targets
    .toSorted((a, b) => a.against - b.against)
    .flatMap(({ target, own }) => {
      const found = own.flatMap((cell) => {
        const against = kept.find((other) => answersDiffer(cell, other));
        return against === undefined ? [] : [{ cell, target: against }];
      });
      // The next targets are compared with the cells that stay.
      if (found.length < own.length) kept.push(target);
      return found;
    });
}

/** The comparisons of a cell with the targets before its own: each pair of targets is compared only once. */
export function answersBefore({ targets }: Pick<Plan, 'targets'>, cell: AnsweringCell): readonly AnswersElsewhere[] {
  const placeOf = (target: string) => targets.findIndex(({ name }) => name === target);
  return cell.otherAnswers.filter(({ other }) => placeOf(other.target) < placeOf(cell.target));
}
