import { useMemo, useState } from 'react';
import { callOrderTable } from '#analysis/call-order-words.ts';
import { callByCall } from '#analysis/charts/call-order-chart.ts';
import { scalability } from '#analysis/charts/scalability-chart.ts';
import { searchChart } from '#analysis/charts/search-chart.ts';
import { sweep, sweptFactors } from '#analysis/charts/sweep-chart.ts';
import { ratioChart, throughputByCell } from '#analysis/charts/throughput-chart.ts';
import { throughputLatency } from '#analysis/charts/throughput-latency-chart.ts';
import { ratios } from '#analysis/compare.ts';
import { loadTable } from '#analysis/load-words.ts';
import type { RunModel } from '#analysis/model.ts';
import { searchTable } from '#analysis/search-words.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { CaveatList } from './caveat-list.tsx';
import { CellTablePanel } from './cell-table-panel.tsx';
import { ExceptionsTable } from './exceptions-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PublishedPanel } from './published-panel.tsx';
import { RatioTable } from './ratio-table.tsx';
import { filtered, noFilter } from './results-filter.ts';
import { ScalabilityPanel } from './scalability-panel.tsx';
import { useBaseline } from './use-baseline.ts';
import { Verdicts } from './verdicts.tsx';

/** What came out: verdicts first, then what they rest on. */
export const ResultsView = ({ model }: { readonly model: RunModel }) => {
  const [baseline, setBaseline] = useBaseline(model);
  const [filter, setFilter] = useState(noFilter);
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const shown = useMemo(() => filtered(model, filter), [model, filter]);
  const any = model.cells.some((cell) => cell.ok > 0);
  const compared = useMemo(() => ratios(model, baseline), [model, baseline]);
  const rates = useMemo(
    () => [
      searchChart(shown, theme, { widthPx }),
      callByCall(shown, theme, { widthPx }),
      throughputByCell(shown, theme, { widthPx }),
      ratioChart(shown, compared, theme, { widthPx }),
      ...sweptFactors(shown).map((factor) => sweep(shown, factor, theme, { widthPx })),
    ],
    [shown, compared, theme, widthPx],
  );
  const scaling = useMemo(
    () => [scalability(shown, theme, { widthPx }), throughputLatency(shown, theme, { widthPx })],
    [shown, theme, widthPx],
  );
  return (
    <div className="view" ref={ref}>
      <Verdicts model={model} baseline={baseline} />
      <CaveatList model={model} />
      <FilterBar model={model} filter={filter} onChange={setFilter} />
      <CellTablePanel table={searchTable(shown)} />
      <RatioTable model={model} shown={shown} ratios={compared} baseline={baseline} onBaseline={setBaseline} />
      <CellTablePanel table={callOrderTable(shown)} />
      <CellTablePanel table={loadTable(shown)} />
      {any && rates.map((chart) => chart.data.rows.length > 0 && <Chart key={chart.id} chart={chart} />)}
      {any && scaling.map((chart) => chart.data.rows.length > 0 && <Chart key={chart.id} chart={chart} />)}
      <ScalabilityPanel model={shown} />
      <PublishedPanel model={shown} />
      <ExceptionsTable model={shown} />
    </div>
  );
};
