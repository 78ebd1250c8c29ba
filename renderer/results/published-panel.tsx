import { toCsv } from '#analysis/csv.ts';
import type { RunModel } from '#analysis/model.ts';
import {
  publishedColumns,
  publishedLines,
  publishedNote,
  publishedTable,
  publishedTitle,
  sourceText,
} from '#analysis/published-words.ts';
import { attempt, request } from '../state/bridge.ts';
import { Button } from '../ui/button.tsx';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** Published ratios beside those of this run. Nothing where none of them can be compared. */
export const PublishedPanel = ({ model }: { readonly model: RunModel }) => {
  const all = publishedLines(model);
  if (all.length === 0) return null;
  const save = () =>
    attempt('Could not save the CSV', () =>
      request('files:save', { name: 'published', format: 'csv', data: toCsv(publishedTable(model)) }),
    );
  return (
    <Panel
      label={publishedTitle}
      title={publishedTitle}
      about={publishedNote}
      action={<Button onPress={() => void save()}>Save as CSV…</Button>}
    >
      {all.map(({ published, rows }) => (
        <div key={sourceText(published)}>
          <p className="panel-text muted">{sourceText(published)}</p>
          <GridTable columns={[...publishedColumns.slice(0, 3), ...numbers(...publishedColumns.slice(3))]}>
            {rows.map((row) => (
              <tr key={row.join(' ')}>
                {row.map((text, column) => (
                  <td key={publishedColumns[column]} className={column < 3 ? undefined : 'num'}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </GridTable>
        </div>
      ))}
    </Panel>
  );
};
