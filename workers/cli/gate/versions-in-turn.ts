import { isDeepStrictEqual } from 'node:util';
import { interleaved } from '#analysis/compare/interleaved.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { DynoError } from '#model/error.ts';
import type { Home } from '#platform/paths.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import { requireTrust } from '../experiments/require-trust.ts';
import { withOpenEnd } from './until-decided.ts';

/** With fewer repeats of both versions in turn, an interval is too wide for most limits. */
export const leastInTurn = 3;

/** An experiment with two versions as targets. */
interface VersionsInTurn {
  readonly experiment: TrustedExperiment;
  /** The baseline's target for each target of the judged version. */
  readonly inTurn: ReadonlyMap<string, string>;
}

/**
 * Makes the experiment that measures the version of an earlier run and that of this experiment in turn: the targets of
 * both. Null where there is none, because both have the same targets, or differ by more than their targets. The
 * function returns null where somebody else's run names targets that the user has not trusted.
 */
export function versionsInTurn(
  before: RunModel | null,
  now: Pick<TrustedExperiment, 'yaml' | 'plan'>,
): ((home: Home) => VersionsInTurn | null) | null {
  if (before === null || !haveSameWork(before.plan, now.plan)) return null;
  const made = interleaved(before, now);
  if (!made.isComplete) return null;
  return (home) => {
    const old = trustedOrNull(home, before.yaml);
    const experiment = old && trustedOrNull(home, made.text, true);
    if (experiment === null) return null;
    const names = new Set(experiment.plan.targets.map(({ name }) => name));
    const judged = now.plan.targets.map(({ name }) => name);
    const renamed = judged.filter((name) => names.has(`${name} before`));
    return { experiment, inTurn: new Map(renamed.map((name) => [name, `${name} before`])) };
  };
}

/** True if two plans differ in nothing but their targets, their repeats and their words. */
function haveSameWork({ experiment: before }: Plan, { experiment: now }: Plan): boolean {
  const workOf = ({ targets, measure: { repeats, budgetSeconds, ...measure }, ...rest }: Plan['experiment']) => {
    const { name, question, about, baseline, ...work } = rest;
    return { ...work, measure };
  };
  const names = (targets: Plan['experiment']['targets']) =>
    targets.map((one) => (typeof one === 'string' ? one : one.name)).toSorted();
  return isDeepStrictEqual(workOf(before), workOf(now)) && isDeepStrictEqual(names(before.targets), names(now.targets));
}

/** The experiment of a text if the user has trusted it; a run file may come from anybody. */
function trustedOrNull(home: Home, yaml: string, isOpen = false): TrustedExperiment | null {
  try {
    const file = parseFile(yaml);
    return requireTrust(home, { file: isOpen ? withOpenEnd(file) : file }, false);
  } catch (thrown) {
    if (thrown instanceof DynoError) return null;
    throw thrown;
  }
}
