import { commitColumns, commitNote, commitRows } from '../../workers/analysis/commit-rows.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** What commits took, cell by cell. Nothing where calls commit by themselves. */
export const CommitPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = commitRows(model);
  if (rows.length === 0) return null;
  return (
    <Panel label="Commits" anchor="commits" title="Commits" about={commitNote}>
      <GridTable className="commit-table" columns={['Variant', 'Target', ...numbers(...commitColumns)]}>
        {rows.map(({ variant, target, texts }) => (
          <tr key={`${variant} ${target}`}>
            <th scope="row">{variant}</th>
            <td>{target}</td>
            {commitColumns.map((title, i) => (
              <td key={title} className="num">
                {texts[i]}
              </td>
            ))}
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
