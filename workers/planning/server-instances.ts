import { serverParametersOf } from '#experiment/schema/server.ts';
import { many } from '#model/format/plural.ts';
import type { AskedParameters, ServerParameters } from '#model/settings/server-parameters.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { formatChange, type ServerChange } from '#protocol/server-change.ts';
import { copySource } from '#rules/cells/copy-source.ts';
import { planOf, variantOf } from './variant-of.ts';

/** A set of parameters that variants have for a target: of a server of the run's own, or of the user's server. */
export interface ServerInstance {
  readonly parameters: ServerParameters;
  /** The parameters of all sets of the target: each trial's result contains the values of all of them. */
  readonly asked: AskedParameters;
}

type Planned = Pick<Plan, 'targets' | 'variants' | 'experiment' | 'measure' | 'skipped' | 'trials'>;

/** The parameters that a variant has for servers of an engine. */
const parametersOf = (plan: Planned, variant: string, engine: string): ServerParameters =>
  serverParametersOf(planOf(plan, variantOf(plan, variant)).experiment, engine);

/** Names a set of parameters, whatever their order. */
const keyOf = (parameters: ServerParameters): string => JSON.stringify(Object.entries(parameters).sort());

/**
 * The names of sets of parameters by variant and target, kept because a run asks for the name of each remaining trial.
 */
const known = new WeakMap<Planned['variants'], Map<string, string>>();

/** The name of the set of parameters that a variant has for a target, to tell trials on different servers apart. */
export function serverKey(plan: Planned, variant: string, target: string): string {
  const own = known.get(plan.variants) ?? new Map<string, string>();
  known.set(plan.variants, own);
  const cell = `${variant}\n${target}`;
  const before = own.get(cell);
  if (before !== undefined) return before;
  const engine = plan.targets.find(({ name }) => name === target)?.engine ?? '';
  const key = keyOf(parametersOf(plan, variant, engine));
  own.set(cell, key);
  return key;
}

/** Names the server on which a trial runs: that of its target, or one of the servers that the target has. */
export const serverOf = (plan: Planned, { variant, target }: Pick<PlannedTrial, 'variant' | 'target'>): string =>
  isChanged(plan, target) ? target : `${target} ${serverKey(plan, variant, target)}`;

/** True if the sets of parameters follow one another on the user's server. */
const isChanged = ({ targets }: Pick<Planned, 'targets'>, target: string): boolean =>
  targets.some(({ name, changesServer }) => name === target && changesServer === true);

/**
 * The servers that a run starts for a target: one for each set of parameters, also for the empty one, so that all of
 * them are new and alike. Null: no variant sets a parameter there, or the server is the user's.
 */
export const instancesOf = (plan: Planned, target: string): ReadonlyMap<string, ServerInstance> | null =>
  isChanged(plan, target) ? null : setsOf(plan, target);

/** The sets of parameters that variants have for a target, the empty one included. Null: no variant has a parameter. */
export function setsOf(plan: Planned, target: string): ReadonlyMap<string, ServerInstance> | null {
  const engine = plan.targets.find(({ name }) => name === target)?.engine ?? '';
  const skipped = new Set(plan.skipped.flatMap((cell) => (cell.target === target ? [cell.variant] : [])));
  const sets = new Map(
    plan.variants
      .filter((one) => !skipped.has(one.id) || copySource(one) === target)
      .map(({ id }) => parametersOf(plan, id, engine))
      .map((parameters) => [keyOf(parameters), parameters] as const),
  );
  const names = [...new Set([...sets.values()].flatMap((one) => Object.keys(one)))];
  if (names.length === 0) return null;
  return new Map(
    [...sets].map(([key, parameters]) => [
      key,
      { parameters, asked: Object.fromEntries(names.map((name) => [name, parameters[name] ?? null])) },
    ]),
  );
}

/** The time in which a server of the run's own creates its data and starts. */
export const secondsPerInstance = 1.5;

/** Parameters as a phrase: "shared_buffers = 1GB, jit = off". */
const formatParameters = (parameters: ServerParameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ') || 'the server’s own values';

/** The changes of the user's servers, which the user has to confirm by the names of their connections. */
export function serverChanges(plan: Planned): readonly ServerChange[] {
  return plan.targets.flatMap(({ name: connection, changesServer }) => {
    const sets = changesServer ? [...(setsOf(plan, connection)?.values() ?? [])] : [];
    const names = Object.keys(sets[0]?.asked ?? {});
    const valuesOf = (name: string) => [...new Set(sets.flatMap(({ parameters }) => parameters[name] ?? []))];
    const parameters = names.map((name) => ({ name, values: valuesOf(name) }));
    return parameters.length === 0 ? [] : [{ connection, parameters }];
  });
}

/** The servers and their parameters, a sentence for each target that has parameters. */
export const instanceTexts = (plan: Planned): readonly string[] => [
  ...plan.targets.flatMap(({ name }) => {
    const sets = [...(instancesOf(plan, name)?.values() ?? [])].map(({ parameters }) => formatParameters(parameters));
    return sets.length === 0
      ? []
      : [
          `${name}: ${many(sets.length, 'server')} of this run’s own (${sets.join('; ')}), started once with new data and deleted at the end. No trial waits for a restart, so the order of trials is as without parameters.`,
        ];
  }),
  ...serverChanges(plan).map(
    ({ connection, parameters }) =>
      `${connection}: the run changes ${parameters.map(formatChange).join(', ')} of your own server, for all its users. Each trial sets its values first, and the run gives the earlier ones back at its end.`,
  ),
];
