import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { type IndexSpec, type IndexText, indexTextDefault } from '#model/dataset/indexes.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';

/** Texts of indexes for engines that do not exist, with their paths. */
export function* indexTextProblems(
  { dataset, tables = {} }: Experiment,
  catalog: readonly EngineDescriptor[],
): Generator<Problem, void> {
  const known = [...catalog.map(({ id }) => id), indexTextDefault];
  const all: readonly (readonly [Path, readonly IndexSpec[]])[] = [
    [['dataset'], dataset.indexes ?? []],
    ...Object.entries(tables).map(([name, table]) => [['tables', name], table.indexes ?? []] as const),
  ];
  for (const [above, indexes] of all)
    for (const [i, index] of indexes.entries())
      for (const [path, text] of textsOf(index, [...above, 'indexes', i]))
        for (const id of typeof text === 'string' ? [] : Object.keys(text))
          if (!known.includes(id))
            yield {
              path: [...path, id],
              at: 'key',
              message: `There is no engine \`${id}\`.`,
              suggestion: didYouMean(id, known) ?? `There are: \`${known.join('`, `')}\`.`,
            };
}

/** The condition and the expressions of an index, with their paths. */
const textsOf = ({ where, columns }: IndexSpec, path: Path): readonly (readonly [Path, IndexText])[] => [
  ...(where === undefined ? [] : [[[...path, 'where'], where] as const]),
  ...columns.flatMap((part, c) =>
    typeof part !== 'string' && 'expression' in part
      ? [[[...path, 'columns', c, 'expression'], part.expression] as const]
      : [],
  ),
];
