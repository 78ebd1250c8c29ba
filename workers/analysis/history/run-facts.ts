import { type MachineFacts, machineFactsOf } from '../compare/compare-machines.ts';
import type { ComparedRun } from '../compare/what-changed.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** The parts of a run by which its history tells what changed since the run before. */
export type RunFacts = ComparedRun & MachineFacts;

/** The facts of a run, without everything that a comparison of runs does not read. */
export function factsOf(run: RunModel): RunFacts {
  const { plan, targets, files, trials } = run;
  const hosts = new Map(
    trials.flatMap(({ result }) => result?.loadHosts ?? []).map((host) => [`${host.name} ${host.cores}`, host]),
  );
  return {
    plan: { experiment: plan.experiment, variants: plan.variants },
    targets: targets.map(({ name, engine, address, details, fingerprint, descriptor: { label, builtIn } }) => ({
      ...{ name, engine, address, details, fingerprint },
      descriptor: { label, builtIn: builtIn.map(({ target }) => ({ target })) },
    })),
    files,
    trials: hosts.size === 0 ? [] : [{ result: { loadHosts: [...hosts.values()] } }],
    ...machineFactsOf(run),
  };
}
