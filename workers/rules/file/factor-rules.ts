import * as v from 'valibot';
import { type Mapping, placesIn } from '#experiment/schema/changes.ts';
import { sectionsOf, settingsOf } from '#experiment/schema/levels.ts';
import { formatCount } from '#model/format/format.ts';
import { bytesOfText } from '#model/format/size-text.ts';
import { isMapping } from '#model/is-mapping.ts';
import { optionName } from '#model/settings/options.ts';
import { type SettingName, settingNames, settingSchemas } from '#model/settings/settings.ts';
import { shapeOf } from '#model/shape.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { nanoseconds } from '#model/text/read-number.ts';
import { checkLeaf, type Report } from './check-shape.ts';

/** A higher number is a mistake (or a week of measuring), and would block the window. */
export const maxVariants = 10_000;

/** True for the key of a setting. */
export const isSetting = (name: string): name is SettingName => Object.hasOwn(settingSchemas, name);

/** True for the form of an engine's option; plan-experiment.ts checks that the engine has it. */
export const isOption = (name: string): boolean => v.is(optionName, name);

/** Rules for factors and workload beyond the schema: unknown settings, invalid levels, settings that are set twice. */
export function checkFactors(factors: unknown, workload: unknown, report: Report): void {
  const fixed = isMapping(workload) ? workload : {};
  const variedBy = new Map<string, string>();
  let variants = 1;
  for (const [name, factor] of Object.entries(isMapping(factors) ? factors : {})) {
    const path = ['factors', name];
    if (Array.isArray(factor)) checkLevels(name, factor, path, report);
    else if (isMapping(factor)) checkSpellings(factor, path, report);
    const levels = Array.isArray(factor) ? factor.length : isMapping(factor) ? Object.keys(factor).length : 1;
    variants *= Math.max(1, levels);
    if (name === 'target')
      report({
        path,
        at: 'key',
        message: 'A factor cannot be called `target`.',
        suggestion: 'Targets have their own list; every variant runs on each of them.',
      });
    for (const setting of variedIn(name, factor)) {
      const other = variedBy.get(setting);
      if (other !== undefined)
        report({
          path,
          at: 'key',
          message: `\`${setting}\` is varied by \`${other}\` already.`,
          suggestion: 'Let one factor set it.',
        });
      else if (pathOf(setting, fixed))
        report({
          severity: 'warning',
          path: ['workload', ...pathOf(setting, fixed)!],
          at: 'key',
          message: `\`${setting}\` is also varied by the factor \`${name}\`, which wins where it sets it.`,
          suggestion: Array.isArray(factor) ? 'Remove it from the workload.' : null,
        });
      variedBy.set(setting, name);
    }
  }
  checkPlaces(isMapping(factors) ? factors : {}, report);
  if (variants > maxVariants)
    report({
      path: ['factors'],
      at: 'key',
      message: `The factors multiply to ${formatCount(variants)} variants; ${formatCount(maxVariants)} are the most.`,
      suggestion: 'Vary fewer things at once, or name the combinations you want as levels of one factor.',
    });
}

function checkLevels(name: string, levels: readonly unknown[], path: Path, report: Report): void {
  if (!isSetting(name) && !isOption(name)) {
    const suggestion =
      didYouMean(name, settingNames) ??
      `Settings: ${settingNames.join(', ')}. Or name the levels, each with its settings.`;
    report({
      path,
      at: 'key',
      message: `\`${name}\` is not a setting, so a list of levels cannot vary it.`,
      suggestion,
    });
    return;
  }
  const seen = new Set<string>();
  for (const [index, level] of levels.entries()) {
    const at = [...path, index];
    if (typeof level === 'object' && level !== null) continue;
    if (isSetting(name)) checkLeaf(shapeOf(settingSchemas[name]), level, at, report);
    if (seen.has(String(level)))
      report({
        path: at,
        message: `The level \`${String(level)}\` is written twice.`,
        suggestion: 'Remove one; repeats are set by measure.repeats.',
      });
    seen.add(String(level));
  }
}

/** Two levels whose parameters of sessions and servers only have other spellings (1GB, 1024MB) measure the same. */
function checkSpellings(levels: Mapping, path: Path, report: Report): void {
  const known = new Map<string, { readonly level: string; readonly written: string }>();
  for (const [level, own] of Object.entries(levels)) {
    if (!isMapping(own)) continue;
    const written = JSON.stringify(own);
    const meant = JSON.stringify({ ...own, ...spelled(own, 'session'), ...spelled(own, 'server') });
    const other = known.get(meant);
    // Two levels with the same text compare a cell with itself on purpose.
    if (other !== undefined && other.written !== written)
      report({
        severity: 'warning',
        path: [...path, level],
        at: 'key',
        message: `\`${level}\` sets the same values as \`${other.level}\`, in another spelling.`,
        suggestion: 'Remove one of the two levels; repeats are set by measure.repeats.',
      });
    known.set(meant, other ?? { level, written });
  }
}

