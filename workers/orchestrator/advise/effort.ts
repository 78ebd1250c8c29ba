import type { AdvisedWork, Candidate } from '#analysis/advise/candidate.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { trialTimes } from '#planning/judged/trial-times.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';

/** The bounds of the seconds of each trial that is compared. */
const [leastSeconds, mostSeconds] = [1, 5] as const;
/** Calls of a mean unit of work in a trial. */
const wantedCalls = 20;

type Result = NonNullable<RunModel['trials'][number]['result']>;

/** Candidates for the statements that take the most time come first. */
export function byTime(
  candidates: readonly Candidate[],
  { experiment }: AdvisedWork,
  result: Result,
): readonly Candidate[] {
  const weights = weightsOf(experiment);
  const timeOf = (name: string) => (trialTimes(result, name)?.ms('mean') ?? 0) * (weights.get(name) ?? 1);
  const sum = [...weights.keys()].reduce((all, name) => all + timeOf(name), 0);
  const shareOf = ({ statements }: Candidate) =>
    // A dropped index helps every write a little.
    statements.length === 0 ? 0.3 : statements.reduce((all, name) => all + timeOf(name), 0) / Math.max(1e-9, sum);
  return candidates.toSorted((a, b) => shareOf(b) - shareOf(a));
}

/** The seconds of a trial in which the mix is called often enough. */
export function secondsFor({ experiment }: AdvisedWork, result: Result): number {
  const ms = [...weightsOf(experiment).keys()].map((name) => trialTimes(result, name)?.ms('mean') ?? 0);
  const mean = ms.reduce((sum, one) => sum + one, 0) / Math.max(1, ms.length);
  return Math.min(mostSeconds, Math.max(leastSeconds, (mean * wantedCalls) / 1_000));
}

/** Forking, logging in and dropping tables, s. */
const aroundTrial = 0.4;

/** The mean seconds of trials beside their calls: their tables are made, loaded and dropped. */
export const besideOf = (results: readonly Result[]): number =>
  aroundTrial +
  (meanOrNull(
    results.map(({ phaseMs }) =>
      Object.entries(phaseMs)
        .filter(([phase]) => phase !== 'warmup' && phase !== 'measure')
        .reduce((sum, [, ms]) => sum + ms / 1_000, 0),
    ),
  ) ?? 0);
