import type { JudgedAdvice } from '#protocol/advice.ts';
import { gainOf } from './rank-advice.ts';

/** The rounds after which a run may end early. Each of these rounds widens the bounds of all claims. */
const earlyLooks = [4, 10] as const;

/** The rounds after which the advice of a run with this many repeats is judged. */
export const looksOf = (repeats: number): readonly number[] => [
  ...earlyLooks.filter((round) => round < repeats),
  repeats,
];

/** A gain of all statements below this share is not worth more repeats. */
const leastGain = 0.05;
/** Two gains that differ by more than this share may still change their places. */
const mostApart = 0.15;

/**
 * True if more repeats would hardly change the answer: each candidate has its verdict, cannot gain, or is certainly
 * worse than one that is recommended for the same statements; and no other one seems better than the first.
 */
export function isDecided(advice: readonly JudgedAdvice[]): boolean {
  const [first] = advice;
  const good = advice.filter(isGood);
  return (
    first !== undefined &&
    advice.every((one) => isJudged(one) || cannotGain(one) || good.some((other) => isWorse(one, other))) &&
    good.every(
      (one) =>
        one.verdict !== first.verdict ||
        !isSame(one, first) ||
        gainOf(one).value >= gainOf(first).value * (1 - mostApart),
    )
  );
}

const isGood = ({ verdict }: JudgedAdvice): boolean => verdict === 'recommended' || verdict === 'observed';
const isJudged = ({ verdict }: JudgedAdvice): boolean => verdict !== 'notShown';
const cannotGain = (one: JudgedAdvice): boolean => one.total !== null && gainOf(one).low > 1 - leastGain;

const isSame = (one: JudgedAdvice, other: JudgedAdvice): boolean =>
  one.candidate.statements.some((name) => other.candidate.statements.includes(name));
const isWorse = (one: JudgedAdvice, other: JudgedAdvice): boolean =>
  isSame(one, other) && gainOf(one).low > gainOf(other).high;
