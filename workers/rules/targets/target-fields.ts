import type { ConfigField } from '#engine-api/config.ts';
import type { BuiltInTarget, EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment, TargetSpec } from '#experiment/schema/experiment.ts';
import { urlField } from '#model/connections.ts';

type Raw = Readonly<Record<string, unknown>>;

/** Fields of all engines with the address of a server, or its login. */
const addressFields = [
  ...[urlField, 'host', 'port', 'srv', 'replicaSet', 'path', 'file'],
  ...['connectString', 'serviceName', 'sid', 'database', 'user', 'password'],
];

/** A target's own keys, without the keys of the file format. */
export function writtenOut({ name: _, engine: __, ...written }: TargetSpec): Raw {
  return written;
}

/**
 * True for an inline target without an address, of an engine that Dyno can start: it means the engine's first built-in
 * target, with the given options.
 */
export const isBuiltIn = (raw: Raw, { builtIn }: EngineDescriptor): boolean =>
  builtIn.length > 0 && addressFields.every((name) => raw[name] === undefined);

/** The target of this name as the file of an experiment has it; undefined: the file has no such target. */
export const specOf = ({ targets }: Pick<Experiment, 'targets'>, name: string): string | TargetSpec | undefined =>
  targets.find((one) => (typeof one === 'string' ? one : one.name) === name);

/** The built-in target that a specification means; null: a server that Dyno does not manage. */
export const builtInOf = (spec: string | TargetSpec, engine: EngineDescriptor): BuiltInTarget | null =>
  (typeof spec === 'string'
    ? engine.builtIn.find(({ target }) => target === spec)
    : isBuiltIn(spec, engine)
      ? engine.builtIn[0]
      : undefined) ?? null;

/** The name of a built-in target's product, as targets of one version begin: `mariadb` of `local-mariadb`. */
export const productOf = (target: string): string => target.replace(/^(?:local|embedded)-|@.*$/g, '');

/** The built-in targets of the other versions of a built-in target's product, or of the products that it may be. */
export function otherVersions(target: string, { builtIn }: EngineDescriptor): readonly BuiltInTarget[] {
  const products = builtIn.find((one) => one.target === target)?.products ?? [productOf(target)];
  return builtIn.filter(
    (one) => one.version !== undefined && one.target !== target && products.includes(productOf(one.target)),
  );
}

/** Required fields that are empty; none with a URL, which the engine's own parser checks. */
export const missingFields = (fields: readonly ConfigField[], raw: Raw): readonly ConfigField[] =>
  fields.filter(({ name, required }) => required === true && raw[urlField] === undefined && isEmpty(raw[name]));

const isEmpty = (value: unknown): boolean => value === undefined || value === '';
