import type { Settings } from '#model/settings/settings.ts';
import { loadModel } from '#model/statements/load-model.ts';
import { loadsOf, ratesOf, setsThroughput, sumOf } from '#planning/rates/load-rates.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type LatencySummary, latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import type { CellSummary, LoadSummary } from '../run-model/run-model.ts';

/** Start errors below this value are within the scatter of any scheduler … */
const leastLateMs = 1;

/**
 * … and start errors below this share of the service time are negligible. Both are p99. The response time is no
 * measure, because late starts lengthen it.
 */
const leastLateShare = 0.1;

/** Summarises the load over a cell's good repeats. Null for a closed loop. */
export function loadSummary(
  ok: readonly TrialResult[],
  settings: Settings,
  seconds: number,
  inProcess: boolean,
): LoadSummary | null {
  const all = loadsOf(ok);
  if (all.length === 0) return null;
  const of = (name: 'response' | 'wait' | 'startError', unfinished = 0) =>
    latencyOf(
      all.map((one) => one[name]),
      unfinished,
    );
  const ended = sumOf(all, (one) => one.ended);
  const unfinished = sumOf(all, (one) => one.unfinished);
  const model = loadModel(settings);
  const rates = ratesOf(all, model, seconds);
  const startError = of('startError');
  const service = latencyOf(ok.map(({ totals }) => totals.service));
  return {
    model,
    ...rates,
    thinkMs: ended === 0 ? null : sumOf(all, (one) => one.thinkMs) / ended,
    response: of('response', unfinished),
    wait: of('wait', unfinished),
    service,
    startError,
    backlog: model.kind === 'closed' ? null : sumOf(all, (one) => one.afterwards + one.unfinished) / all.length,
    unfinished,
    setsThroughput: setsThroughput(ok, settings, seconds),
    generatorLate: !inProcess && isLate(startError.p99, service.p99),
  };
}

/** An engine inside the process occupies the event loop while it works, so late arrivals waited for the engine. */
const isLate = (startErrorMs: number | null, serviceMs: number | null): boolean =>
  startErrorMs !== null &&
  startErrorMs > leastLateMs &&
  (serviceMs === null || startErrorMs > serviceMs * leastLateShare);

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
