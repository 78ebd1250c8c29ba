import { adviceKinds, type JudgedAdvice, type TimeRatio } from '#protocol/advice.ts';
import { isDrop } from './candidate.ts';

const places: readonly JudgedAdvice['verdict'][] = [
  'recommended',
  'observed',
  'notShown',
  'notRecommended',
  'notTried',
  'outOfBudget',
];

/** The gain by which advice is ordered: of all statements, or of writes where an index is dropped. */
export const gainOf = ({ candidate, total, effects }: JudgedAdvice): TimeRatio =>
  (isDrop(candidate)
    ? effects.filter(({ kind }) => kind !== 'read').toSorted((a, b) => a.ratio.value - b.ratio.value)[0]?.ratio
    : total) ?? { value: 1, low: 1, high: 1 };

/** The order of advice. Where two are about as fast, the simpler one is the better. */
export function ranked(all: readonly JudgedAdvice[]): readonly JudgedAdvice[] {
  const ordered = all.toSorted(
    (a, b) =>
      places.indexOf(a.verdict) - places.indexOf(b.verdict) ||
      Number(isUnused(a)) - Number(isUnused(b)) ||
      gainOf(a).value - gainOf(b).value,
  );
  const [first] = ordered;
  if (first === undefined || first.verdict !== 'recommended') return ordered;
  const isRival = (one: JudgedAdvice) =>
    one.verdict === 'recommended' && isUnused(one) === isUnused(first) && gainOf(one).low <= gainOf(first).high;
  const rivals = ordered.filter(isRival).toSorted((a, b) => rank(a) - rank(b));
  const others = ordered.filter((one) => !isRival(one));
  return alternatives([...rivals, ...others]);
}

/** After another change of texts, indexes or statistics, plans may read an index that they did not read before. */
const isUnused = ({ candidate: { kind } }: JudgedAdvice): boolean => kind === 'unusedIndex';

const rank = ({ candidate: { kind } }: JudgedAdvice): number => adviceKinds.indexOf(kind);

/** Advice for the same statements is measured alone, so only the best of it is to be carried out. */
function alternatives(all: readonly JudgedAdvice[]): readonly JudgedAdvice[] {
  return all.map((one, i) => {
    if (one.verdict !== 'recommended') return one;
    const better = all
      .slice(0, i)
      .find(
        (other) =>
          other.verdict === 'recommended' &&
          (isUnused(one) !== isUnused(other) ||
            other.candidate.statements.some((name) => one.candidate.statements.includes(name)) ||
            (isDrop(one.candidate) && other.candidate.tables.some((table) => one.candidate.tables.includes(table)))),
      );
    return better ? { ...one, insteadOf: better.candidate.title } : one;
  });
}
