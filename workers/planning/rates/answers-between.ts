import { textFor } from '#experiment/statements/statement-mix.ts';
import { type AnswerSide, type AnswerTraits, compareAcross } from '#model/statements/compare-across.ts';
import { type RowOrder, rowOrder } from '#model/statements/row-order.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { ComparedAnswers, GivenAnswers, GivenDraw, TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { planOf, variantOf } from '../variant-of.ts';
import { isContender } from './contenders.ts';
import { rowsKey } from './rows-key.ts';

/** The comparison of a cell's answers with those of a cell on another target, before the clock. */
export interface AnswersElsewhere extends Omit<ComparedAnswers, 'baseline'> {
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
 * else with another variant that may not change the answer.
 */
export function answersBetween(
  { plan, targets }: Facts,
  results: readonly TrialResult[],
): ReadonlyMap<string, readonly AnswersElsewhere[]> {
  const groups = Map.groupBy(givenIn({ plan, targets }, results), ({ cell, answers: { statement } }) =>
    rowsKey(plan, cell.variant, statement),
  );
  const found = [...groups.values()].flatMap((group) => {
    const byTarget = Map.groupBy(group, ({ cell }) => cell.target);
    return group.flatMap((one) =>
      [...byTarget].flatMap(([target, others]) => {
        if (target === one.cell.target) return [];
        const other = others.find(({ cell }) => cell.variant === one.cell.variant) ?? others[0]!;
        return [{ cell: one.cell, elsewhere: { ...compared(one, other), other: other.cell } }];
      }),
    );
  });
  return new Map(
    [...Map.groupBy(found, ({ cell }) => keyOf(cell))].map(([key, own]) => [
      key,
      own.map(({ elsewhere }) => elsewhere),
    ]),
  );
}

function givenIn({ plan, targets }: Facts, results: readonly TrialResult[]): readonly Given[] {
  return results.flatMap((result) => {
    const target = targets.find(({ name }) => name === result.target);
    const language = target?.descriptor.statements;
    if (!result.givenAnswers || !target || !language || !isContender({ targets }, target.name)) return [];
    return result.givenAnswers.map((answers): Given => {
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

function compared(own: Given, other: Given): Omit<ComparedAnswers, 'baseline'> {
  const before = known.get(own.answers) ?? new WeakMap<GivenAnswers, Omit<ComparedAnswers, 'baseline'>>();
  known.set(own.answers, before);
  const found = before.get(other.answers) ?? { statement: own.answers.statement, ...compareDraws(own, other) };
  before.set(other.answers, found);
  return found;
}

type Outcome = Omit<ComparedAnswers, 'statement' | 'baseline'>;

function compareDraws(own: Given, other: Given): Outcome {
  const why = own.answers.why ?? other.answers.why;
  if (why !== undefined) return { outcome: 'notChecked', draws: 0, why };
  const draws = Math.min(own.answers.draws.length, other.answers.draws.length);
  let doubt: string | undefined;
  let rows = 0;
  let sides: Sides | null = null;
  for (let i = 0; i < draws; i++) {
    const [here, there] = [own.answers.draws[i]!, other.answers.draws[i]!];
    rows += here.count;
    if (isSame(here, there)) continue;
    sides ??= { own: sideOf(own), other: sideOf(other) };
    const found = compareDraw(here, there, sides);
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

/** The other target stands for the baseline: rows "there" and rows here. */
function compareDraw(here: GivenDraw, there: GivenDraw, { own, other }: Sides): Outcome {
  const cannotTell = (why: string): Outcome => ({ outcome: 'cannotTell', draws: 0, why });
  if (here.values !== there.values) return cannotTell('the values of its parameters are others there');
  if (here.rows === undefined || there.rows === undefined) {
    const isSorted = own.order.keys.length > 0 && here.digests.order !== there.digests.order;
    const isEqual = here.digests.set === there.digests.set && !hasMore(here, there) && !isSorted;
    return isEqual
      ? { outcome: 'equal', draws: 0 }
      : cannotTell('the answers are too long to be compared row by row, and their digests differ');
  }
  const answerOf = ({ columns, rows = [], hasMore }: GivenDraw) => ({ columns, rows, hasMore: hasMore === true });
  const found = compareAcross({ ...other, answer: answerOf(there) }, { ...own, answer: answerOf(here) });
  if (found.outcome === 'equal') return { outcome: 'equal', draws: 0 };
  if (found.outcome === 'cannotTell') return cannotTell(found.why);
  return {
    outcome: 'differ',
    draws: 0,
    why: found.what,
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

/** The comparisons of a cell with the targets before its own, so that all cells together have each one once. */
export function answersBefore({ targets }: Pick<Plan, 'targets'>, cell: AnsweringCell): readonly AnswersElsewhere[] {
  const placeOf = (target: string) => targets.findIndex(({ name }) => name === target);
  return cell.otherAnswers.filter(({ other }) => placeOf(other.target) < placeOf(cell.target));
}
