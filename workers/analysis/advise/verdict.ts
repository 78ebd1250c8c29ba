import type { AdviceEffect, JudgedAdvice, TimeRatio } from '#protocol/advice.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type Candidate, isDrop } from './candidate.ts';

/** The shares by which a read and a write of the file may at most become slower with certainty. */
export const mostSlower = { read: 0.1, write: 0.5 } as const;

/** The share by which work of a kind may become slower. */
export const limitOf = (kind: AdviceEffect['kind']): number => (kind === 'read' ? mostSlower.read : mostSlower.write);

interface Found extends Pick<JudgedAdvice, 'total' | 'effects'> {
  /** The good trials with the candidate, and those without it. */
  readonly own: readonly TrialResult[];
  readonly base: readonly TrialResult[];
  /** The statements and transactions of the file, by their weights. */
  readonly weights: ReadonlyMap<string, number>;
  /** The ratio of the means of all statements. */
  readonly totalMean: TimeRatio | null;
  /** Statements whose mean is certainly slower beyond the limit. */
  readonly slowerMeans: readonly string[];
}

/** Judges a candidate by its effects and the comparison of its answers. */
export function verdictOf(
  candidate: Candidate,
  { total, totalMean, slowerMeans, effects, own, base, weights }: Found,
): Pick<JudgedAdvice, 'verdict' | 'why'> {
  const { steps, kind, tables } = candidate;
  const rewrites = kind !== 'lookUps' && steps.some((step) => step.do === 'replaceText');
  const compared = own.flatMap(({ answers = [] }) => answers);
  const other = compared.find(({ outcome }) => outcome !== 'equal');
  if (other?.outcome === 'differ')
    return { verdict: 'notRecommended', why: `“${other.statement}” answers something else.` };
  if (rewrites && (other || compared.length === 0))
    return {
      verdict: 'notRecommended',
      why: `The answers could not be compared${other?.why ? `: ${other.why}` : ''}.`,
    };
  if (own.length < 2 || base.length < 2) return { verdict: 'notShown', why: 'It has fewer than two good repeats.' };
  if (total === null)
    return { verdict: 'notShown', why: `A repeat has no call of one of ${[...weights.keys()].join(', ')}.` };
  const slower = effects.find(({ kind, ratio }) => ratio.low > 1 + limitOf(kind))?.work ?? slowerMeans[0];
  if (slower) return { verdict: 'notRecommended', why: `“${slower}” is certainly slower beyond the limit.` };
  const certain = effects.filter(({ ratio }) => ratio.high < 1);
  // Inserts that Dyno has added are no work of the user's: they show a cost, and no gain.
  const faster = certain.filter((one) => one.kind !== 'probe');
  const names = faster.map(({ work }) => `“${work}”`).join(', ');
  if (isDrop(candidate)) {
    if (certain.length === 0) return { verdict: 'notShown', why: 'No write is certainly faster without it.' };
    if (total.high > 1 + mostSlower.read)
      return { verdict: 'notShown', why: 'The time of all statements together may be longer.' };
    return {
      verdict: 'recommended',
      why:
        faster.length === 0
          ? `Only writes to ${tables.join(', ')} would gain, and the file has none: inserts of Dyno are certainly faster.`
          : `${names} certainly faster without it, and all statements together take at most ${100 * mostSlower.read} % longer.`,
    };
  }
  if (total.low > 1 || (totalMean !== null && totalMean.low > 1))
    return { verdict: 'notRecommended', why: 'All statements together certainly take longer.' };
  if (faster.length === 0) return { verdict: 'notShown', why: 'No statement is certainly faster.' };
  if (total.high >= 1) return { verdict: 'notShown', why: 'All statements together are not certainly faster.' };
  // The candidate's steps call another statement, and no trial compares its rows with the rows of the look-ups.
  if (kind === 'lookUps')
    return {
      verdict: 'observed',
      why: `${names} certainly faster. Answers not compared: check them before you use it.`,
    };
  return { verdict: 'recommended', why: `${names} certainly faster.` };
}
