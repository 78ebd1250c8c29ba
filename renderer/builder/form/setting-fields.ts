import { type SettingName, settingDefinitions, settingNames } from '#model/settings/settings.ts';
import { shapeOf } from '#model/shape.ts';
import { isSetting } from '#rules/file/factor-rules.ts';
import { loadHosts } from '../../state/load-hosts.ts';
import { type FormField, fieldOf } from './form-field.ts';

const settingFieldOf = (name: SettingName): FormField => {
  const { schema, default: usual } = settingDefinitions[name];
  return { ...fieldOf(name, shapeOf(schema)), defaultValue: String(usual), hasDefault: true, required: false };
};

export const settingFields: readonly FormField[] = settingNames.map(settingFieldOf);

export const settingField = (name: string): FormField | undefined => settingFields.find((field) => field.name === name);

/** The value in the file for an option of a choice. */
export const levelOf = ({ isBoolean }: Pick<FormField, 'isBoolean'>, id: string): string | boolean =>
  isBoolean ? id === 'true' : id;

/**
 * The label of an option: booleans as variants are labelled, other options by their title or their value in the file.
 */
export const choiceText = ({ isBoolean, choices }: Pick<FormField, 'isBoolean' | 'choices'>, id: string): string =>
  isBoolean ? (id === 'true' ? 'on' : 'off') : (choices?.[id] ?? id);

/** The words for a default with a meaning of its own: "one per connection" for 0 users. Undefined for others. */
export const defaultInWords = ({ name, defaultValue }: Pick<FormField, 'name' | 'defaultValue'>): string | undefined =>
  isSetting(name) ? settingDefinitions[name].words[defaultValue] : undefined;

/**
 * Returns two levels for a new factor of this setting. `own`: the value of the file, which is the first level, because
 * ratios refer to it. The second level is then the default, unless this is the value of the file.
 */
export function firstLevels(field: FormField, own?: unknown): readonly [Level, Level] {
  const usual = usualLevels(field);
  if (!isLevel(own)) return usual;
  const others = usual.filter((level) => level !== own);
  return [own, others.find((level) => String(level) === field.defaultValue) ?? others[0] ?? own];
}

/** True for a value that a list of levels can have. */
export const isLevel = (value: unknown): value is Level => ['string', 'number', 'boolean'].includes(typeof value);

const usualLevels = ({
  name,
  kind,
  options,
  numbers: { min = 1, max = Number.MAX_SAFE_INTEGER },
  defaultValue,
  isBoolean,
}: FormField): readonly [Level, Level] => {
  if (kind === 'choice') {
    // The level without the setting comes first, because ratios refer to the first level.
    const ordered = options.toSorted((a, b) => Number(b === 'none') - Number(a === 'none'));
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
