import { Sfc32 } from '#stats/random/random.ts';
import { madeTimes } from '../compare/made-times.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** Made-up rehearsals, for tests only. */

type Made = Parameters<typeof madeTimes>[1];

/** A made-up run whose file is a rehearsal: t0 is the reference, and each statement has this share of the time. */
export function rehearsed(random: Sfc32, made: Omit<Made, 'variants'>, margin = 0.1, share = 0.1): RunModel {
  const model = madeTimes(random, { ...made, variants: 1 });
  const { experiment } = model.plan;
  const statements = Object.fromEntries(
    Object.entries(experiment.statements ?? {}).map(([name, one]) => [name, { ...one, timeShare: share }]),
  );
  return {
    ...model,
    // A run that is going on has no grade yet; made-up trials lack the figures for one.
    status: 'running',
    skipped: [],
    trials: model.trials.map((view) => ({ ...view, queryPlans: [] })),
    plan: {
      ...model.plan,
      skipped: [],
      experiment: { ...experiment, statements, baseline: { target: 't0' }, rehearsal: { margin, leftOut: [] } },
    },
  };
}

/** A rehearsal in which the candidate t1 takes 2.1 times as long for s3, and is equal in all others. */
export const planted = (more: Partial<Made> = {}) =>
  rehearsed(new Sfc32(5), {
    ...{ targets: 2, statements: 4, repeats: 5, calls: 1_000, correlation: 0, cv: () => 0.01 },
    ms: (_, target, statement) => (target === 1 && statement === 3 ? 21 : 10),
    ...more,
  });
