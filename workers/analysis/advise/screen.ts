import { planShape } from '#engine-api/query-plan.ts';
import { trialTimes } from '#planning/judged/trial-times.ts';
import { adviceKinds } from '#protocol/advice.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';
import { adviceFactor, unchangedLevel } from './advice-file.ts';
import { type Candidate, isDrop } from './candidate.ts';
import { probeName } from './write-probe.ts';

/** A candidate after one short trial. */
export interface Screened {
  readonly candidate: Candidate;
  /** The reason, as a sentence, why it is not measured further; null: it is measured further, if there is time. */
  readonly why: string | null;
  /** True if the budget ended before its trial. */
  readonly isLate: boolean;
  /** The time of its statements as a share of the time without it, from one trial. */
  readonly ratio: number;
}

/**
 * Looks at one trial of each candidate: its tables have the index, so that EXPLAIN shows whether the server uses it.
 * The most promising ones come first, the simplest of them at the top, and unused indexes at the end, as in the advice:
 * a short trial on a busy machine shows too little to leave a candidate out.
 */
export function screen(
  model: Pick<RunModel, 'plan' | 'trials'>,
  candidates: readonly Candidate[],
  weights: ReadonlyMap<string, number>,
): readonly Screened[] {
  const trialOf = (level: string): TrialView | undefined =>
    model.trials.find(
      ({ trial, result }) =>
        result?.status === 'ok' &&
        model.plan.variants.find(({ id }) => id === trial.variant)?.levels[adviceFactor] === level,
    );
  const base = trialOf(unchangedLevel);
  const screened = candidates
    .map((candidate): Screened => {
      const own = trialOf(candidate.title);
      if (own === undefined) {
        const why = failureOf(model, candidate);
        return { candidate, why, isLate: why === null, ratio: 1 };
      }
      const ratio = base
        ? isDrop(candidate)
          ? writeRatio(candidate, own, base, weights)
          : timeRatio(own, base, weights)
        : 1;
      // An index that replaces another index has the same name in plans.
      const isNew = candidate.steps.every((step) => step.do === 'createIndex');
      const isUnread = base !== undefined && isNew && havePlans(own) && havePlans(base) && samePlans(own, base);
      if (isUnread)
        return {
          candidate,
          why: 'The server’s plans are the same with it (EXPLAIN): it does not read the index.',
          isLate: false,
          ratio,
        };
      return { candidate, why: null, isLate: false, ratio };
    })
    .toSorted((a, b) => a.ratio - b.ratio);
  const isUnused = ({ candidate }: Screened) => candidate.kind === 'unusedIndex';
  const best = screened.find((one) => one.why === null && !one.isLate && !isUnused(one));
  const isNearBest = ({ ratio }: Screened) => ratio <= (best?.ratio ?? 0) * (1 + mostApart);
  const kindOf = ({ candidate }: Screened) => adviceKinds.indexOf(candidate.kind);
  return screened.toSorted(
    (a, b) =>
      Number(isUnused(a)) - Number(isUnused(b)) ||
      Number(isNearBest(b)) - Number(isNearBest(a)) ||
      (isNearBest(a) ? kindOf(a) - kindOf(b) : 0),
  );
}

/** One trial does not tell apart two times that differ by this share; the simpler candidate then comes first. */
const mostApart = 0.5;

/** The reason why a candidate has no good trial; null: the budget ended first. */
function failureOf({ plan, trials }: Pick<RunModel, 'plan' | 'trials'>, { title }: Candidate): string | null {
  const variant = plan.variants.find(({ levels }) => levels[adviceFactor] === title);
  const error = trials.find(({ trial }) => trial.variant === variant?.id)?.result?.error;
  const skipped = plan.skipped.find((one) => one.variant === variant?.id);
  return error && error.kind !== 'cancelled' ? `It failed: ${error.message}` : (skipped?.reason ?? null);
}

const havePlans = ({ queryPlans }: TrialView): boolean => queryPlans.some(({ plan }) => plan !== null);

const samePlans = (own: TrialView, base: TrialView): boolean =>
  own.queryPlans.every(({ statement, plan }) => {
    const before = base.queryPlans.find((one) => one.statement === statement)?.plan;
    return plan === null || !before || planShape(plan) === planShape(before);
  });

const timeOf = ({ result }: TrialView, work: string): number | null => {
  const times = result && trialTimes(result, work);
  return times?.ms(0.5) ?? times?.ms('mean') ?? null;
};

function timeRatio(own: TrialView, base: TrialView, weights: ReadonlyMap<string, number>): number {
  const sums = [...weights].reduce(
    ([a, b], [work, weight]): [number, number] => {
      const [after, before] = [timeOf(own, work), timeOf(base, work)];
      return after === null || before === null ? [a, b] : [a + after * weight, b + before * weight];
    },
    [0, 0] as [number, number],
  );
  return sums[1] === 0 ? 1 : sums[0] / sums[1];
}

/** A dropped index makes writes faster: the writes of the file, or the probes. */
function writeRatio(
  { tables }: Candidate,
  own: TrialView,
  base: TrialView,
  weights: ReadonlyMap<string, number>,
): number {
  const probes = new Map(tables.map((table) => [probeName(table), 1]));
  const [ofProbes, ofAll] = [timeRatio(own, base, probes), timeRatio(own, base, weights)];
  return Math.min(ofProbes, ofAll);
}
