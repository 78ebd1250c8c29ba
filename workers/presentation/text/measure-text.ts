import { isCold } from '#engine-api/support/cold-cache.ts';
import { formatCount } from '#model/format/format.ts';
import type { Plan } from '#protocol/plan.ts';

/** When a trial ends: "when 50 000 rows are done", "after 5 s", "after 5 calls". */
export function describeTrialEnd({ measure }: Plan): string {
  switch (measure.until) {
    case 'rows':
      return `when ${formatCount(measure.rows)} rows are done`;
    case 'time':
      return `after ${measure.seconds} s`;
    case 'calls':
      return `after ${measure.calls} calls`;
  }
}

export function describeWarmup({ measure, variants }: Plan): string {
  if (measure.until === 'calls') return 'none';
  const usual = measure.until === 'rows' ? `${formatCount(measure.warmupRows)} rows` : `${measure.warmupSeconds} s`;
  return variants.some(({ settings }) => isCold(settings)) ? `${usual}; none before cold trials` : usual;
}
