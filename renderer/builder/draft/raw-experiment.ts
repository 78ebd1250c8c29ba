import { sized } from '#contract/sizes.ts';
import { readYaml } from '#contract/yaml-source.ts';

export type Path = readonly (string | number)[];

/** The experiment file as plain data, whatever is wrong with it. */
export type Raw = Readonly<Record<string, unknown>>;

/** In the size that the file chooses. Null where the text is not YAML as we read it, or not a mapping: the form then waits for the text to be mended. */
export function readRaw(text: string): Raw | null {
  const value = sized(readYaml(text).value);
  return isRecord(value) ? value : null;
}

export const isRecord = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings and options that a factor varies: by its own name, or inside its named levels. */
export const variedBy = (factor: string, levels: unknown): readonly string[] =>
  isRecord(levels) ? Object.values(levels).flatMap((bundle) => Object.keys(flatSettings(bundle))) : [factor];

/** Settings and, by their full names, the options of engines beside them. */
export function flatSettings(bundle: unknown): Raw {
  const { options, ...settings } = isRecord(bundle) ? bundle : {};
  return { ...settings, ...(isRecord(options) ? options : {}) };
}

/** Where a setting or an engine's option stands in a workload or bundle. */
export const settingPath = (name: string): Path => (name.includes('.') ? ['options', name] : [name]);

/** The value at a path, undefined where there is none. */
export function at(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return (value as readonly unknown[])[Number(key)];
    return isRecord(value) ? value[key] : undefined;
  }, raw);
}

export const recordAt = (raw: unknown, path: Path): Raw => {
  const value = at(raw, path);
  return isRecord(value) ? value : {};
};

export const listAt = (raw: unknown, path: Path): readonly unknown[] => {
  const value = at(raw, path);
  return Array.isArray(value) ? value : [];
};

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A share as per cent, or the other way round, without the tail that 0.03 × 100 has in binary. */
export const scaled = (value: number | null, factor: 100 | 0.01): number | null =>
  value === null ? null : Number((value * factor).toPrecision(6));
