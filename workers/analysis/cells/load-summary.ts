import type { Settings } from '#model/settings/settings.ts';
import { loadModel } from '#model/statements/load-model.ts';
import { loadsOf, ratesOf, setsThroughput, sumOf } from '#planning/rates/load-rates.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type LatencySummary, latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import type { CellSummary, LoadSummary } from '../run-model/run-model.ts';

/** Start errors whose p99 is below this value are within the scatter of any scheduler … */
const leastLateMs = 1;

/** … and late starts that make none of these percentiles longer by more than this share are negligible. */
const leastLateShare = 0.1;
const latePercentiles = ['p50', 'p95', 'p99'] as const;

/** Summarises the load over a cell's good repeats. Null for a closed loop. */
export function loadSummary(
  ok: readonly TrialResult[],
  settings: Settings,
  seconds: number,
  inProcess: boolean,
): LoadSummary | null {
  const all = loadsOf(ok);
  if (all.length === 0) return null;
  const of = (name: 'response' | 'sinceStart' | 'wait' | 'startError', unfinished = 0) =>
    latencyOf(
      all.map((one) => one[name]),
      unfinished,
    );
  const ended = sumOf(all, (one) => one.ended);
  const unfinished = sumOf(all, (one) => one.unfinished);
  const model = loadModel(settings);
  const rates = ratesOf(all, model, seconds);
  const startError = of('startError');
  const response = of('response', unfinished);
  const lateShare = lateShareOf(response, of('sinceStart', unfinished));
  return {
    model,
    ...rates,
    thinkMs: ended === 0 ? null : sumOf(all, (one) => one.thinkMs) / ended,
    response,
    wait: of('wait', unfinished),
    service: latencyOf(ok.map(({ totals }) => totals.service)),
    startError,
    backlog: model.kind === 'closed' ? null : sumOf(all, (one) => one.afterwards + one.unfinished) / all.length,
    unfinished,
    setsThroughput: setsThroughput(ok, settings, seconds),
    lateShare,
    // An engine inside the process occupies the event loop while it works, so that late arrivals waited for the engine.
    generatorLate: !inProcess && lateShare > leastLateShare && (startError.p99 ?? startError.max ?? 0) > leastLateMs,
  };
}

/** The largest share by which late starts lengthen a percentile of the response time; 0: no percentile is known. */
const lateShareOf = (response: LatencySummary, sinceStart: LatencySummary): number =>
  Math.max(
    0,
    ...latePercentiles.map((name) => {
      const [late, onTime] = [response[name], sinceStart[name]];
      return late === null || !onTime ? 0 : late / onTime - 1;
    }),
  );

const latencyOf = (encoded: readonly string[], givenUp = 0): LatencySummary =>
  latencySummary(mergeEncoded(encoded), givenUp);

type Loads = readonly Pick<CellSummary, 'load' | 'ok'>[];

/** The name of the latency that these cells have. */
export const latencyTitle = (cells: Loads): 'Service time' | 'Response time' | 'Response or service time' =>
  cells.every(({ load }) => load === null)
    ? 'Service time'
    : cells.every(({ load, ok }) => load !== null || ok === 0)
      ? 'Response time'
      : 'Response or service time';

/** Explains the latencies to a reader; empty if they are service times. */
export function loadLatencyText(cells: Loads): string {
  switch (latencyTitle(cells)) {
    case 'Service time':
      return '';
    case 'Response time':
      return ' Response time, from the intended start.';
    case 'Response or service time':
      return ' Response time, from the intended start, where work arrives, or users think or wait for a connection; service time in plain closed loops.';
  }
}
