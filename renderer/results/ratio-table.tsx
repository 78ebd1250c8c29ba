import { Button as AriaButton } from 'react-aria-components/Button';
import type { Cell } from '#contract/plan.ts';
import type { Baseline } from '../../workers/analysis/baseline.ts';
import { rateUnit } from '../../workers/analysis/charts/select.ts';
import type { Ratio, RunModel } from '../../workers/analysis/model.ts';
import { Swatch } from '../charts/swatch.tsx';
import { Hint } from '../ui/tooltip.tsx';
import { cellText } from './cell-text.ts';

interface Props {
  readonly model: RunModel;
  /** Of all cells, also those that a filter hides. */
  readonly ratios: readonly Ratio[];
  readonly baseline: Baseline;
  readonly onBaseline: (baseline: Baseline) => void;
}

const same = (a: Cell, b: Cell): boolean => a.variant === b.variant && a.target === b.target;

function baselineText(model: RunModel, { variant, target }: Baseline): string {
  const label = model.plan.variants.find(({ id }) => id === variant)?.label;
  if (label !== undefined && target !== undefined) return `${label} on ${target}`;
  if (target !== undefined) return `the same variant on ${target}`;
  return label === undefined ? 'none' : `${label} on the same target`;
}

/** Throughput of every cell and its ratio to the baseline. A head makes its row or column the baseline, a cell itself. */
export const RatioTable = ({ model, ratios, baseline, onBaseline }: Props) => {
  const unit = rateUnit(model);
  return (
    <section className="panel" aria-label="Ratios">
      <header className="panel-head">
        <div>
          <h2>Throughput ({unit}) and ratio to the baseline</h2>
          <p className="faint chart-about">
            Baseline: {baselineText(model, baseline)}. Choose a row, a column or a cell to change it.
          </p>
        </div>
      </header>
      <div className="scroll-x">
        <table className="grid-table ratio-table">
          <thead>
            <tr>
              <th scope="col">Variant</th>
              {model.plan.targets.map(({ name, index }) => (
                <th key={name} scope="col" className="num">
                  <AriaButton className="link legend" onPress={() => onBaseline({ target: name })}>
                    <Swatch index={index} /> {name}
                  </AriaButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {model.plan.variants.map(({ id, label }) => (
              <tr key={id}>
                <th scope="row">
                  <AriaButton className="link" onPress={() => onBaseline({ variant: id })}>
                    {label}
                  </AriaButton>
                </th>
                {model.plan.targets.map(({ name }) => {
                  const cell = { variant: id, target: name };
                  const ratio = ratios.find((one) => same(one, cell));
                  const summary = model.cells.find((one) => same(one, cell));
                  const text = cellText(model, cell, summary, ratio);
                  return (
                    <td key={name} className={`ratio-cell ratio-${text.state}`}>
                      <Hint text={text.full}>
                        <AriaButton
                          className={`ratio-button verdict-${ratio?.verdict ?? 'none'}`}
                          onPress={() => text.state === 'measured' && onBaseline(cell)}
                        >
                          <span className="visually-hidden">
                            {label} on {name}:{' '}
                          </span>
                          <span className="ratio-main">{text.main}</span>
                          <span className="ratio-detail">{text.detail}</span>
                        </AriaButton>
                      </Hint>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
