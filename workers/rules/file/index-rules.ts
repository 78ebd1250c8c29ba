import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { columnType } from '#model/dataset/columns.ts';
import { isMapping } from '#model/is-mapping.ts';
import { meantWord } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

/** Rules for the indexes at `above` beyond the schema: columns that do not exist, or that cannot have such an index. */
export function checkIndexes(
  indexes: unknown,
  columns: ReadonlyMap<string, ColumnSpec>,
  names: readonly string[],
  above: Path,
  report: Report,
): void {
  if (!Array.isArray(indexes)) return;
  for (const [i, index] of indexes.entries()) {
    if (!isMapping(index) || !Array.isArray(index.columns)) continue;
    const path = [...above, i];
    const { kind } = index;
    for (const [c, name] of index.columns.entries()) {
      const spec = columns.get(String(name));
      if (!names.includes(String(name)))
        report({
          path: [...path, 'columns', c],
          message: `The index names \`${name}\`, which is not a column.`,
          // An index without columns is none.
          fix: {
            kind: 'set',
            path: index.columns.length > 1 ? [...path, 'columns', c] : indexes.length > 1 ? path : above,
            value: undefined,
          },
          ...meantWord({ path: [...path, 'columns', c] }, String(name), names, `Columns: ${names.join(', ')}.`),
        });
      else if (index.columns.indexOf(name) !== c)
        report({
          path: [...path, 'columns', c],
          message: `The index names \`${name}\` twice.`,
          suggestion: 'Once is enough.',
        });
      else if (kind === 'fulltext' && spec && columnType(spec).kind !== 'text')
        report({
          path: [...path, 'columns', c],
          message: `A fulltext index is of texts; \`${name}\` is none.`,
          suggestion: null,
        });
    }
    if ((kind === 'hash' || kind === 'fulltext') && index.columns.length > 1)
      report({
        path: [...path, 'columns'],
        message: `An index of the kind ${kind} has one column.`,
        suggestion: 'Make an index for each.',
      });
  }
}
