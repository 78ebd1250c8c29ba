import type { RunModel } from '../../workers/analysis/model.ts';
import { networkColumns, networkNote, networkRows, networkTitle } from '../../workers/analysis/network.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** What relays added to round trips, cell by cell. Nothing where there was no relay. */
export const NetworkPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = networkRows(model);
  if (rows.length === 0) return null;
  return (
    <Panel label={networkTitle} anchor="network" title={networkTitle} about={networkNote}>
      <GridTable columns={['Variant', 'Target', ...numbers(...networkColumns)]}>
        {rows.map(({ variant, target, label, values, isOff }) => (
          <tr key={`${variant} ${target}`}>
            <th scope="row">{label}</th>
            <td>{target}</td>
            {values.map((text, column) => (
              <td key={networkColumns[column]} className={isOff && column === 1 ? 'num differs' : 'num'}>
                {text}
              </td>
            ))}
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
