import { settingsOf } from '#experiment/schema/levels.ts';
import { sized } from '#experiment/schema/sizes.ts';
import { readYaml, type YamlSource } from '#experiment/yaml/yaml-source.ts';
import type { NumberEntry } from '../../ui/controls/number-field.tsx';

export type KeyPath = readonly (string | number)[];

/** The experiment file as plain data, valid or not. */
export type Raw = Readonly<Record<string, unknown>>;

let last = readYaml('');

/** Parses the text as YAML. The last result is cached, because many components ask for it. */
export function sourceOf(text: string): YamlSource {
  if (last.text !== text) last = readYaml(text);
  return last;
}

/** Caches the parsed file after an edit, because the editor reports the same text next. */
export function keepSource(source: YamlSource): void {
  last = source;
}

/** The data of the file in its chosen size. Null if the text is not valid YAML or not a mapping. */
export function readRaw(text: string): Raw | null {
  const value = sized(sourceOf(text).value);
  return isRecord(value) ? value : null;
}

export const isRecord = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The settings and options that a factor varies: the factor's own name, or the names in its named levels. */
export const variedBy = (factor: string, levels: unknown): readonly string[] =>
  isRecord(levels) ? Object.values(levels).flatMap((bundle) => Object.keys(flatSettings(bundle))) : [factor];

/** The settings and options that factors vary. The workload does not set them. */
export const variedSettings = (raw: Raw): ReadonlySet<string> =>
  new Set(Object.entries(recordAt(raw, ['factors'])).flatMap(([name, levels]) => variedBy(name, levels)));

/** The settings of a workload or level, and its engine options with their full names. */
export function flatSettings(bundle: unknown): Raw {
  const { options, ...settings } = isRecord(bundle) ? settingsOf(bundle) : {};
  return { ...settings, ...(isRecord(options) ? options : {}) };
}

/** Path of a setting or engine option in a workload or bundle. */
export const settingPath = (name: string): KeyPath => (name.includes('.') ? ['options', name] : [name]);

/** The value at a path. Undefined if the path does not exist. */
export function at(raw: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return (value as readonly unknown[])[Number(key)];
    return isRecord(value) ? value[key] : undefined;
  }, raw);
}

export const recordAt = (raw: unknown, path: KeyPath): Raw => {
  const value = at(raw, path);
  return isRecord(value) ? value : {};
};

export const listAt = (raw: unknown, path: KeyPath): readonly unknown[] => {
  const value = at(raw, path);
  return Array.isArray(value) ? value : [];
};

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

export const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The text of a number field: the number, or the typed text if it is not a number. */
export const asEntry = (value: unknown): NumberEntry =>
  typeof value === 'number' || typeof value === 'string' ? value : null;

/** Converts a share to per cent or back without the digits that binary fractions add: 0.03 × 100 is 3. */
export const scaled = (value: NumberEntry, factor: 100 | 0.01): NumberEntry =>
  typeof value === 'number' ? Number((value * factor).toPrecision(15)) : value;
