import { connectingSummary } from '#analysis/cells/connecting.ts';
import { busyMs } from '#analysis/client/busy-time.ts';
import { notComparableText } from '#analysis/compare/comparable.ts';
import { ratios } from '#analysis/compare/compare.ts';
import { type CellCost, costs } from '#analysis/compare/costs.ts';
import type { CellSummary, Ratio, RunModel, StatementSummary } from '#analysis/run-model/run-model.ts';
import { type ConsumedAmount, type Consumption, consumptions } from '#analysis/server/consumption.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { trialLatency } from '#planning/rates/load-rates.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { type DataFile, dataFile, from, number, text, whole, yesNo } from './data-file.ts';
import { cellColumns, connectingColumns, intervalColumns, latencyColumns, trialColumns } from './shared-columns.ts';

interface CellEntry {
  readonly cell: CellSummary;
  readonly ratio: Ratio | undefined;
  readonly cost: CellCost | undefined;
  readonly use: Consumption | undefined;
}

/** The results of the cells with their ratios. */
export function cellFile(run: RunModel, baseline: Baseline): DataFile {
  const { plan, caveats } = run;
  const caveatsOf = ({ variant, target }: CellSummary): string =>
    [
      ...new Set(
        caveats.flatMap(({ cell, title }) => (cell?.variant === variant && cell.target === target ? [title] : [])),
      ),
    ].join('; ');
  return dataFile<CellEntry>(
    'cells',
    'One row for each cell: a variant on a target, over all its repeats.',
    [
      ...from(({ cell }: CellEntry) => cell, cellColumns(run)),
      text(
        'engine',
        'The engine of the target.',
        ({ cell }) => plan.targets.find(({ name }) => name === cell.target)?.engine,
      ),
      yesNo('is_reference', 'True for a reference, which is not compared.', ({ cell }) =>
        isReference(run, cell.target),
      ),
      whole('trials_ok', 'Number of trials that ended well. Only they count.', ({ cell }) => cell.ok),
      whole('trials_failed', 'Number of all other trials.', ({ cell }) => cell.failed),
      ...intervalColumns<CellEntry>(
        'rows_per_second',
        'Throughput: mean rows per second over the repeats; calls per second if no rows move.',
        ({ cell }) => cell.rowsPerSecond,
      ),
      ...intervalColumns<CellEntry>(
        'value_bytes_per_second',
        'Bytes of the values of these rows per second. Empty: calls move no whole rows of known values.',
        ({ cell }) => cell.bytesPerSecond,
      ),
      ...intervalColumns<CellEntry>('calls_per_second', 'Mean calls per second.', ({ cell }) => cell.callsPerSecond),
      ...intervalColumns<CellEntry>('elapsed_ms', 'Mean time of the measured phase.', ({ cell }) => cell.elapsedMs),
      ...intervalColumns<CellEntry>('ratio', 'Throughput ÷ throughput of the baseline.', ({ ratio }) =>
        ratio && !ratio.otherRows && ratio.verdict !== 'baseline' ? ratio.ratio : null,
      ),
      text('verdict', 'The verdict on the ratio, or “baseline”.', ({ ratio }) => ratio?.verdict),
      number('price_per_hour', 'The price of an hour of the target. Empty: it has none.', ({ cost }) => cost?.perHour),
      text('currency', 'The currency of the price and the cost.', () => plan.experiment.prices?.currency),
      ...intervalColumns<CellEntry>(
        'cost_per_million',
        'The cost of a million rows, or calls if no rows move: price ÷ throughput.',
        ({ cost }) => cost?.perMillion,
      ),
      ...intervalColumns<CellEntry>(
        'per_money_ratio',
        'Throughput ÷ price, divided by that of the baseline.',
        ({ cost }) =>
          cost?.ratio && !cost.ratio.otherRows && cost.ratio.verdict !== 'baseline' ? cost.ratio.ratio : null,
      ),
      text(
        'per_money_verdict',
        'The verdict on per_money_ratio: “faster” means more for the same money.',
        ({ cost }) => cost?.ratio?.verdict,
      ),
      text('not_comparable', 'The kinds of reasons why the cell is not compared. Empty: it is.', ({ cell }) =>
        notComparableText(run, cell)
          .map(({ kind }) => kind)
          .join('; '),
      ),
      text(
        'latency_of',
        '“response”: the latencies are response times from the intended start; “service”: service times of calls.',
        ({ cell }) => (cell.load === null ? 'service' : 'response'),
      ),
      ...latencyColumns<CellEntry>('', 'latencies over all repeats', ({ cell }) => cell.latencyMs),
      ...latencyColumns<CellEntry>(
        'commit_',
        'times of commits that cover several calls',
        ({ cell }) => cell.commits?.latencyMs,
      ),
      ...connectingColumns<CellEntry>(({ cell }) => cell.connecting),
      number(
        'offered_per_second',
        'Units of work that arrived per second. Empty: nothing arrives by itself.',
        ({ cell }) => cell.load?.offeredPerSecond,
      ),
      whole('retries', 'Attempts that were repeated after a write conflict.', ({ cell }) => cell.conflicts?.retries),
      number(
        'lost_share',
        'Share (0 to 1) of the connections’ time that rolled-back attempts took.',
        ({ cell }) => cell.conflicts?.lostShare,
      ),
      number(
        'table_bytes_per_row',
        'The server’s storage of the tables for each row.',
        ({ cell }) => cell.storedBytesPerRow?.table,
      ),
      number(
        'index_bytes_per_row',
        'The server’s storage of the indexes for each row.',
        ({ cell }) => cell.storedBytesPerRow?.index,
      ),
      ...intervalColumns<CellEntry>(
        'log_bytes_each',
        'The server’s bytes of log for each row, or call if no rows move.',
        ({ use }) => toldOf(use?.each.log),
      ),
      ...intervalColumns<CellEntry>(
        'read_bytes_each',
        'Bytes that the server read from data files, likewise.',
        ({ use }) => toldOf(use?.each.read),
      ),
      ...intervalColumns<CellEntry>(
        'written_bytes_each',
        'Bytes that the server wrote to data files, likewise.',
        ({ use }) => toldOf(use?.each.written),
      ),
      ...intervalColumns<CellEntry>('processor_ms_each', 'Processor time of the server, likewise.', ({ use }) =>
        toldOf(use?.each.processor),
      ),
      yesNo(
        'client_bound',
        'True if a client process was busy all the time in some trial.',
        ({ cell }) => cell.clientSaturated,
      ),
      text('first_error', 'The first error of its trials.', ({ cell }) => cell.firstError?.message),
      text('caveats', 'The titles of its caveats.', ({ cell }) => caveatsOf(cell)),
    ],
    () => {
      const byCell = new Map(ratios(run, baseline).map((ratio) => [keyOf(ratio), ratio]));
      const costByCell = new Map(costs(run, baseline).map((cost) => [keyOf(cost), cost]));
      const useByCell = new Map(consumptions(run).map((use) => [keyOf(use), use]));
      return run.cells.map((cell) => {
        const key = keyOf(cell);
        return { cell, ratio: byCell.get(key), cost: costByCell.get(key), use: useByCell.get(key) };
      });
    },
  );
}

