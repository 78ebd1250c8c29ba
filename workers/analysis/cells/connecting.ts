import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { latencySummary } from '#stats/histogram/percentiles.ts';
import { connectingMs } from '../client/connecting-time.ts';
import type { ConnectingSummary } from '../run-model/run-model.ts';

/** Sessions that were opened anew, over trials; null if all connections were kept. */
export function connectingSummary(ok: readonly TrialResult[]): ConnectingSummary | null {
  const opened = new Histogram();
  const total = { failed: 0, endMs: 0, prepareMs: 0, connectingMs: 0, workMs: 0 };
  for (const { totals, health } of ok) {
    if (!totals.connecting) continue;
    const { connecting } = totals;
    opened.add(Histogram.decode(connecting.opened));
    total.failed += connecting.failed;
    total.endMs += connecting.endMs;
    total.prepareMs += connecting.prepareMs;
    total.connectingMs += connectingMs(totals);
    total.workMs += health.inCallsMs + health.transactionMs;
  }
  const attempts = opened.count + total.failed;
  if (attempts === 0) return null;
  const whole = total.connectingMs + total.workMs;
  return {
    latencyMs: latencySummary(opened),
    failed: total.failed,
    endMs: total.endMs / attempts,
    prepareMs: total.prepareMs / attempts,
    share: whole > 0 ? total.connectingMs / whole : null,
  };
}
