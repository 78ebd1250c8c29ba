import { type SettingName, settingDefinitions, settingNames } from '#contract/settings/settings.ts';

/** What the form needs to know of a setting or an engine's option; read from its schema, so that a new one gets its field by itself. */
export interface SettingField {
  /** A setting's, or `engine.option`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'choice' | 'number' | 'text';
  /** Of a choice; else null. */
  readonly options: readonly string[] | null;
  /** Its two choices stand for yes and no. */
  readonly isBoolean: boolean;
  /** Bounds of a number. */
  readonly min: number;
  readonly max: number;
  readonly byDefault: string;
}

interface Part {
  readonly pipe?: readonly Part[];
  readonly type?: string;
  readonly options?: readonly string[];
  readonly requirement?: unknown;
}

/** A schema's parts, pipes within pipes opened. */
const partsOf = (part: Part): readonly Part[] => (part.pipe ? part.pipe.flatMap(partsOf) : [part]);

function fieldOf(name: SettingName): SettingField {
  const { schema, title, help, default: usual } = settingDefinitions[name];
  const parts = partsOf({ pipe: schema.pipe as readonly Part[] });
  const find = (type: string) => parts.find((part) => part.type === type);
  const bound = (type: string, otherwise: number) => {
    const found = find(type)?.requirement;
    return typeof found === 'number' ? found : otherwise;
  };
  const isBoolean = typeof usual === 'boolean';
  const options = isBoolean ? ['true', 'false'] : (find('picklist')?.options ?? null);
  return {
    name,
    title,
    description: help,
    kind: options ? 'choice' : typeof usual === 'string' ? 'text' : 'number',
    options,
    isBoolean,
    min: bound('min_value', 1),
    max: bound('max_value', Number.MAX_SAFE_INTEGER),
    byDefault: String(usual),
  };
}

export const settingFields: readonly SettingField[] = settingNames.map(fieldOf);

export const settingField = (name: string): SettingField | undefined =>
  settingFields.find((field) => field.name === name);

/** A choice as the file has it. */
export const levelOf = ({ isBoolean }: Pick<SettingField, 'isBoolean'>, id: string): string | boolean =>
  isBoolean ? id === 'true' : id;

/** Two values to begin a comparison with. */
export const firstLevels = ({
  kind,
  options,
  min,
  max,
  byDefault,
  isBoolean,
}: SettingField): readonly [Level, Level] => {
  if (kind === 'choice') {
    const [first = byDefault, second = byDefault] = options ?? [];
    return [levelOf({ isBoolean }, first), levelOf({ isBoolean }, second)];
  }
  if (kind === 'text') return [byDefault, `${byDefault}2`];
  const usual = Number(byDefault);
  if (max === 1) return [0.1, 1];
  if (usual === 0) return [0, Math.min(10, max)];
  return usual > 1 ? [Math.max(min, Math.floor(usual / 2)), usual] : [Math.max(min, 1), Math.min(4, max)];
};

export type Level = string | number | boolean;
