import type { Experiment } from '#experiment/schema/experiment.ts';
import { listedParameters, weightsOf } from '#experiment/statements/statement-mix.ts';
import { parametersOfChanges, writtenParameters } from '#experiment/statements/written-texts.ts';
import { allTables } from '#model/dataset/tables.ts';
import { toErrorData } from '#model/error.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { Path } from '#model/text/path-text.ts';
import { experimentsOf } from '#planning/variant-of.ts';
import type { Plan } from '#protocol/plan.ts';
import { requireReadable } from './list-files.ts';

/** The files of a run's parameters and tables that cannot be read, each once, at the first place that names it. */
export function missingFiles(experiment: Experiment, plan: Plan | null, folder: string): readonly Problem[] {
  const all = plan ? experimentsOf(plan) : [experiment];
  const needed = all.flatMap((one) => [
    ...listedParameters(one, [...weightsOf(one).keys()]).flatMap(({ spec }) =>
      spec.type === 'csv' ? [spec.file] : [],
    ),
    ...Object.values(allTables(one)).flatMap(({ from }) => (from ? [from.file] : [])),
  ]);
  return [...new Set(needed)].flatMap((file): readonly Problem[] => {
    try {
      requireReadable(folder, file);
      return [];
    } catch (thrown) {
      const { message, hint } = toErrorData(thrown);
      return [{ path: placeOf(experiment, file), message, suggestion: hint }];
    }
  });
}

/** Files that only the tables of a level name are at its factor. */
function placeOf(experiment: Experiment, file: string): Path {
  const { dataset, tables = {} } = experiment;
  const parameter = [...writtenParameters(experiment), ...parametersOfChanges(experiment)].find(
    ({ spec }) => spec.type === 'csv' && spec.file === file,
  );
  if (parameter) return [...parameter.path, 'file'];
  if (dataset.from?.file === file) return ['dataset', 'from', 'file'];
  const table = Object.keys(tables).find((name) => tables[name]!.from?.file === file);
  return table === undefined ? ['factors'] : ['tables', table, 'from', 'file'];
}
