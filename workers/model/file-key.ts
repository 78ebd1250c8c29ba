import * as v from 'valibot';
import { type Shape, shapeOf, valueShape } from './shape.ts';

/**
 * The facts of a key of the experiment file. Together with its schema they form the key's record: form, JSON Schema,
 * `--set`, messages and documentation derive from it.
 */
export interface KeyFacts {
  /** The name of the key in the form, without the unit. Absent: the key in words ("Max length"). */
  readonly label?: string;
  /** The help in the form, in error messages, in editors and in the documentation. */
  readonly help: string;
  /** The unit, if the key does not name it. `%`: the file has a share, which the form shows in per cent. */
  readonly unit?: 's' | 'ms' | 'KB' | 'MiB' | 'Mbit/s' | '1/s' | 'rows' | '%' | undefined;
  /** The default in words, if it depends on other keys: "a tenth". */
  readonly usual?: string;
  /** The names of choices in the form. Absent: the choices as in the file. */
  readonly choices?: Readonly<Record<string, string>>;
  /** The value that the form writes when it adds the key. */
  readonly first?: unknown;
  /** The key applies only if another key has one of these values: `{ distribution: ['zipf'] }`. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** Keys that exclude this key. */
  readonly without?: readonly string[];
}

/** The label of a key with its unit; the label of a count names the counted items. */
export const keyTitle = (label: string, unit: KeyFacts['unit']): string =>
  unit === undefined || unit === 'rows' ? label : `${label} (${unit})`;

/** The schema of a key, including the key's facts. */
export function fileKey<S extends v.GenericSchema>(schema: S, facts: KeyFacts): S {
  const { label, unit, help } = facts;
  const titles = label === undefined ? [] : [v.title(keyTitle(label, unit))];
  const { pipe = [schema] } = shapeOf(schema);
  const piped = [...pipe, ...titles, v.description(help), v.metadata({ facts })];
  // Titles, descriptions and metadata change neither the accepted values of a schema nor the beginning of its pipe.
  return v.pipe(...(piped as unknown as [S])) as unknown as S;
}

/** A schema with a description: the help of a wrong value, and part of the JSON Schema. */
export const described = <S extends v.GenericSchema>(
  schema: S,
  help: string,
  facts: Omit<KeyFacts, 'label' | 'help'> = {},
): S => fileKey(schema, { ...facts, help });

/** The facts of the key with a value of this shape; undefined if its schema has none. */
export const factsOf = (shape: Shape): KeyFacts | undefined =>
  // Only `described` writes this metadata.
  v.getMetadata(valueShape(shape) as unknown as v.GenericSchema).facts as KeyFacts | undefined;
