import type { ConfigField } from '#engine-api/config.ts';
import type { BuiltInTarget, EngineDescriptor } from '#engine-api/descriptor.ts';
import type { TargetSpec } from '#experiment/schema/experiment.ts';
import { urlField } from '#model/connections.ts';

type Raw = Readonly<Record<string, unknown>>;

/** Fields of all engines that say where a server is, or who logs in there. */
const addressFields = [
  ...[urlField, 'host', 'port', 'srv', 'replicaSet', 'path'],
  ...['connectString', 'serviceName', 'sid', 'database', 'user', 'password'],
];

/** A target's own keys, without those of the file format. */
export function writtenOut({ name: _, engine: __, ...written }: TargetSpec): Raw {
  return written;
}

/**
 * A written-out target that does not say where it is, of an engine that Dyno can start: its first built-in one, with
 * the options written.
 */
export const isBuiltIn = (raw: Raw, { builtIn }: EngineDescriptor): boolean =>
  builtIn.length > 0 && addressFields.every((name) => raw[name] === undefined);

/** The built-in target of an engine that is meant; null: a server of somebody else's. */
export const builtInOf = (spec: string | TargetSpec, engine: EngineDescriptor): BuiltInTarget | null =>
  (typeof spec === 'string'
    ? engine.builtIn.find(({ target }) => target === spec)
    : isBuiltIn(spec, engine)
      ? engine.builtIn[0]
      : undefined) ?? null;

/** Required fields that are empty. What a URL says is for the engine's own parser to see: with one, none is. */
export const missingFields = (fields: readonly ConfigField[], raw: Raw): readonly ConfigField[] =>
  fields.filter(({ name, required }) => required === true && raw[urlField] === undefined && isEmpty(raw[name]));

const isEmpty = (value: unknown): boolean => value === undefined || value === '';
