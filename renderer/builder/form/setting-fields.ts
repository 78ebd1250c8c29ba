import { numberRules } from '#model/settings/number-rules.ts';
import { type SettingName, settingDefinitions, settingNames } from '#model/settings/settings.ts';
import type { NumberRules } from '#model/text/read-number.ts';
import { loadHosts } from '../../state/load-hosts.ts';

/**
 * A form field for a setting or engine option, read from the schema, so that a new one gets it without further code.
 */
export interface SettingField {
  /** Name of a setting, or `engine.option`. */
  readonly name: string;
  /** The name of the field as the form shows it, without the unit. */
  readonly label: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'choice' | 'number' | 'text';
  /** Options of a choice; null for other kinds. */
  readonly options: readonly string[] | null;
  /** True if the two choices are true and false. */
  readonly isBoolean: boolean;
  /** The numbers that the field takes. */
  readonly numbers: NumberRules & { readonly min: number; readonly max: number };
  readonly defaultValue: string;
}

interface Part {
  readonly pipe?: readonly Part[];
  readonly type?: string;
  readonly options?: readonly string[];
}

/** The parts of a schema, with nested pipes flattened. */
const partsOf = (part: Part): readonly Part[] => (part.pipe ? part.pipe.flatMap(partsOf) : [part]);

function fieldOf(name: SettingName): SettingField {
  const { schema, unit, label, title, help, default: usual } = settingDefinitions[name];
  const parts = partsOf({ pipe: schema.pipe as readonly Part[] });
  const find = (type: string) => parts.find((part) => part.type === type);
  const rules = numberRules(name, { pipe: schema.pipe as readonly Part[] }, unit ?? undefined);
  const isBoolean = typeof usual === 'boolean';
  const options = isBoolean ? ['true', 'false'] : (find('picklist')?.options ?? null);
  return {
    name,
    label,
    title,
    description: help,
    kind: options ? 'choice' : typeof usual === 'string' ? 'text' : 'number',
    options,
    isBoolean,
    numbers: { ...rules, min: rules.min ?? 1, max: rules.max ?? Number.MAX_SAFE_INTEGER },
    defaultValue: String(usual),
  };
}

export const settingFields: readonly SettingField[] = settingNames.map(fieldOf);

export const settingField = (name: string): SettingField | undefined =>
  settingFields.find((field) => field.name === name);

/** The value that the file has for a choice. */
export const levelOf = ({ isBoolean }: Pick<SettingField, 'isBoolean'>, id: string): string | boolean =>
  isBoolean ? id === 'true' : id;

/** A choice in the form: yes and no as variants are labelled, others as the file has them. */
export const choiceText = ({ isBoolean }: Pick<SettingField, 'isBoolean'>, id: string): string =>
  isBoolean ? (id === 'true' ? 'on' : 'off') : id;

/** Two levels for a new factor of this setting. */
export const firstLevels = ({
  name,
  kind,
  options,
  numbers: { min, max },
  defaultValue,
  isBoolean,
}: SettingField): readonly [Level, Level] => {
  if (kind === 'choice') {
    // The absent setting comes first, because ratios refer to the first level.
    const ordered = (options ?? []).toSorted((a, b) => Number(b === 'none') - Number(a === 'none'));
    const [first = defaultValue, second = defaultValue] = ordered;
    return [levelOf({ isBoolean }, first), levelOf({ isBoolean }, second)];
  }
  if (name === 'loadFrom') return [defaultValue, `${defaultValue}, ${loadHosts.get()?.hosts[0]?.host.name ?? 'load1'}`];
  if (kind === 'text') return [defaultValue, `${defaultValue}2`];
  const usual = Number(defaultValue);
  if (max === 1) return [0.1, 1];
  if (usual === 0) return [0, Math.min(10, max)];
  return usual > 1 ? [Math.max(min, Math.floor(usual / 2)), usual] : [Math.max(min, 1), Math.min(4, max)];
};

export type Level = string | number | boolean;