/** A section of a level in one spelling of its values. */
function spelled(level: Mapping, section: 'session' | 'server'): Mapping {
  const byEngine = level[section];
  if (!isMapping(byEngine)) return {};
  const engines = Object.entries(byEngine).map(([engine, values]) => {
    const own = isMapping(values) ? Object.entries(values) : [];
    return [engine, own.map(([name, value]) => [name, meaningOf(String(value))]).toSorted()];
  });
  return { [section]: engines.toSorted() };
}

const timeUnits: ReadonlyMap<string, number> = new Map(Object.entries(nanoseconds));

/** A value in one spelling: bytes, nanoseconds, or the text. A number without a unit may have any. */
function meaningOf(value: string): string {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s?([a-z]+)$/i.exec(value.trim()) ?? [];
  const time = timeUnits.get(unit.toLowerCase());
  if (time !== undefined) return `${Number(number) * time} ns`;
  const bytes = unit === '' ? null : bytesOfText(value);
  return bytes === null ? value : `${bytes} bytes`;
}

/** The settings that a factor sets in any of its levels; each option counts as one, because levels merge them. */
function variedIn(name: string, factor: unknown): readonly string[] {
  if (Array.isArray(factor)) return isSetting(name) || isOption(name) ? [name] : [];
  const levels = isMapping(factor) ? Object.values(factor).filter(isMapping) : [];
  const settings = levels.flatMap((level) => {
    const { options, ...own } = settingsOf(level);
    return [...Object.keys(own), ...Object.keys(isMapping(options) ? options : {})];
  });
  return [...new Set(settings)];
}

/** Two factors must not change the same place of the file: nobody would see which of them wins. */
function checkPlaces(factors: Mapping, report: Report): void {
  const changedBy = new Map<string, string>();
  // A change of a part also changes the whole: the text for one engine is a part of the statement's text.
  const around = new Map<string, string>();
  for (const [name, factor] of Object.entries(factors)) {
    const levels = isMapping(factor) ? Object.values(factor) : [];
    const places = new Map(levels.flatMap((level) => placesIn(sectionsOf(level))).map((one) => [formatPath(one), one]));
    const above = (place: Path) => place.slice(1).map((_, depth) => formatPath(place.slice(0, depth + 1)));
    for (const [text, place] of places) {
      const other = around.get(text) ?? [text, ...above(place)].map((one) => changedBy.get(one)).find(Boolean);
      if (other !== undefined)
        report({
          path: ['factors', name],
          at: 'key',
          message: `\`${text}\` is changed by \`${other}\` already.`,
          suggestion: 'Let one factor change it.',
        });
    }
    for (const [text, place] of places) {
      changedBy.set(text, name);
      for (const one of above(place)) around.set(one, name);
    }
  }
}

/** The path of a setting or option in a mapping of settings. */
function pathOf(setting: string, fixed: Mapping): Path | null {
  if (setting in fixed) return [setting];
  return isMapping(fixed.options) && setting in fixed.options ? ['options', setting] : null;
}

const byKey = new Set(['readByKey', 'readRange', 'update', 'delete']);

/** Operations that find rows by key require a key, and an update requires a column to change. */
export function checkOperations(experiment: Mapping, report: Report): void {
  const dataset = isMapping(experiment.dataset) ? experiment.dataset : {};
  const columns = isMapping(dataset.columns) ? Object.keys(dataset.columns) : [];
  for (const { operation, path } of operationsOf(experiment)) {
    if (byKey.has(operation) && dataset.key === undefined)
      report({
        path,
        message: `\`${operation}\` finds rows by their primary key, and the dataset has none.`,
        suggestion: 'Name a column as dataset.key.',
      });
    if (operation === 'update' && columns.length === 1 && columns[0] === dataset.key)
      report({
        path,
        message: '`update` needs a column besides the key to change.',
        suggestion: 'Add a column to the dataset.',
      });
  }
}

/** Every operation that the workload and the levels of factors name, with its path. */
export function operationsOf(experiment: Mapping): readonly { readonly operation: string; readonly path: Path }[] {
  const found: { operation: string; path: Path }[] = [];
  const add = (operation: unknown, path: Path) => {
    if (typeof operation === 'string') found.push({ operation, path });
  };
  if (isMapping(experiment.workload)) add(experiment.workload.operation, ['workload', 'operation']);
  for (const [name, factor] of Object.entries(isMapping(experiment.factors) ? experiment.factors : {})) {
    if (Array.isArray(factor) && name === 'operation')
      for (const [index, level] of factor.entries()) add(level, ['factors', name, index]);
    if (!isMapping(factor)) continue;
    for (const [level, bundle] of Object.entries(factor))
      if (isMapping(bundle)) add(bundle.operation, ['factors', name, level, 'operation']);
  }
  return found;
}
