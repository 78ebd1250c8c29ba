import type { EngineConfig, GuardedConfig } from '#engine-api/config.ts';
import type { TargetSpec } from '#experiment/schema/experiment.ts';
import { createRun, resumeRun } from '#orchestrator/run/run.ts';
import { leastExperiment } from '#orchestrator/try/least-experiment.ts';
import { tryOnce } from '#orchestrator/try/try-once.ts';
import type { Home } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import { builtInTarget, openGate, type TrustedExperiment, type TrustedTarget } from '#workspace/trust/gate.ts';

/** An experiment that the user trusts. Throws 'badInput' like the gate. */
export function trusted(home: Home, yaml: string): TrustedExperiment {
  const judged = openGate(home).experiment({ file: parseFile(yaml) }, true);
  if ('foreign' in judged) throw new Error('The gate does not let a trusted text through.');
  return judged.trusted;
}

/** A target in the form of an experiment. */
export function trustedTarget(home: Home, spec: string | TargetSpec): TrustedTarget {
  if (typeof spec === 'string') return builtInTarget(spec);
  const judged = openGate(home).targetIn({ file: parseFile(JSON.stringify(leastExperiment(spec))) }, spec.name, true);
  if ('foreign' in judged) throw new Error('The gate does not let a trusted target through.');
  return judged.trusted;
}

type RunOptions = Omit<Parameters<typeof createRun>[0], 'experiment'>;

/** A run of an experiment that the user trusts. */
export const newTrustedRun = async ({ home, yaml, ...options }: RunOptions & { readonly yaml: string }) =>
  createRun({ ...options, home, experiment: trusted(home, yaml) });

/** A resumed run of an experiment that the user trusts. */
export const resumeTrusted = async ({ home, file, ...options }: Omit<Parameters<typeof resumeRun>[0], 'experiment'>) =>
  resumeRun({ ...options, home, file, experiment: trusted(home, (await headerOf(file)).yaml) });

/** A try of statements of an experiment that the user trusts. */
export const tryTrusted = async ({
  home,
  yaml,
  ...options
}: Omit<Parameters<typeof tryOnce>[0], 'experiment'> & { readonly yaml: string }) =>
  tryOnce({ ...options, home, experiment: trusted(home, yaml) });

/** A configuration for a worker process, without a target. */
export const guarded = <C extends EngineConfig>(config: C): C & GuardedConfig => config as C & GuardedConfig;