const toldOf = (amount: ConsumedAmount | undefined) => (amount === undefined || amount.value === null ? null : amount);

type View = RunModel['trials'][number];

/** The trials in the order of the run. */
export const trialFile = (run: RunModel): DataFile =>
  dataFile<View>(
    'trials',
    'One row for each trial.',
    [
      ...trialColumns(run),
      text('status', 'The end of the trial. Empty: it has no result.', ({ result, damage }) =>
        result === null && damage !== null ? 'damaged' : result?.status,
      ),
      text('error_kind', 'The kind of its first error.', ({ result }) => result?.error?.kind),
      text('error', 'The message of its first error.', ({ result, damage }) => result?.error?.message ?? damage),
      number(
        'measured_from_ms',
        'The start of its measured phase, in ms since the start of the run.',
        ({ measuredFromMs }) => measuredFromMs,
      ),
      number('elapsed_ms', 'The time of its measured phase.', ({ result }) => result?.elapsedMs),
      whole('rows', 'Rows of the measured phase.', ({ result }) => result?.totals.rows),
      whole('calls', 'Calls that succeeded.', ({ result }) => result?.totals.calls),
      whole('errors', 'Calls that failed.', ({ result }) => result && sumOf(result.totals.errors)),
      number('rows_per_second', 'Rows per second.', ({ result }) => result && perSecond(result, result.totals.rows)),
      number('calls_per_second', 'Calls per second.', ({ result }) => result && perSecond(result, result.totals.calls)),
      whole('commits', 'Commits.', ({ result }) => result?.totals.commits),
      whole('retries', 'Attempts repeated after a write conflict.', ({ result }) => result?.totals.retries),
      whole('gave_up', 'Units of work given up after the last attempt.', ({ result }) => result?.totals.gaveUp),
      ...latencyColumns<View>('', 'latencies', ({ result }) =>
        result === null || result.perCall !== undefined ? null : trialLatency(result.totals),
      ),
      ...connectingColumns<View>(({ result }) => result && connectingSummary([result])),
      number(
        'client_cpu_ms',
        'Processor time of the client processes.',
        ({ result }) => result && result.health.cpuUserMs + result.health.cpuSystemMs,
      ),
      number(
        'event_loop_utilisation',
        'Busy share (0 to 1) of the busiest client process.',
        ({ result }) => result?.health.eventLoopUtilisation,
      ),
      yesNo('client_bound', 'True if a client process was busy all the time.', ({ result }) => result?.clientSaturated),
      number('machine_busy_cores', 'Cores of this machine that anything used in the measured phase.', ({ result }) =>
        result?.machine && result.machine.wallMs > 0 ? result.machine.busyMs / result.machine.wallMs : null,
      ),
      text(
        'verification',
        'The comparison of the stored rows with the acknowledged ones.',
        ({ result }) => result?.verification.outcome,
      ),
      whole('expected_rows', 'Rows that the table has to have.', ({ result }) => result?.verification.expectedRows),
      whole('found_rows', 'Rows that it has.', ({ result }) => result?.verification.foundRows),
      number('table_bytes', 'The server’s storage of the tables.', ({ result }) => result?.storedBytes?.tableBytes),
      number('index_bytes', 'The server’s storage of the indexes.', ({ result }) => result?.storedBytes?.indexBytes),
    ],
    () => run.trials,
  );

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

