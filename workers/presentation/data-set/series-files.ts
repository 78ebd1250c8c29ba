import { type ClientShares, clientParts, partLabels } from '#analysis/client/client-time.ts';
import type { EventMark, LatencyColumns, RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import type { ProbeInfo } from '#engine-api/probe.ts';
import { probeInfoOf } from '#engine-api/probe-info.ts';
import { type ColumnOf, type DataFile, dataFile, from, number, text, whole } from './data-file.ts';
import { trialColumns } from './shared-columns.ts';

/** A second of a trial: of all its calls, or of one statement. */
interface Second {
  readonly view: TrialView;
  readonly at: number;
  readonly statement: string | null;
  readonly latencies: LatencyColumns;
}

/** The columns of the trial that a row belongs to. */
export const inTrial = (run: RunModel): readonly ColumnOf<{ readonly view: TrialView }>[] =>
  from(({ view }) => view, trialColumns(run));

/** The description of a column of moments. */
export const atMs = (about: string) => `${about}, in ms since the start of the measured phase.`;

/** The trials second by second. */
export const secondFile = (run: RunModel): DataFile =>
  dataFile<Second>(
    'seconds',
    'One row for each second of a trial, and for each second of each of its statements. All client processes are merged.',
    [
      ...inTrial(run),
      text(
        'statement',
        'The statement. Empty: all calls, which alone have rows, errors, waiting work and figures of the clients.',
        ({ statement }) => statement,
      ),
      number('at_ms', atMs('The end of the second'), ({ view, at }) => view.series.atMs[at]),
      ofAll('rows_per_second', 'Rows per second.', 'rowsPerSecond'),
      number('calls_per_second', 'Calls that succeeded, per second.', callsPerSecond),
      ofAll('errors_per_second', 'Calls that failed, per second.', 'errorsPerSecond'),
      ofAll('retries_per_second', 'Attempts repeated after write conflicts, per second.', 'retriesPerSecond'),
      ofAll('lost_ms_per_second', 'The connections’ time that write conflicts cost.', 'lostMsPerSecond'),
      whole(
        'timed_calls',
        'Calls whose latencies the percentiles are of: service times of calls; for all calls of a load with intended starts, response times of units of work.',
        ({ latencies, at }) => latencies.timed[at],
      ),
      number('p50_ms', 'Median latency. Empty with too few calls.', ({ latencies, at }) => latencies.p50Ms[at]),
      number('p95_ms', '95th percentile of the latency.', ({ latencies, at }) => latencies.p95Ms[at]),
      number('p99_ms', '99th percentile of the latency.', ({ latencies, at }) => latencies.p99Ms[at]),
      number('max_ms', 'Greatest latency.', ({ latencies, at }) => latencies.maxMs[at]),
      ofAll('waiting', 'Units of work that wait for a connection, at the end of the second.', 'waiting'),
      ofAll('client_cores', 'Cores that the client processes used.', 'clientCores'),
      ofAll('event_loop_utilisation', 'Busy share (0 to 1) of the busiest client process.', 'eventLoopUtilisation'),
      ofAll('client_memory_bytes', 'Memory of all client processes.', 'rssBytes'),
      ofAll('longest_pause_ms', 'The longest time in which an event loop ran nothing else.', 'loopLongestMs'),
      ofAll('no_processor_ms', 'The longest wait of a client process for a processor.', 'noProcessorMs'),
    ],
    function* () {
      for (const view of run.trials) {
        const { series } = view;
        for (let at = 0; at < series.atMs.length; at++) {
          yield { view, at, statement: null, latencies: series };
          for (const { name, latencies } of series.statements) yield { view, at, statement: name, latencies };
        }
      }
    },
  );

type NumbersOfSeries = {
  [Key in keyof TrialView['series']]: TrialView['series'][Key] extends readonly (number | null)[] ? Key : never;
}[keyof TrialView['series']];

/** A column with values for all calls alone. */
const ofAll = (name: string, about: string, key: NumbersOfSeries): ColumnOf<Second> =>
  number(name, about, ({ view, at, statement }) => (statement === null ? view.series[key][at] : null));

/** The snapshots count the calls of a statement by their latencies alone. */
function callsPerSecond({ view: { series }, at, statement, latencies }: Second): number | null {
  if (statement === null) return series.callsPerSecond[at] ?? null;
  const lengthMs = (series.atMs[at] ?? 0) - (series.atMs[at - 1] ?? 0);
  const timed = latencies.timed[at] ?? null;
  return timed === null || lengthMs <= 0 ? null : (timed * 1_000) / lengthMs;
}

interface ClientSecond {
  readonly view: TrialView;
  readonly at: number;
  readonly worker: number | null;
  readonly shares: ClientShares;
}

/** The time of the client processes second by second. */
export const clientFile = (run: RunModel): DataFile =>
  dataFile<ClientSecond>(
    'client-time',
    'The time of the client processes by activity, for each second.',
    [
      ...inTrial(run),
      whole('worker', 'The client process. Empty: all of them.', ({ worker }) => worker),
      number('at_ms', atMs('The end of the second'), ({ view, at }) => view.series.atMs[at]),
      ...clientParts.map((part) =>
        number<ClientSecond>(
          `${part}_share`,
          `Share (0 to 1) of the time: ${partLabels[part]}.`,
          ({ shares }) => shares[part],
        ),
      ),
    ],
    function* () {
      for (const view of run.trials)
        for (const timeline of view.series.clientTime)
          for (const [at, shares] of timeline.shares.entries())
            if (shares !== null) yield { view, at, worker: timeline.worker, shares };
    },
  );

interface Sample {
  readonly view: TrialView;
  readonly counter: string;
  readonly info: ProbeInfo | undefined;
  readonly kind: 'perSecond' | 'gauge';
  readonly atMs: number;
  readonly value: number;
}

/** The server's counters and gauges second by second. */
export const counterFile = (run: RunModel): DataFile =>
  dataFile<Sample>(
    'server-counters',
    'One row for each counter and gauge that a server reported, for each second.',
    [
      ...inTrial(run),
      text('counter', 'The server’s own name of the value.', ({ counter }) => counter),
      text('label', 'The value in words.', ({ counter, info }) => info?.label ?? counter),
      text(
        'kind',
        '“perSecond”: the difference per second of a total; “gauge”: a value of the moment.',
        ({ kind }) => kind,
      ),
      text('unit', 'The unit of the value: bytes, count, ms or us.', ({ info }) => info?.unit ?? 'count'),
      number('at_ms', atMs('The moment'), (sample) => sample.atMs),
      number('value', 'The value.', ({ value }) => value),
    ],
    function* () {
      for (const view of run.trials) {
        const infos = run.targets.find(({ name }) => name === view.trial.target)?.probeInfo ?? {};
        const { probes, gauges } = view.series;
        const both = [
          ...Object.entries(probes).map(([counter, one]) => [counter, 'perSecond', one.atMs, one.perSecond] as const),
          ...Object.entries(gauges).map(([counter, one]) => [counter, 'gauge', one.atMs, one.values] as const),
        ];
        for (const [counter, kind, times, values] of both) {
          const info = probeInfoOf(infos, counter);
          for (const [i, value] of values.entries())
            yield { view, counter, info, kind, atMs: times[i] ?? Number.NaN, value };
        }
      }
    },
  );

interface Work {
  readonly view: TrialView;
  readonly kind: string;
  readonly label: string;
  readonly mark: EventMark;
}

/** The servers' own work, as they timed it. */
export const serverWorkFile = (run: RunModel): DataFile =>
  dataFile<Work>(
    'server-work',
    'One row for each piece of a server’s own work (checkpoints, flushes and others), or for several that the server reports as a sum.',
    [
      ...inTrial(run),
      text('kind', 'The server’s own name of the work.', ({ kind }) => kind),
      text('label', 'The work in words.', ({ label }) => label),
      number('at_ms', atMs('Its beginning'), ({ mark }) => mark.atMs),
      number('duration_ms', 'Its duration, or the longest duration of several.', ({ mark }) => mark.durationMs),
      whole('count', 'The number of pieces.', ({ mark }) => mark.count),
      number('total_ms', 'The sum of their durations.', ({ mark }) => mark.totalMs),
      number('total_bytes', 'The sum of their bytes. Empty: not reported.', ({ mark }) => mark.totalBytes),
    ],
    function* () {
      for (const view of run.trials) {
        const infos = run.targets.find(({ name }) => name === view.trial.target)?.probeInfo ?? {};
        for (const [kind, { marks }] of Object.entries(view.series.events))
          for (const mark of marks) yield { view, kind, label: probeInfoOf(infos, kind)?.label ?? kind, mark };
      }
    },
  );
