import { variantLabel } from '#contract/variant-of.ts';
import { changesInWords, withinNote, withinWords } from '../../workers/analysis/change-words.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { rateUnit } from '../../workers/analysis/select-cells.ts';
import { steadyInWords, trialDetails } from '../../workers/analysis/trial-details.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** What the seconds of longer trials tell of each of them. */
export const WithinTable = ({ model }: { readonly model: RunModel }) => {
  const all = trialDetails(model);
  if (all.length === 0) return null;
  const unit = rateUnit(model);
  return (
    <Panel label="Within the trials" anchor="within" title="Within the trials" about={withinNote}>
      <GridTable
        columns={['Variant', 'Target', ...numbers('Repeat', `${unit} within this trial`), 'Steady state', 'Changes']}
        className="within-table"
      >
        {all.map((details) => {
          const { number, variant, target, repeat } = details.view.trial;
          return (
            <tr key={number}>
              <th scope="row">{variantLabel(model.plan, variant)}</th>
              <td>{target}</td>
              <td className="num">{repeat}</td>
              <td className="num">{withinWords(details.steadiness)}</td>
              <td>{steadyInWords(details.steadiness)}</td>
              <td>
                {changesInWords(details, model, unit).map((words) => (
                  <div key={words}>{words}</div>
                ))}
              </td>
            </tr>
          );
        })}
      </GridTable>
    </Panel>
  );
};
