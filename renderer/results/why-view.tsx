import { useMemo, useState } from 'react';
import { cellName } from '../../workers/analysis/findings/cell-name.ts';
import { findingsOf } from '../../workers/analysis/findings/find-findings.ts';
import type { PanelLink } from '../../workers/analysis/findings/finding.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Select } from '../ui/fields.tsx';
import { FindingCard } from './finding-card.tsx';
import { cellsOf, findingsFor } from './findings-filter.ts';
import { LookedForList } from './looked-for-list.tsx';

interface Props {
  readonly model: RunModel;
  readonly onFollow: (link: PanelLink) => void;
}

const everywhere = '';

/** Why it came out like this: what limits the cells, how certain that is, and what was looked for in vain. */
export const WhyView = ({ model, onFollow }: Props) => {
  const [chosen, setChosen] = useState(everywhere);
  const all = useMemo(() => findingsOf(model), [model]);
  const cells = useMemo(() => cellsOf(all), [all]);
  const cell = cells.find(({ id }) => id === chosen) ?? null;
  const { shown, unshown } = useMemo(() => findingsFor(all, cell), [all, cell]);
  if (model.cells.every(({ ok }) => ok === 0))
    return (
      <div className="view">
        <EmptyState title="Nothing to explain yet">
          <p>When the first trials have a result, Dyno looks for what limits them, and says how certain it is.</p>
        </EmptyState>
      </div>
    );
  return (
    <div className="view why-view">
      {cells.length > 1 && (
        <div className="filter-bar">
          <Select
            label="Findings for"
            value={cell?.id ?? everywhere}
            choices={[
              { id: everywhere, label: 'The whole run' },
              ...cells.map((one) => ({ id: one.id, label: cellName(model.plan, one) })),
            ]}
            onChange={setChosen}
          />
        </div>
      )}
      <section aria-label="Findings" className="findings">
        <h2 className="visually-hidden">Findings</h2>
        {shown.length === 0 ? (
          <p className="muted">
            Nothing that Dyno looks for was shown{cell === null ? '' : ' for this cell'}. What it looked for, and why it
            is not shown, stands below.
          </p>
        ) : (
          <ul className="finding-list">
            {shown.map((finding) => (
              <li key={finding.rule.id}>
                <FindingCard model={model} finding={finding} onFollow={onFollow} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <LookedForList model={model} looked={unshown} />
    </div>
  );
};
