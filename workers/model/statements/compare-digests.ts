import { formatUpTo } from '../format/format.ts';
import { many } from '../format/plural.ts';
import type { AnswerTraits } from './compare-across.ts';
import { cannotTell, keyColumns, type RowsCompared } from './compare-rows.ts';
import type { RowOrder } from './row-order.ts';

/** Digests of an answer whose rows are not kept, or not all of them. */
interface AnswerDigests {
  /** The rows as a multiset. */
  readonly set: string;
  /** The rows as a multiset, without the numbers that may have rounding errors. */
  readonly known: string;
  /** The rows in their order. */
  readonly order: string;
  /** The values of each column in the order of the rows, without differences that a collation may ignore (folded). */
  readonly columns: readonly string[];
}

/** An answer of which the digests are known, with the order of its text. */
export interface DigestedSide {
  readonly answer: {
    readonly columns: readonly string[];
    readonly exact: readonly boolean[];
    readonly count: number;
    readonly hasMore: boolean;
    readonly digests: AnswerDigests;
  };
  readonly order: RowOrder;
  readonly traits: Pick<AnswerTraits, 'isNamed'>;
}

/**
 * Compares two answers by their digests, by the rules of `compareRows`. It is *cannot tell* where these rules would
 * have to look at single values: rounding errors, ties at a LIMIT, and texts that a collation may take as equal.
 */
export function compareDigests(first: DigestedSide, second: DigestedSide): RowsCompared {
  const [baseline, own] = [first.answer, second.answer];
  const unclear = doubtAbout(first, second);
  if (unclear !== null) return cannotTell(unclear);
  const unsettled = first.order.unsettled ?? second.order.unsettled;
  const differ = (what: string): RowsCompared =>
    unsettled === null
      ? { outcome: 'differ', what, pairs: [] }
      : cannotTell(`the rows of ${unsettled} may depend on the plan`);
  if (baseline.hasMore || own.hasMore) return cannotTell('one of the answers has more rows than were compared');
  if (baseline.count !== own.count)
    return differ(`it returned ${many(own.count, 'row')} instead of ${formatUpTo(baseline.count)}`);
  const isAlikeExact = baseline.exact.join() === own.exact.join();
  const leavesChoice = [first.order, second.order].some(({ isLimited, skips, groups }) => isLimited || skips || groups);
  if (baseline.digests.set !== own.digests.set)
    return isAlikeExact && !leavesChoice && baseline.digests.known !== own.digests.known
      ? differ('it returned other rows')
      : cannotTell(tooLong);
  const { keys } = first.order;
  if (keys.length === 0 || baseline.digests.order === own.digests.order) return { outcome: 'equal' };
  const sorted = keyColumns(baseline, first.order);
  const others = sorted.filter((c) => baseline.digests.columns[c] !== own.digests.columns[c]);
  if (others.length > 0)
    return isAlikeExact && others.every((c) => baseline.exact[c]) && !leavesChoice
      ? differ('it returned the rows in another order')
      : cannotTell(tooLong);
  return sorted.length === keys.length
    ? { outcome: 'equal' }
    : cannotTell('the rows come in another order, and the answer has not all of the columns of ORDER BY');
}

/** Compares the answers of two engines, whose types may explain other digests: nothing proves a difference. */
export function compareDigestsAcross(first: DigestedSide, second: DigestedSide): RowsCompared {
  const compared = compareDigests(first, second);
  return compared.outcome === 'differ' ? cannotTell(tooLong) : compared;
}

const tooLong = 'the answers are too long to be compared row by row, and their digests differ';

/** The reason why digests of these answers cannot be compared; null: they can. */
function doubtAbout(first: DigestedSide, second: DigestedSide): string | null {
  const moving = first.order.moving ?? second.order.moving;
  if (moving !== null) return `the answer depends on ${moving}`;
  const [own, other] = [first.answer, second.answer];
  // An answer without documents has no names.
  if (own.count === 0 || other.count === 0) return null;
  const names = ({ columns }: DigestedSide['answer']) => columns.map((name) => name.toLowerCase()).join();
  if (first.traits.isNamed || second.traits.isNamed)
    return names(own) === names(other) ? null : 'its columns have other names there';
  return own.columns.length === other.columns.length ? null : 'it has another number of columns there';
}
