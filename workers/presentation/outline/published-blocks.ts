import type { RunModel } from '#analysis/run-model/run-model.ts';
import { publishedColumns, publishedLines } from '../tables/published-table.ts';
import { numbers, words } from '../tables/shared/panel-table.ts';
import { formatSource } from '../text/published-text.ts';
import type { Block } from './panel.ts';

/** Published ratios beside those of this run, source by source; nothing where none of them can be compared. */
export const publishedBlocks = (model: RunModel): readonly Block[] =>
  publishedLines(model).flatMap(({ published, rows }): readonly Block[] => [
    { kind: 'text', text: formatSource(published) },
    {
      kind: 'table',
      table: {
        columns: [...words(...publishedColumns.slice(0, 3)), ...numbers(...publishedColumns.slice(3))],
        rows: rows.map((cells) => ({ cells })),
      },
    },
  ]);
