import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { KnownConnection } from '#model/connections.ts';
import type { ServerMark } from '#model/production.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { meantWord } from '#model/text/nearest-word.ts';
import type { PlannedTarget } from '#protocol/plan.ts';
import { isBuiltIn, missingFields, productOf } from './target-fields.ts';
import { looksOf } from './target-looks.ts';

/** A target with its engine, only in memory: plans hold the {@link PlannedTarget} alone. */
export interface TargetWithEngine {
  readonly target: PlannedTarget;
  readonly engine: EngineDescriptor;
  /** Its position in the experiment. */
  readonly position: number;
  /** The protection of the server, and the connection whose mark it is; null: no production connection leads to it. */
  readonly mark: ServerMark | null;
}

/** Finds what protects the server of a target, by its address. */
export type FindMark = (target: Experiment['targets'][number]) => ServerMark | null;

/**
 * Finds the engine of every target; reports unknown names, engines and keys. A built-in name has priority over a
 * connection's.
 */
export function resolveTargets(
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
  report: (problem: Problem) => void,
  connections: readonly KnownConnection[] = [],
  findMark: FindMark = () => null,
): readonly TargetWithEngine[] {
  const markOf = ({ position, production }: FoundTarget): ServerMark | null =>
    production ? { production, of: [] } : findMark(experiment.targets[position]!);
  const found = findTargets(experiment, catalog, report, connections);
  const looks = looksOf(found.map(({ engine, hue }) => ({ hue, isReference: engine.reference ?? false })));
  return found.map((one, i) => {
    const { name, engine, position } = one;
    const mark = markOf(one);
    return {
      target: { name, engine: engine.id, index: looks[i]!, ...(mark && { production: true as const }) },
      engine,
      position,
      mark,
    };
  });
}

/** A target of the experiment with its own hue; null: it has none. */
interface FoundTarget {
  readonly name: string;
  readonly engine: EngineDescriptor;
  readonly position: number;
  readonly hue: number | null;
  readonly production?: KnownConnection['production'];
}

function findTargets(
  experiment: Experiment,
  catalog: readonly EngineDescriptor[],
  report: (problem: Problem) => void,
  connections: readonly KnownConnection[],
): readonly FoundTarget[] {
  return experiment.targets.flatMap((spec, position): readonly FoundTarget[] => {
    const error = (
      path: readonly (string | number)[],
      at: 'key' | 'value',
      message: string,
      advice: Pick<Problem, 'suggestion' | 'fix'>,
    ): readonly FoundTarget[] => {
      report({ path: ['targets', position, ...path], at, message, ...advice });
      return [];
    };
    /** The word at a path of this target, and the words that are allowed there. */
    const meant = (
      path: readonly string[],
      at: 'key' | 'value',
      word: string,
      known: readonly string[],
      otherwise: string,
    ) => meantWord({ path: ['targets', position, ...path], at }, word, known, otherwise);
    if (typeof spec === 'string') {
      const connection = connections.find(({ name }) => name === spec);
      const inDyno = catalog.flatMap((engine) => engine.builtIn.map((one) => ({ ...one, engine })));
      const builtIn = inDyno.find(({ target }) => target === spec);
      if (builtIn) return [{ name: spec, engine: builtIn.engine, position, hue: builtIn.hue ?? null }];
      const engine = catalog.find(({ id }) => connection?.engine === id);
      if (connection && engine)
        return [{ name: spec, engine, position, hue: connection.hue, production: connection.production }];
      if (connection)
        return error(
          [],
          'value',
          `The connection \`${spec}\` is for \`${connection.engine}\`, an engine that this Dyno does not have.`,
          { suggestion: null },
        );
      const only = inDyno.find(({ target, onlyVersion }) => onlyVersion && spec.startsWith(`${productOf(target)}@`));
      if (only)
        return error([], 'value', `\`${spec}\` is no target of Dyno. ${only.onlyVersion}`, {
          suggestion: `Write \`${only.target}\`, or add a server of your own under Connections.`,
        });
      const writtenOut = catalog.some(({ id }) => id === spec)
        ? `Write it out: { name: my-${spec}, engine: ${spec}, … } with its connection.`
        : null;
      return error(
        [],
        'value',
        `There is no connection called \`${spec}\` here, and no built-in target.`,
        writtenOut === null
          ? meant(
              [],
              'value',
              spec,
              [...inDyno, ...connections].map((one) => ('target' in one ? one.target : one.name)),
              `Add it under Connections, or write the target out. Built in: ${inDyno.map(({ target }) => target).join(', ')}.`,
            )
          : { suggestion: writtenOut },
      );
    }
    const engine = catalog.find(({ id }) => id === spec.engine);
    const ids = catalog.map(({ id }) => id);
    if (!engine)
      return error(
        ['engine'],
        'value',
        `There is no engine \`${spec.engine}\`.`,
        meant(['engine'], 'value', spec.engine, ids, `Engines: ${ids.join(', ')}.`),
      );
    const known = engine.config.map(({ name }) => name);
    for (const key of Object.keys(spec))
      if (key !== 'name' && key !== 'engine' && !known.includes(key))
        error(
          [key],
          'key',
          `${engine.label} has no \`${key}\` in its connection.`,
          meant([key], 'key', key, known, `Known here: ${known.join(', ') || 'nothing besides name and engine'}.`),
        );
    for (const { name, label, help } of isBuiltIn(spec, engine) ? [] : missingFields(engine.config, spec))
      error([], 'value', `The target \`${spec.name}\` needs \`${name}\` (${label}).`, { suggestion: help ?? null });
    return [{ name: spec.name, engine, position, hue: null }];
  });
}
