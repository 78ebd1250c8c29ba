import type { BuiltInTarget, EngineDescriptor } from '#engine-api/descriptor.ts';
import { noServerParametersText, serverParameterProblem } from '#engine-api/support/server-parameters.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { serverParametersOf } from '#experiment/schema/server.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';
import { builtInOf } from '../targets/target-fields.ts';
import { copySource } from './copy-source.ts';
import { problemsByEngine } from './problems-by-engine.ts';

/** The reason why a target's server cannot have the experiment's parameters, as a sentence; null: it can. */
export const noServerText = (
  experiment: Experiment,
  engine: EngineDescriptor,
  builtIn: BuiltInTarget | null,
): string | null =>
  Object.keys(serverParametersOf(experiment, engine.id)).length === 0 ? null : noServerParametersText(engine, builtIn);

/** The same for the target that rows are copied from; null also where there is none. */
export function noServerOfSourceText(
  variant: { readonly settings: Settings },
  targets: readonly TargetWithEngine[],
  experiment: Experiment,
): string | null {
  const name = copySource(variant);
  const source = targets.find(({ target }) => target.name === name);
  const builtIn = source ? builtInOf(experiment.targets[source.position]!, source.engine) : null;
  const why = source ? noServerText(experiment, source.engine, builtIn) : null;
  return why === null ? null : `${name}, which rows are copied from: ${why}`;
}

/** Parameters for engines that do not exist, and parameters that are never set, with their paths. */
export const serverProblems = (
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
): Generator<Problem, void> =>
  problemsByEngine(
    { key: 'server', problemOf: serverParameterProblem, placeText: ({ label }) => `at the start of ${label}` },
    experiment,
    catalog,
  );
