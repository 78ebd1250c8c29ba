import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { expandVariants } from '#planning/expand-variants.ts';
import { plannedMeasure } from '#planning/planned-measure.ts';
import type { Plan, SkippedCell, Variant } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { Sfc32 } from '#stats/random/random.ts';
import { throughput } from '#stats/random/samples.fixture.ts';
import { madeResults } from '../compare/made-cells.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { type AskedGap, gapFile } from './gap-file.ts';

/** Made-up experiments and runs with a gap, for tests only. */

/** A file whose two variants differ in these settings, which are levels of one factor. */
export const twoVariants = (from: object, to: object, more: object = {}): string =>
  JSON.stringify({
    dyno: 1,
    name: 'A copy',
    question: 'Why is it slow?',
    dataset: { rows: 100, key: 'id', columns: { id: { type: 'sequence' }, text: { type: 'text', length: 10 } } },
    workload: { operation: 'insert' },
    factors: { variant: { old: { method: 'prepared', ...from }, new: { method: 'prepared', ...to } } },
    targets: ['noop'],
    ...more,
  });

/** The plan of a file, without what engines cannot do. */
function planOfFile(text: string, targets: readonly string[] = ['t0']): Plan {
  const { experiment, diagnostics } = parseFile(text);
  if (experiment === null) throw new Error(JSON.stringify(diagnostics));
  const variants = expandVariants(experiment);
  return {
    experiment,
    variants,
    targets: targets.map((name, index) => ({ name, engine: 'noop', index })),
    skipped: [],
    trials: [],
    measure: plannedMeasure(experiment, variants),
  };
}

/** The experiment between the two variants of a file. */
export function gapBetween(text: string, target = 'noop') {
  const plan = planOfFile(text);
  const [from, to] = [plan.variants[0]!.id, plan.variants.at(-1)!.id];
  const asked: AskedGap = { from, to, target };
  return gapFile(readYaml(text), plan, asked);
}

export interface MadeGap {
  readonly repeats?: number;
  readonly cv?: number;
  readonly targets?: readonly string[];
  readonly skipped?: readonly SkippedCell[];
  /** The mean rate of a variant on a target. */
  readonly rate: (variant: Variant, target: string) => number;
}

/** A run of a file with these rates, with the members that explanations of gaps read. */
export function gapRun(random: Sfc32, text: string, made: MadeGap): RunModel {
  const { repeats = 5, cv = 0.05, targets = ['t0'], skipped = [], rate } = made;
  const plan = planOfFile(text, targets);
  const isSkipped = (variant: string, target: string) =>
    skipped.some((one) => one.variant === variant && one.target === target);
  const cells = plan.variants.flatMap((variant) =>
    targets.flatMap((target) =>
      isSkipped(variant.id, target)
        ? []
        : [{ variant: variant.id, target, rates: throughput(random, repeats, cv, rate(variant, target)) }],
    ),
  );
  return { ...madeResults(targets, cells), plan: { ...plan, skipped }, skipped };
}
