import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { experimentOf } from '#experiment/schema/levels.ts';
import { type TextChoice, textFor } from '#experiment/statements/statement-mix.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { allTables } from '#model/dataset/tables.ts';
import { type Settings, tableSettingNames } from '#model/settings/settings.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import { readsOwnTables } from '#model/statements/own-tables.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import type { Variant } from '#protocol/plan.ts';

/**
 * The variants of a target that share one load, in groups of their ids: they write nothing, and their tables differ in
 * nothing, or in indexes alone that are created after the load. Each trial drops the indexes of the trial before that
 * it lacks and creates its own, so that all of them read the same stored rows.
 */
export function sharedLoads(
  experiment: Experiment,
  variants: readonly Variant[],
  engine: EngineDescriptor,
  target: string,
): readonly (readonly string[])[] {
  const choice = { target, engine: engine.id };
  const keyed = variants.flatMap((variant) => {
    const own = experimentOf(experiment, variant.levels);
    const isShared =
      Object.keys(own).every((key) => judged.has(key)) && writesNothing(own, variant.settings, choice, engine);
    return isShared ? [{ id: variant.id, key: loadKey(own, variant.settings, engine) }] : [];
  });
  const groups = [...Map.groupBy(keyed, ({ key }) => key).values()];
  return groups.filter(({ length }) => length > 1).map((group) => group.map(({ id }) => id));
}

/**
 * The sections of a file that change no rows, or that this module judges. Other sections may change rows in each trial.
 */
const judged: ReadonlySet<string> = new Set([
  ...['dyno', 'name', 'question', 'about', 'size', 'sizes', 'published', 'gallery', 'targets', 'factors', 'compare'],
  ...['baseline', 'explain', 'judge', 'goals', 'equal', 'measure', 'workload', 'session', 'transactions', 'scenarios'],
  ...['prices', 'rehearsal', 'dataset', 'tables', 'statements', 'checks', 'server'],
]);

/**
 * True if the variants that share a load may differ in indexes. An index that exists before the load grows with the
 * rows, and one that a foreign key needs cannot be dropped.
 */
const mayChangeIndexes = (
  own: Experiment,
  { indexCreation, foreignKeys }: Settings,
  { removesIndexes }: EngineDescriptor,
): boolean =>
  removesIndexes !== undefined &&
  indexCreation !== 'beforeLoad' &&
  (!foreignKeys || !Object.values(allTables(own)).some(({ columns }) => Object.values(columns).some(isForeignKey)));

const isForeignKey = (spec: Dataset['columns'][string]): boolean =>
  spec.type === 'reference' && spec.table !== undefined;

function writesNothing(
  { statements = {}, checks = {} }: Experiment,
  { operation }: Settings,
  choice: TextChoice,
  { statements: language }: EngineDescriptor,
): boolean {
  if (operation !== 'statement') return readOnlyOperations.includes(operation);
  if (!language) return false;
  const readsRows = (text: string | null) =>
    text === null || (readsOnly(text, language) && readsOwnTables(text, language));
  return (
    Object.values(statements).every(({ isRead, text }) => isRead !== false && readsRows(textFor(text, choice))) &&
    Object.values(checks).every(({ text }) => readsRows(textFor(text, choice)))
  );
}

/** Everything that decides the stored rows, and the server that has them, as text. */
function loadKey(own: Experiment, settings: Settings, engine: EngineDescriptor): string {
  const areFree = mayChangeIndexes(own, settings, engine);
  const tables = Object.entries(allTables(own)).map(([name, table]) => [
    name,
    areFree ? { ...table, indexes: [] } : table,
  ]);
  const options = Object.entries(settings.options).sort();
  return JSON.stringify([tables, tableSettingNames.map((name) => settings[name]), options, own.server]);
}
