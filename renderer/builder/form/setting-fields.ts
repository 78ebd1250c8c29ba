import { defaultSettings, type SettingName, settingNames, settingsEntries } from '#contract/settings.ts';

/** What the form needs to know of a setting; read from its schema, so that a new setting gets its field by itself. */
export interface SettingField {
  readonly name: SettingName;
  readonly title: string;
  readonly description: string;
  /** Null: a whole number. */
  readonly options: readonly string[] | null;
  readonly max: number;
  readonly byDefault: string;
}

interface Part {
  readonly pipe?: readonly Part[];
  readonly type?: string;
  readonly options?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly requirement?: unknown;
}

/** A schema's parts, pipes within pipes opened. */
const partsOf = (part: Part): readonly Part[] => (part.pipe ? part.pipe.flatMap(partsOf) : [part]);

function fieldOf(name: SettingName): SettingField {
  const parts = partsOf({ pipe: settingsEntries[name].pipe as readonly Part[] });
  const find = (type: string) => parts.find((part) => part.type === type);
  const max = find('max_value')?.requirement;
  return {
    name,
    title: find('title')?.title ?? name,
    description: find('description')?.description ?? '',
    options: find('picklist')?.options ?? null,
    max: typeof max === 'number' ? max : Number.MAX_SAFE_INTEGER,
    byDefault: String(defaultSettings[name]),
  };
}

export const settingFields: readonly SettingField[] = settingNames.map(fieldOf);

export const settingField = (name: string): SettingField | undefined =>
  settingFields.find((field) => field.name === name);
