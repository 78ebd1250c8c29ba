import { loadColumns, loadNote, loadRows, loadTitle } from '../../workers/analysis/load-words.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** What was offered, what came of it, and who waited for what. Nothing where each connection is a closed loop of its own. */
export const LoadPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = loadRows(model);
  if (rows.length === 0) return null;
  const differ = rows.some(({ load }) => load !== null);
  return (
    <Panel label={loadTitle} anchor="load" title={loadTitle} about={loadNote}>
      <GridTable columns={['Variant', 'Target', ...numbers(...loadColumns), ...(differ ? ['Load'] : [])]}>
        {rows.map(({ variant, target, load, texts }) => (
          <tr key={`${variant} ${target}`}>
            <th scope="row">{variant}</th>
            <td>{target}</td>
            {loadColumns.map((title, i) => (
              <td key={title} className="num">
                {texts[i]}
              </td>
            ))}
            {load !== null && <td className="nowrap">{load}</td>}
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
