import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ratios } from '#analysis/compare/compare.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import { comparisonParts, comparisonText } from '#analysis/text/verdict-text.ts';
import type { PictureOptions } from '#presentation/charts/picture/picture-options.ts';
import { cellGrid, type PictureCell, type PictureData } from '#presentation/charts/picture/picture-rows.ts';
import { factorColumns } from '#presentation/tables/shared/factor-columns.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { Swatch } from '../charts/swatch.tsx';
import { Hint } from '../ui/controls/tooltip.tsx';
import { useRowWindow } from '../ui/display/row-window.ts';
import { scrollable } from '../ui/display/scrollable.ts';
import { Icon } from '../ui/icon.tsx';
import { caveatsOf, cellText } from './cell-text.ts';
import { useBaseline } from './use-baseline.ts';

interface Props {
  /** The whole run. The baseline may be in a hidden row or column. */
  readonly model: RunModel;
  readonly data: PictureData;
  readonly options: PictureOptions;
  readonly onInspect: (cell: PictureCell) => void;
}

/** The height of every row in results.css. Long tables only render the visible rows. */
const rowPx = 63;
const longTablePx = 640;
const mostPlainRows = 40;
/** The most columns with room for the interval of a ratio. With more columns the tooltip shows it. */
const mostWide = 4;

/** The metric of every cell with its interval and its ratio to the baseline. A cell opens its details. */
export const ResultTable = ({ model, data, options, onInspect }: Props) => {
  const [baseline] = useBaseline(model);
  const compared = useMemo(() => new Map(ratios(model, baseline).map((one) => [keyOf(one), one])), [model, baseline]);
  const grid = cellGrid(data, options, data.model.plan.targets);
  const shown = useRowWindow(grid?.rows.length ?? 0, rowPx, longTablePx, mostPlainRows);
  if (grid === null) return <p className="panel-text muted">No cell matches the filter.</p>;
  const { columns, rows } = grid;
  const { plan } = data.model;
  const factors = factorColumns(plan);
  const namesOf = (id: string, label: string) => {
    const variant = plan.variants.find((one) => one.id === id);
    return factors === null || variant === undefined ? [label] : factors.levelsOf(variant);
  };
  const isThroughput = options.metric === 'throughput';
  const textOf = (cell: PictureCell) => {
    const told = cellText(model, cell, findCell(model, cell.variant, cell.target), compared.get(keyOf(cell)));
    if (told.state !== 'measured' || isThroughput) return told;
    return latencyText(data, cell);
  };
  const means = isThroughput ? meanRatios(model, baseline) : [];
  const hasMeans = means.some(({ target }) => columns.some(({ label }) => label === target));
  return (
    <div
      className={shown.isLong ? 'scroll-x long-table' : 'scroll-x'}
      style={shown.isLong ? { maxHeight: longTablePx } : undefined}
      ref={scrollable}
      onScroll={shown.onScroll}
    >
      <table className="grid-table ratio-table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {(factors?.titles ?? ['Variant']).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {columns.map(({ label, index }) => (
              <th key={label} scope="col" className="num">
                <span className="legend">
                  {index !== null && <Swatch index={index} />} {label}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap heightPx={shown.abovePx} />
          {rows.slice(shown.from, shown.to).map(({ id, label, cells }, r) => (
            <tr key={id} aria-rowindex={shown.from + r + 2}>
              {namesOf(id, label).map((name, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: levels have no identity but their place
                <th key={n} scope="row" className={factors === null ? undefined : 'level'}>
                  {name}
                </th>
              ))}
              {cells.map((cell, c) => {
                if (cell === null) return <td key={columns[c]!.label} className="ratio-cell" />;
                const text = textOf(cell);
                const detail = columns.length > mostWide && text.state === 'measured' ? cell.ratioText : text.detail;
                const isRatio = options.show === 'ratio' && detail !== '';
                const second = [text.interval, ...(columns.length > mostWide ? [] : [text.bytes])]
                  .filter((part) => part !== '')
                  .join(' · ');
                const caveats = text.state === 'measured' ? caveatsOf(model, cell) : [];
                return (
                  <td key={cell.target} className={`ratio-cell ratio-${text.state}`}>
                    <Hint text={text.full}>
                      <AriaButton
                        className={cell.isBaseline ? 'ratio-button is-baseline' : 'ratio-button'}
                        {...(cell.hasTrials
                          ? { onPress: () => onInspect(cell) }
                          : { 'aria-disabled': 'true' as const })}
                      >
                        <span className="visually-hidden">{`${label} on ${cell.target}:`} </span>
                        <span className="ratio-main">
                          {caveats[0] && (
                            <span className={`ratio-caveat notice-${caveats[0].severity}`}>
                              <Icon name={caveats[0].severity} />
                            </span>
                          )}
                          {isRatio ? detail : text.main}
                        </span>
                        {second !== '' && !isRatio && <span className="ratio-interval">{second}</span>}
                        <span className="ratio-detail">{isRatio ? text.main : detail}</span>
                      </AriaButton>
                    </Hint>
                  </td>
                );
              })}
            </tr>
          ))}
          <Gap heightPx={shown.belowPx} />
        </tbody>
        {hasMeans && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={factors?.titles.length}>
                Geometric mean
              </th>
              {columns.map(({ label: name }) => {
                const mean = means.find(({ target }) => target === name);
                return (
                  <td key={name} className="ratio-cell ratio-mean">
                    {mean && (
                      <>
                        <span className="ratio-main">
                          {columns.length > mostWide ? comparisonParts(mean)[0] : comparisonText(mean)}
                        </span>
                        <span className="ratio-detail">{`${mean.variants} variants`}</span>
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
  );
};

/** Rows that are not drawn. */
const Gap = ({ heightPx }: { readonly heightPx: number }) =>
  heightPx > 0 ? (
    <tr>
      <td style={{ height: heightPx, padding: 0 }} />
    </tr>
  ) : null;

/** A latency of all repeats together, with the lowest and the highest repeat. */
function latencyText({ text, values }: PictureData, cell: PictureCell) {
  const value = values.get(keyOf(cell))?.value;
  if (value === undefined)
    return { state: 'waiting', main: '–', interval: '', bytes: '', detail: '', full: cell.why } as const;
  const { low, high } = value;
  const interval = low === null || high === null ? '' : `${text.format(low)}–${text.format(high)}`;
  const full = `${text.label} ${cell.valueText}${interval === '' ? '' : `; by repeat ${interval}`}.`;
  return { state: 'measured', main: cell.valueText, interval, bytes: '', detail: cell.ratioText, full } as const;
}
