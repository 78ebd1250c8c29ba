import * as v from 'valibot';
import type { EngineDescriptor, Support } from './engine.ts';
import { heeds, optionsFor } from './engine-options.ts';
import {
  type OperationName,
  type Options,
  type SettingName,
  type Settings,
  settingNames,
  settingsEntries,
} from './settings.ts';

/** Why an engine cannot run these settings, in words; null where it can. `columns`: columns of the dataset. */
export function whyImpossible(engine: EngineDescriptor, settings: Settings, columns: number): string | null {
  const { operation, method, rowsPerCall, connections, processes } = settings;
  const support = engine.support[operation]?.[method];
  if (!support)
    return (
      engine.cannot[`${operation}.${method}`] ??
      engine.cannot[method] ??
      engine.cannot[operation] ??
      `${engine.label} has no ${method} for ${operation}.`
    );
  const excluded = excludedBy(engine, settings);
  if (excluded !== null) return excluded;
  const needed = unmetNeeds(engine, support, optionsFor(engine, settings));
  if (needed.length > 0)
    return [
      `${method} needs ${needed.join(' and ')}.`,
      engine.cannot[`${operation}.${method}`] ?? engine.cannot[method],
    ]
      .filter(Boolean)
      .join(' ');
  if (rowsPerCall > support.maxRowsPerCall)
    return support.maxRowsPerCall === 1
      ? `${method} carries one row per call, not ${count(rowsPerCall)}.`
      : `${method} on ${engine.label} carries at most ${count(support.maxRowsPerCall)} rows per call, not ${count(rowsPerCall)}.`;
  const parameters = rowsPerCall * parametersPerRow(operation, columns);
  if (support.maxParameters !== undefined && parameters > support.maxParameters)
    return `${count(rowsPerCall)} rows per call need ${count(parameters)} parameters; ${engine.label} takes ${count(support.maxParameters)} at most.`;
  if (engine.maxConnections !== null && connections > engine.maxConnections)
    return `${engine.label} takes at most ${count(engine.maxConnections)} ${engine.maxConnections === 1 ? 'connection' : 'connections'}, not ${count(connections)}.`;
  if (processes > connections)
    return `${count(processes)} processes need at least as many connections, not ${count(connections)}.`;
  return null;
}

/** Why the value of an option leaves the cell empty; null where none does. */
function excludedBy(engine: EngineDescriptor, settings: Settings): string | null {
  const { operation, method } = settings;
  const values = optionsFor(engine, settings);
  const reasons = (engine.options ?? []).map(({ name, cannot }) => {
    const cells = cannot?.[String(values[name])];
    const reason = cells?.[`${operation}.${method}`] ?? cells?.[method] ?? cells?.[operation];
    return reason === undefined ? null : `${engine.id}.${name}: ${values[name]} — ${reason}`;
  });
  return reasons.find((reason) => reason !== null) ?? null;
}

/** Options that do not have the values a cell needs, as they have to be: "mysql.driver: mariadb". */
export const unmetNeeds = (engine: EngineDescriptor, { needs = {} }: Support, options: Options): readonly string[] =>
  Object.entries(needs).flatMap(([name, value]) => (options[name] === value ? [] : [`${engine.id}.${name}: ${value}`]));

function parametersPerRow(operation: OperationName, columns: number): number {
  switch (operation) {
    case 'insert':
      return columns;
    case 'update':
      return 2; // the key and the changed column
    case 'readByKey':
    case 'delete':
      return 1;
    case 'readRange':
    case 'scan':
      return 0; // bounds, not rows
  }
}

/** Settings that only some cells heed; all others matter everywhere. */
function matters(setting: SettingName, operation: OperationName, support: Support): boolean {
  if (support.uses?.includes(setting)) return true;
  switch (setting) {
    case 'pipelineDepth':
      return support.pipelines === true;
    case 'bulkFormat':
    case 'fetchSize':
      return false;
    case 'rangeRows':
      return operation === 'readRange';
    case 'keyChoice':
      return operation !== 'insert' && operation !== 'scan';
    case 'generation':
      return support.serverData !== true;
    default:
      return true;
  }
}

/** The settings that decide what a cell does, as text: two variants with the same text on one target would measure the same thing twice. */
export function effectiveSettings(engine: EngineDescriptor, settings: Settings): string {
  const support = engine.support[settings.operation]?.[settings.method];
  const heeded = settingNames.filter((name) => support && matters(name, settings.operation, support));
  const options = optionsFor(engine, settings);
  const own = (engine.options ?? []).filter((option) => heeds(option, settings.operation, settings.method));
  return [
    ...heeded.map((name) => `${name}=${settings[name]}`),
    ...own.map(({ name }) => `${engine.id}.${name}=${options[name]}`),
  ].join(' ');
}

/** The settings in which two variants differ without consequence, in the words of the form: "pipeline depth". */
export function differingTitles(a: Settings, b: Settings): readonly string[] {
  const settings = settingNames
    .filter((name) => a[name] !== b[name])
    .map((name) => (v.getTitle(settingsEntries[name]) ?? name).toLowerCase());
  const options = [...new Set([...Object.keys(a.options), ...Object.keys(b.options)])];
  return [...settings, ...options.filter((name) => a.options[name] !== b.options[name])];
}

const count = (value: number): string => value.toLocaleString('en');
