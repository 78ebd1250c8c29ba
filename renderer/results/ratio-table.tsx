import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ratios } from '#analysis/compare/compare.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatRatioInterval } from '#model/format/format.ts';
import { describeBaseline } from '#presentation/text/baseline-text.ts';
import type { Cell } from '#protocol/plan.ts';
import { Swatch } from '../charts/swatch.tsx';
import { Icon } from '../ui/icon.tsx';
import { Panel } from '../ui/panel.tsx';
import { scrollable } from '../ui/scrollable.ts';
import { Hint } from '../ui/tooltip.tsx';
import { caveatsOf, cellText } from './cell-text.ts';
import { useBaseline } from './use-baseline.ts';

interface Props {
  /** The whole run, and what a filter lets through of it: the baseline may be a row or column that is hidden. */
  readonly model: RunModel;
  readonly shown?: RunModel;
  /** Where links lead. */
  readonly id?: string;
}

const same = (a: Cell, b: Cell): boolean => a.variant === b.variant && a.target === b.target;

/**
 * A mark beside the number that caveats are about; their titles are in the tooltip, the whole text in the list of
 * caveats.
 */
const CaveatMark = ({ caveats }: { readonly caveats: readonly Caveat[] }) => {
  const [worst] = caveats;
  if (!worst) return null;
  return (
    <span className={`ratio-caveat notice-${worst.severity}`}>
      <Icon name={worst.severity} />
    </span>
  );
};

/**
 * Throughput of every cell and its ratio to the baseline. A head makes its row or column the baseline, a cell itself.
 */
export const RatioTable = ({ id, model, shown = model }: Props) => {
  const [baseline, onBaseline] = useBaseline(model);
  const compared = useMemo(() => ratios(model, baseline), [model, baseline]);
  const unit = rateUnit(model);
  const means = meanRatios(model, baseline).filter(({ target }) =>
    shown.plan.targets.some(({ name }) => name === target),
  );
  return (
    <Panel
      label="Ratios"
      anchor={id}
      title={<>Throughput ({unit}) and ratio to the baseline</>}
      about={<>Baseline: {describeBaseline(model, baseline)}. Choose a row, a column or a cell to change it.</>}
    >
      <div className="scroll-x" ref={scrollable}>
        <table className="grid-table ratio-table">
          <thead>
            <tr>
              <th scope="col">Variant</th>
              {shown.plan.targets.map(({ name, index }) => (
                <th key={name} scope="col" className="num">
                  <AriaButton className="link legend" onPress={() => onBaseline({ target: name })}>
                    <Swatch index={index} /> {name}
                  </AriaButton>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.plan.variants.map(({ id: variant, label }) => (
              <tr key={variant}>
                <th scope="row">
                  <AriaButton className="link" onPress={() => onBaseline({ variant })}>
                    {label}
                  </AriaButton>
                </th>
                {shown.plan.targets.map(({ name }) => {
                  const cell = { variant, target: name };
                  const ratio = compared.find((one) => same(one, cell));
                  const summary = model.cells.find((one) => same(one, cell));
                  const text = cellText(model, cell, summary, ratio);
                  return (
                    <td key={name} className={`ratio-cell ratio-${text.state}`}>
                      <Hint text={text.full}>
                        <AriaButton
                          className={`ratio-button verdict-${ratio?.verdict ?? 'none'}`}
                          {...(text.state === 'measured'
                            ? { onPress: () => onBaseline(cell) }
                            : { 'aria-disabled': 'true' as const })}
                        >
                          <span className="visually-hidden">
                            {label} on {name}:{' '}
                          </span>
                          <span className="ratio-main">
                            {text.state === 'measured' && <CaveatMark caveats={caveatsOf(model, cell)} />}
                            {text.main}
                          </span>
                          {text.interval && <span className="ratio-interval">{text.interval}</span>}
                          <span className="ratio-detail">{text.detail}</span>
                        </AriaButton>
                      </Hint>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          {means.length > 0 && (
            <tfoot>
              <tr>
                <th scope="row">Geometric mean</th>
                {shown.plan.targets.map(({ name }) => {
                  const mean = means.find(({ target }) => target === name);
                  return (
                    <td key={name} className="ratio-cell ratio-mean">
                      {mean && (
                        <>
                          <span className="ratio-main">{formatRatioInterval(mean.ratio)}</span>
                          <span className="ratio-detail">
                            {mean.verdict === 'noDifferenceShown' ? 'no difference shown, ' : ''}
                            {mean.variants} variants
                          </span>
                        </>
                      )}
                      {baseline.target === name && <span className="ratio-detail">baseline</span>}
                    </td>
                  );
                })}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </Panel>
  );
};
