import * as v from 'valibot';
import { sized } from '#experiment/schema/sizes.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { type Dataset, datasetSchema } from '#model/dataset/dataset.ts';
import { datasetName, type Tables, withReferences } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import { shapeOf } from '#model/shape.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { firstProblems } from '#model/text/first-problems.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { checkShape } from './file/check-shape.ts';
import { checkTables } from './file/table-rules.ts';

/**
 * An experiment's dataset, or another of its tables, in the chosen size, even if the rest of the file is invalid. Null,
 * with the problems, if the dataset itself is.
 */
export function readDataset(
  { value, errors, locate }: YamlSource,
  table?: string,
): {
  readonly dataset: Dataset | null;
  readonly problems: readonly Diagnostic[];
} {
  if (errors.length > 0) return { dataset: null, problems: errors };
  const inSize = sized(value);
  const whole = withReferences(inSize) as { readonly dataset?: unknown; readonly tables?: Tables } | null;
  const own = datasetName(whole?.dataset);
  const beside = table === own ? undefined : table;
  const written = beside === undefined ? whole?.dataset : whole?.tables?.[beside];
  const path = beside === undefined ? ['dataset'] : ['tables', beside];
  const names = Object.keys(whole?.tables ?? {});
  const problems = firstProblems((report) => {
    if (beside !== undefined && !names.includes(beside)) {
      const all = whole?.dataset === undefined ? names : [...names, own];
      report({
        path: ['tables'],
        at: 'key',
        message: `There is no table \`${beside}\`.`,
        suggestion: didYouMean(beside, all) ?? `Tables: ${all.join(', ') || 'none'}.`,
      });
    } else checkShape(shapeOf(datasetSchema), written, path, report);
    if (isMapping(inSize))
      checkTables(inSize, (problem) => {
        if (path.every((step, depth) => problem.path[depth] === step)) report(problem);
      });
  });
  const parsed = v.safeParse(datasetSchema, written);
  const wrong = !parsed.success || problems.some(({ severity }) => severity === undefined);
  return { dataset: wrong ? null : parsed.output, problems: problems.map(locate) };
}
