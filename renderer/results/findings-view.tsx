import { useMemo, useState } from 'react';
import type { Findings } from '#analysis/findings/find-findings.ts';
import { cellName } from '#analysis/findings/shared/cell-name.ts';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { Select } from '../ui/controls/fields.tsx';
import { LookedForList } from './checks-list.tsx';
import { FindingCard } from './finding-card.tsx';
import { cellsOf, findingsFor } from './findings-filter.ts';

interface Props {
  readonly id: string;
  readonly model: RunModel;
  readonly findings: Findings;
  readonly onFollow: (link: PanelLink) => void;
}

const everywhere = '';

/** The view that explains the results: the limits of the cells, their certainty, and the checks without findings. */
export const FindingsView = ({ id, model, findings: all, onFollow }: Props) => {
  const [chosen, setChosen] = useState(everywhere);
  const cells = useMemo(() => cellsOf(all), [all]);
  const cell = cells.find((one) => one.id === chosen) ?? null;
  const { shown, unshown } = useMemo(() => findingsFor(all, cell), [all, cell]);
  return (
    <div className="stack" data-chart={id}>
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
            None of the checks has a finding
            {cell === null ? '' : ' for this cell'}. The checks and their reasons are listed below.
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
