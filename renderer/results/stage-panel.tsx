import type { RunModel } from '../../workers/analysis/model.ts';
import { stageColumns, stageNote, stageRows, stageTitle } from '../../workers/analysis/stage-words.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** What came of each stage of the load. Nothing where it has none. */
export const StagePanel = ({ model }: { readonly model: RunModel }) => {
  const rows = stageRows(model);
  if (rows.length === 0) return null;
  return (
    <Panel label={stageTitle} anchor="stages" title={stageTitle} about={stageNote}>
      <GridTable columns={['Variant', 'Target', 'Stage', ...numbers(...stageColumns)]}>
        {rows.map(({ variant, target, stage, texts }) => (
          <tr key={`${variant} ${target} ${stage}`}>
            <th scope="row">{variant}</th>
            <td>{target}</td>
            <td>{stage}</td>
            {stageColumns.map((title, i) => (
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
