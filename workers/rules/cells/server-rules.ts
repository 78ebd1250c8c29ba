import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import {
  noServerParametersText,
  type ParameterTarget,
  serverParameterProblem,
} from '#engine-api/support/server-parameters.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { changesIn } from '#experiment/schema/levels.ts';
import { serverParametersOf } from '#experiment/schema/server.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';
import { builtInOf } from '../targets/target-fields.ts';
import { copySource } from './copy-source.ts';
import { problemsByEngine } from './problems-by-engine.ts';

/** The facts about a target that decide if its server gets parameters. */
const parameterTarget = ({ engine, position, mark }: TargetWithEngine, { targets }: Experiment): ParameterTarget => ({
  builtIn: builtInOf(targets[position]!, engine),
  isConnection: typeof targets[position] === 'string',
  isProduction: mark !== null,
});

/** The reason why a target's server cannot have the experiment's parameters, as a sentence; null: it can. */
export function noServerText(resolved: TargetWithEngine, experiment: Experiment): string | null {
  const names = Object.keys(serverParametersOf(experiment, resolved.engine.id));
  return names.length === 0
    ? null
    : noServerParametersText(resolved.engine, parameterTarget(resolved, experiment), names);
}

/** The reason why the source target of a copy cannot have the parameters; null: it can, or nothing is copied. */
export function noServerOfSourceText(
  variant: { readonly settings: Settings },
  targets: readonly TargetWithEngine[],
  experiment: Experiment,
): string | null {
  const name = copySource(variant);
  const source = targets.find(({ target }) => target.name === name);
  if (!source || Object.keys(serverParametersOf(experiment, source.engine.id)).length === 0) return null;
  const why = parameterTarget(source, experiment).builtIn
    ? noServerText(source, experiment)
    : 'Dyno changes parameters of your own server only for the trials that run there.';
  return why === null ? null : `${name}, which rows are copied from: ${why}`;
}

/** True if a target's server is the user's, and a part of the experiment has parameters for it. */
export const changesServer = (resolved: TargetWithEngine, experiment: Experiment): boolean =>
  builtInOf(experiment.targets[resolved.position]!, resolved.engine) === null &&
  [experiment, ...changesIn(experiment).map(({ change }) => change)].some(
    (one) => Object.keys(serverParametersOf(one, resolved.engine.id)).length > 0,
  );

/** Parameters for engines that do not exist, and parameters that are never set, with their paths. */
export const serverProblems = (
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
): Generator<Problem, void> =>
  problemsByEngine(
    { key: 'server', problemOf: serverParameterProblem, placeText: ({ label }) => `of servers of ${label}` },
    experiment,
    catalog,
  );
