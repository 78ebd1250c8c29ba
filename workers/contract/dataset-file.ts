import * as v from 'valibot';
import { checkShape, shapeOf } from './check-shape.ts';
import { type Dataset, datasetSchema } from './dataset.ts';
import { checkDataset } from './dataset-rules.ts';
import type { Diagnostic } from './plan.ts';
import { sized } from './sizes.ts';
import { type Problem, readYaml } from './yaml-source.ts';

/** The dataset of an experiment's text in the size that it chooses, whatever is wrong with the rest of it; null where the dataset itself is wrong, with the reasons. */
export function readDataset(text: string): {
  readonly dataset: Dataset | null;
  readonly problems: readonly Diagnostic[];
} {
  const { value, diagnostics, locate } = readYaml(text);
  if (diagnostics.length > 0) return { dataset: null, problems: diagnostics };
  const problems: Problem[] = [];
  const written = (sized(value) as { readonly dataset?: unknown } | null)?.dataset;
  checkShape(shapeOf(datasetSchema), written, ['dataset'], (problem) => problems.push(problem));
  checkDataset(written, (problem) => problems.push(problem));
  const parsed = v.safeParse(datasetSchema, written);
  const wrong = !parsed.success || problems.some(({ severity }) => severity === 'error');
  return { dataset: wrong ? null : parsed.output, problems: problems.map(locate) };
}