function perSecond(result: NonNullable<View['result']>, count: number): number | null {
  const ms = busyMs(result);
  return ms > 0 ? (count * 1_000) / ms : null;
}

interface StatementEntry {
  readonly cell: CellSummary;
  readonly statement: StatementSummary;
}

/** The statements and transactions of each cell. */
export const statementFile = (run: RunModel): DataFile =>
  dataFile<StatementEntry>(
    'statements',
    'One row for each statement, transaction or scenario of a cell, over all repeats. Empty if the work has only one.',
    [
      ...from(({ cell }: StatementEntry) => cell, cellColumns(run)),
      text('statement', 'Its name in the experiment.', ({ statement }) => statement.name),
      text('kind', '“statement”, “transaction” or “scenario”.', ({ statement }) => statement.kind),
      number('calls_per_second', 'Calls per second.', ({ statement }) => statement.callsPerSecond),
      number('rows_per_call', 'Rows that a call returns or changes.', ({ statement }) => statement.rowsPerCall),
      ...latencyColumns<StatementEntry>('', 'its service times', ({ statement }) => statement.latencyMs),
      whole('errors', 'Calls that failed.', ({ statement }) => statement.failed.calls),
      number('failed_ms', 'Sum of the times of failed calls.', ({ statement }) => statement.failed.ms),
      text('error_kinds', 'The kinds of errors with their numbers.', ({ statement }) =>
        Object.entries(statement.errors)
          .map((pair) => pair.join(': '))
          .join('; '),
      ),
    ],
    () => run.cells.flatMap((cell) => (cell.statements ?? []).map((statement) => ({ cell, statement }))),
  );
