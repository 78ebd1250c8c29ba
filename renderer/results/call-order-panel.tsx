import {
  callOrderColumns,
  callOrderNote,
  callOrderRows,
  callOrderTitle,
} from '../../workers/analysis/call-order-words.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** Calls that are told apart, one line each. Nothing where trials do not tell them apart. */
export const CallOrderPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = callOrderRows(model);
  if (rows.length === 0) return null;
  return (
    <Panel label={callOrderTitle} anchor="call-order" title={callOrderTitle} about={callOrderNote}>
      <GridTable columns={['Variant', 'Target', ...numbers(...callOrderColumns)]}>
        {rows.map(({ variant, target, number, texts }) => (
          <tr key={`${variant} ${target} ${number}`}>
            <th scope="row">{variant}</th>
            <td>{target}</td>
            {callOrderColumns.map((title, i) => (
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
