import type * as v from 'valibot';
import { accessSettings } from './access-settings.ts';
import { environmentSettings } from './environment-settings.ts';
import { loadSettings } from './load-settings.ts';
import { operationSettings } from './operation-settings.ts';
import type { Options } from './options.ts';
import { tableSettings } from './table-settings.ts';

/** Everything about a workload that an experiment can fix or vary; one record per setting. */
export const settingDefinitions = {
  ...operationSettings,
  ...loadSettings,
  ...accessSettings,
  ...tableSettings,
  ...environmentSettings,
} as const;

/** The settings in groups, for choices among all of them. */
export const settingGroups = [
  { title: 'Operation and method', names: Object.keys(operationSettings) },
  { title: 'Load', names: Object.keys(loadSettings) },
  { title: 'Rows and reads', names: Object.keys(accessSettings) },
  { title: 'Table and keys', names: Object.keys(tableSettings) },
  { title: 'Server and network', names: Object.keys(environmentSettings) },
] as const;

/** The key of a setting. */
export type SettingName = keyof typeof settingDefinitions;
/** The keys of all settings. */
export const settingNames = Object.keys(settingDefinitions) as readonly SettingName[];

/** Settings that decide how tables are created, stored and filled. */
export const tableSettingNames = settingNames.filter((name) => settingDefinitions[name].scope === 'table');

/** Settings that may change the rows that calls find. Variants with equal values of these must get the same answers. */
export const rowSettingNames = settingNames.filter((name) => 'changesRows' in settingDefinitions[name]);

type Schemas = { readonly [K in SettingName]: (typeof settingDefinitions)[K]['schema'] };

/** All settings of one variant, with defaults filled in. */
export type Settings = { readonly [K in SettingName]: v.InferOutput<Schemas[K]> } & { readonly options: Options };

const pick = (member: 'schema' | 'default') =>
  Object.fromEntries(settingNames.map((name) => [name, settingDefinitions[name][member]]));

// fromEntries loses the type of each name; the mapped types above restore it.
/** The schema of each setting. */
export const settingSchemas = pick('schema') as Schemas;
/** The default of each setting. */
export const defaultSettings = { ...pick('default'), options: {} } as Settings;
