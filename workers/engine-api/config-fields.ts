import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { ConfigField } from './config.ts';

type Raw = Readonly<Record<string, unknown>>;

/**
 * The values of a target's keys, checked against the engine's fields. Absent, null and empty text are all "not given".
 */
export interface FieldReader {
  /**
   * A text as it was given; null: not given.
   * @throws DynoError 'badInput' for a value of another type, here and below.
   */
  text(name: string): string | null;
  /** A whole number within the field's bounds. */
  whole(name: string, fallback: number): number;
  /** True or false; a text is refused. */
  flag(name: string, fallback: boolean): boolean;
  /** One of the choices, in capitals or not. */
  choice<C extends string>(name: string, choices: readonly C[], fallback: C): C;
  /** Texts, numbers and booleans by name, as text; empty: not given. */
  map(name: string): Readonly<Record<string, string>>;
}

/**
 * Parses a target by its engine's fields. Throws 'badInput', naming the key, for unknown keys and for values of the
 * wrong kind. The message does not repeat the value, which may be a secret in the wrong place.
 */
export function readFields(label: string, fields: readonly ConfigField[], raw: Raw): FieldReader {
  const names = fields.map((field) => field.name);
  for (const key of Object.keys(raw))
    if (!names.includes(key))
      throw new DynoError('badInput', `${label} targets have no key "${key}".`, {
        hint: didYouMean(key, names) ?? `Keys: ${names.join(', ') || 'none'}.`,
      });
  const given = (name: string): unknown => (raw[name] === null || raw[name] === '' ? undefined : raw[name]);
  const field = (name: string) => {
    const found = fields.find((one) => one.name === name);
    if (!found) throw new DynoError('internal', `${label} has no field "${name}".`);
    return found;
  };
  const wrong = (name: string, expected: string) => new DynoError('badInput', `${name} must be ${expected}.`);
  return {
    text(name) {
      const value = given(field(name).name);
      if (value === undefined) return null;
      if (typeof value !== 'string') throw wrong(name, 'text');
      return value;
    },
    whole(name, fallback) {
      const { min = 0, max = Number.MAX_SAFE_INTEGER } = field(name);
      const value = given(name) ?? fallback;
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
        throw wrong(name, `a whole number from ${min} to ${max}`);
      return value;
    },
    flag(name, fallback) {
      const value = given(field(name).name) ?? fallback;
      if (typeof value !== 'boolean') throw wrong(name, 'true or false');
      return value;
    },
    choice(name, choices, fallback) {
      const value = given(field(name).name) ?? fallback;
      // Manuals write some of the choices in capitals.
      const found = choices.find((one) => one.toLowerCase() === String(value).toLowerCase());
      if (found === undefined) throw wrong(name, `one of ${choices.join(', ')}`);
      return found;
    },
    map(name) {
      const value = given(field(name).name) ?? {};
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw wrong(name, 'a map of name: value');
      for (const [key, entry] of Object.entries(value))
        if (!['string', 'number', 'boolean'].includes(typeof entry))
          throw wrong(`${name}.${key}`, 'a text, number or boolean');
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, String(entry)]));
    },
  };
}

/**
 * The parts that a URL gives, under the engine's own key names; absent parts are left out. Keys of the target override
 * them.
 */
export const given = (values: Readonly<Record<string, string | number | boolean | null | undefined>>): Raw =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
