import { useMemo } from 'react';
import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import { costOfCell, pricesOf } from '#analysis/compare/costs.ts';
import type { PanelLink } from '#analysis/findings/shared/finding.ts';
import type { CellSummary, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { findCell, rateUnit } from '#analysis/run-model/select-cells.ts';
import { statementPlans, type UsedPlan } from '#analysis/server/query-plans.ts';
import { resourceLabels } from '#analysis/server/resource-labels.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { ownShares, rankedClasses } from '#analysis/server/server-time.ts';
import { formatBytes, formatCount, formatInterval, formatMs, formatPercent, formatRate } from '#model/format/format.ts';
import { trialLatency } from '#planning/rates/load-rates.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { variantText } from '#planning/variant-of.ts';
import { drawParts } from '#presentation/charts/kit/parts.ts';
import { percentiles } from '#presentation/tables/calls/latency-table.ts';
import { planName, stepTable } from '#presentation/tables/server/query-plan-table.ts';
import { byteRateText } from '#presentation/text/byte-rate-text.ts';
import { costText } from '#presentation/text/cost-text.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { useChartTheme } from '../../charts/chart-themes.ts';
import { SceneImage } from '../../charts/scene-image.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { GridTable, numbers } from '../../ui/display/grid-table.tsx';
import { SidePanel } from '../../ui/overlays/side-panel.tsx';
import { caveatsOf } from '../cell-text.ts';
import { PanelTable } from '../panel-table.tsx';
import { useBaseline } from '../use-baseline.ts';
import { SaveScript } from './save-script.tsx';

interface Props {
  readonly model: RunModel;
  readonly cell: Cell;
  readonly onClose: () => void;
  readonly onFollow: (link: PanelLink) => void;
}

/** One cell beside the page: result, percentiles, trials, loads, time of client and server, and query plans. */
export const CellInspector = ({ model, cell, onClose, onFollow }: Props) => {
  const [, setBaseline] = useBaseline(model);
  const { variant, target } = cell;
  const summary = findCell(model, variant, target);
  const trials = model.trials.filter(({ trial }) => trial.variant === variant && trial.target === target);
  const plans = useMemo(() => plansOf(model, { variant, target }), [model, variant, target]);
  const follow = (panel: PanelLink['panel']) => {
    onClose();
    onFollow({ panel, cell: { variant, target } });
  };
  const title = `${variantText(model.plan, variant)} on ${target}`;
  return (
    <SidePanel
      label={title}
      bodyLabel="Details"
      subject={title}
      onClose={onClose}
      head={
        <>
          <h2 className="grow">{title}</h2>
          <IconButton icon="close" label="Close the details" onPress={onClose} />
        </>
      }
    >
      <div className="cell-inspector">
        {summary && <Result model={model} summary={summary} />}
        <div className="row">
          <Button kind="primary" onPress={() => setBaseline({ variant, target })}>
            Compare with this
          </Button>
          <Button kind="quiet" onPress={() => follow('latency-percentiles')}>
            Latency
          </Button>
          <Button kind="quiet" onPress={() => follow('throughput-over-time')}>
            Time series
          </Button>
          {plans.length > 0 && (
            <Button kind="quiet" onPress={() => follow('query-plans')}>
              Query plans
            </Button>
          )}
        </div>
        {caveatsOf(model, cell).map(({ title: about, text }) => (
          <p key={`${about} ${text}`}>
            <strong>{about}.</strong> <span className="muted">{text}</span>
          </p>
        ))}
        {summary && <Percentiles summary={summary} />}
        <Trials model={model} trials={trials} />
        {summary && <TableLoads summary={summary} />}
        {summary && <ClientTime summary={summary} />}
        <ServerTime model={model} cell={cell} />
        <Plans model={model} plans={plans} />
        <SaveScript runId={model.runId} cell={cell} />
      </div>
    </SidePanel>
  );
};

const Result = ({ model, summary }: { readonly model: RunModel; readonly summary: CellSummary }) => {
  const { rowsPerSecond, ok, failed, clientSaturated } = summary;
  const price = pricesOf(model);
  const cost = price && costOfCell(summary, price);
  const bytes = byteRateText(summary);
  return (
    <p className="inspector-result">
      <strong>{rowsPerSecond === null ? '–' : `${formatInterval(rowsPerSecond)} ${rateUnit(model)}`}</strong>{' '}
      <span className="muted">
        {bytes !== '' && `${bytes} of values; `}
        {`over ${formatCount(ok)}`} {ok === 1 ? 'trial' : 'trials'}
        {failed > 0 && `; ${formatCount(failed)} failed`}
        {clientSaturated && '; client-bound: the server may be faster'}
        {cost && `; ${costText(model, cost)}`}
      </span>
    </p>
  );
};

const Percentiles = ({ summary: { latencyMs } }: { readonly summary: CellSummary }) =>
  latencyMs.count === 0 ? null : (
    <GridTable label="Latency percentiles" columns={numbers(...percentiles.map(([, title]) => title), 'calls')}>
      <tr>
        {percentiles.map(([key]) => (
          <td key={key} className="num">
            {formatMs(latencyMs[key])}
          </td>
        ))}
        <td className="num">{formatCount(latencyMs.count)}</td>
      </tr>
    </GridTable>
  );

const TableLoads = ({ summary: { tableLoads } }: { readonly summary: CellSummary }) =>
  tableLoads.length === 0 ? null : (
    <section aria-label="Tables loaded from files">
      <h3>Tables loaded from files</h3>
      <GridTable label="Loads" columns={['Table', ...numbers('Rows', 'Rows/s', 'Bytes/s')]}>
        {tableLoads.map(({ table, rows, rowsPerSecond, bytesPerSecond }) => (
          <tr key={table}>
            <th scope="row">{table}</th>
            <td className="num">{formatCount(rows)}</td>
            <td className="num">{formatInterval(rowsPerSecond)}</td>
            <td className="num">{formatBytes(bytesPerSecond.value)}/s</td>
          </tr>
        ))}
      </GridTable>
      <p className="muted">
        Dyno loads these rows before the clock starts. Bytes are the sizes of the values: the length of a text, 8 for a
        number or a time, 16 for a UUID, 1 for a boolean. The server and the file may store them in more or fewer bytes.
      </p>
    </section>
  );

const ClientTime = ({ summary: { clientTime } }: { readonly summary: CellSummary }) => {
  const theme = useChartTheme();
  if (clientTime === null) return null;
  const parts = clientParts.map((part) => ({
    ...{ label: partLabels[part], share: clientTime[part], text: formatPercent(clientTime[part]) },
    fill: theme.parts[part].fill,
  }));
  return <SceneImage {...drawParts('Where the client’s time went', parts, theme)} />;
};

/** The server's own time by class, if the server reports it. */
const ServerTime = ({ model, cell }: { readonly model: RunModel; readonly cell: Cell }) => {
  const theme = useChartTheme();
  const time = serverSummaries(model).find((one) => keyOf(one) === keyOf(cell))?.time;
  const classes = time ? rankedClasses(ownShares(time)) : [];
  if (classes.length === 0) return null;
  const parts = classes.map(([one, share]) => ({
    ...{ label: resourceLabels[one], share, text: formatPercent(share) },
    fill: theme.classes[one],
  }));
  return <SceneImage {...drawParts('Where the server’s own time went', parts, theme)} />;
};

/** The plan by which the server executed a statement of the cell. */
interface CellPlan {
  readonly statement: string | null;
  readonly used: UsedPlan;
}

const plansOf = (model: RunModel, cell: Cell): readonly CellPlan[] =>
  statementPlans(model).flatMap(({ statement, plans }) =>
    plans.filter(({ uses }) => uses.some((use) => keyOf(use) === keyOf(cell))).map((used) => ({ statement, used })),
  );

const Plans = ({ model, plans }: { readonly model: RunModel; readonly plans: readonly CellPlan[] }) =>
  plans.length === 0 ? null : (
    <section aria-label="Query plans">
      <h3>{plans.length === 1 ? 'Query plan' : 'Query plans'}</h3>
      {plans.map(({ statement, used }) => (
        <details key={`${statement} ${used.id}`} className="block-fold">
          <summary>
            {statement ?? 'The operation'}: {planName(used.plan.steps)}
          </summary>
          <PanelTable model={model} table={stepTable(used)} label={`Steps of ${planName(used.plan.steps)}`} />
        </details>
      ))}
    </section>
  );

const Trials = ({ model, trials }: { readonly model: RunModel; readonly trials: readonly TrialView[] }) => (
  <GridTable label="Trials" columns={['Repeat', ...numbers('Throughput', 'p50', 'p99', 'Errors'), 'Outcome']}>
    {trials.map(({ trial, result }) => {
      const latency = result?.status === 'ok' ? trialLatency(result.totals) : null;
      const errors = Object.values(result?.totals.errors ?? {}).reduce((sum, count) => sum + count, 0);
      return (
        <tr key={trial.number}>
          <th scope="row">{trial.repeat}</th>
          <td className="num">{result?.status === 'ok' ? formatRate(throughputOf(result), rateUnit(model)) : '–'}</td>
          <td className="num">{formatMs(latency?.p50)}</td>
          <td className="num">{formatMs(latency?.p99)}</td>
          <td className="num">{formatCount(errors)}</td>
          <td>{result === null ? 'not run yet' : (result.error?.message ?? result.status)}</td>
        </tr>
      );
    })}
  </GridTable>
);
