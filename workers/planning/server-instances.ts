import { serverParametersOf } from '#experiment/schema/server.ts';
import { many } from '#model/format/plural.ts';
import type { AskedParameters, ServerParameters } from '#model/settings/server-parameters.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { copySource } from '#rules/cells/copy-source.ts';
import { planOf, variantOf } from './variant-of.ts';

/** A server that a run starts for itself, because its experiment sets parameters of it. */
export interface ServerInstance {
  readonly parameters: ServerParameters;
  /** The parameters of this server and of the target's other ones, so that results have each of them in every trial. */
  readonly asked: AskedParameters;
}

type Planned = Pick<Plan, 'targets' | 'variants' | 'experiment' | 'measure' | 'skipped' | 'trials'>;

/** The parameters that a variant has for servers of an engine. */
const parametersOf = (plan: Planned, variant: string, engine: string): ServerParameters =>
  serverParametersOf(planOf(plan, variantOf(plan, variant)).experiment, engine);

/** Names a set of parameters, whatever their order. */
const keyOf = (parameters: ServerParameters): string => JSON.stringify(Object.entries(parameters).sort());

/** The names of sets of parameters by variant and target: a run asks for that of every remaining trial. */
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
  `${target} ${serverKey(plan, variant, target)}`;

/**
 * The servers that a run starts for a target: one for each set of parameters, also for the empty one, so that all of
 * them are new and alike. Null: no variant sets a parameter there, so that the target keeps its usual server.
 */
export function instancesOf(plan: Planned, target: string): ReadonlyMap<string, ServerInstance> | null {
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

/** The time that a server of a run's own takes to make its data and to start. */
export const secondsPerInstance = 1.5;

/** Parameters as a phrase: "shared_buffers = 1GB, jit = off". */
const formatParameters = (parameters: ServerParameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ') || 'the server’s own values';

/** The servers that the run starts for itself, a sentence for each target that has some. */
export const instanceTexts = (plan: Planned): readonly string[] =>
  plan.targets.flatMap(({ name }) => {
    const sets = [...(instancesOf(plan, name)?.values() ?? [])].map(({ parameters }) => formatParameters(parameters));
    return sets.length === 0
      ? []
      : [
          `${name}: ${many(sets.length, 'server')} of this run’s own (${sets.join('; ')}), started once with new data and deleted at the end. No trial waits for a restart, so the order of trials is as without parameters.`,
        ];
  });
