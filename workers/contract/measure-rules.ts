import * as v from 'valibot';
import type { Report } from './check-shape.ts';
import { measureSchema } from './experiment.ts';

/** What the schema cannot say about the measurement plan. */
export function checkMeasure(measure: unknown, report: Report): void {
  const parsed = v.safeParse(measureSchema, measure ?? {});
  if (!parsed.success) return;
  const { until, seconds, warmupSeconds, timeoutSeconds } = parsed.output;
  if (until === 'time' && seconds + warmupSeconds > timeoutSeconds)
    report({
      severity: 'error',
      path: ['measure', 'timeoutSeconds'],
      at: 'value',
      message: `A trial of ${warmupSeconds} + ${seconds} s would always run into its time limit of ${timeoutSeconds} s.`,
      suggestion: 'Raise timeoutSeconds, or shorten seconds.',
    });
}
