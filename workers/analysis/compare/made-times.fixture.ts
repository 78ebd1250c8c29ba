import { Histogram } from '#stats/histogram/histogram.ts';
import type { Sfc32 } from '#stats/random/random.ts';
import { autoregressive, normal } from '#stats/random/samples.fixture.ts';
import type { LoadSummary, RunModel } from '../run-model/run-model.ts';
import { type MadeCells, madeCells } from './made-cells.fixture.ts';

/** Made-up cells whose load sets their throughput, for tests only. */

interface MadeTimes extends Omit<MadeCells, 'rate'> {
  readonly statements?: number;
  /** Calls of each statement in a trial. */
  readonly calls?: number;
  /** Correlation of each call with the one before; default: 0.9. */
  readonly correlation?: number;
  /** The typical time of a statement in a cell, ms. */
  readonly ms?: (variant: number, target: number, statement: number) => number;
}

/**
 * A run of cells that all carried their load. Calls follow each other with a first-order correlation, and their times
 * have a Pareto tail without a variance (index 1.5). Each trial is slower or faster as a whole, too, by `cv`.
 */
export function madeTimes(random: Sfc32, made: MadeTimes): RunModel {
  const { statements = 1, calls = 250, correlation = 0.9, cv = () => 0.05, ms = () => 10 } = made;
  const names = Array.from({ length: statements }, (_, i) => `s${i}`);
  const model = madeCells(random, { ...made, rate: () => 1_000, cv: () => 0.001 });
  const whole = new Histogram();
  const own = new Histogram();
  return {
    ...model,
    plan: {
      ...model.plan,
      experiment: { statements: Object.fromEntries(names.map((name) => [name, { text: '', parameters: {} }])) },
    },
    cells: model.cells.map((cell) => ({ ...cell, load: { setsThroughput: true } as LoadSummary })),
    trials: model.trials.map((view) => {
      const [variant, target] = [Number(view.trial.variant.slice(1)), Number(view.trial.target.slice(1))];
      const slowness = Math.exp(cv(variant, target) * normal(random));
      whole.reset();
      const counted = names.map((name, i) => {
        own.reset();
        // A logistic curve is close to the normal distribution function, and 1 − U is then 1 ÷ (1 + exp(1.702 z)).
        for (const z of autoregressive(random, calls, correlation))
          own.record(ms(variant, target, i) * slowness * 1e6 * (1 + Math.exp(1.702 * z)) ** (1 / 1.5));
        whole.add(own);
        return { name, kind: 'statement', calls, rows: 0, errors: {}, service: own.encode(), failed: null };
      });
      const { result } = view;
      return {
        ...view,
        result: {
          ...result!,
          ...view.trial,
          totals: { ...result!.totals, service: whole.encode() },
          statements: counted,
        },
      };
    }),
  } as unknown as RunModel; // the parts that comparisons read
}
