import * as v from 'valibot';
import type { Report } from './check-shape.ts';
import { measureSchema } from './experiment.ts';

/** What the schema cannot say about the measurement plan. */
export function checkMeasure(measure: unknown, report: Report): void {
  const parsed = v.safeParse(measureSchema, measure ?? {});
  if (!parsed.success) return;
  const { until, seconds, warmupSeconds, timeoutSeconds, repeats, budgetSeconds } = parsed.output;
  if (typeof repeats === 'object' && repeats.min > repeats.max)
    report({
      severity: 'error',
      path: ['measure', 'repeats', 'max'],
      at: 'value',
      message: `At least ${repeats.min} repeats and at most ${repeats.max} cannot both be.`,
      suggestion: `Raise max, or lower min (${repeats.min}, which is 5 where the file is silent).`,
    });
  if (typeof repeats === 'number' && budgetSeconds !== undefined)
    report({
      severity: 'error',
      path: ['measure', 'budgetSeconds'],
      at: 'key',
      message: 'A budget needs a number of repeats that may vary; here it is fixed.',
      suggestion: `Write repeats: { min: 5, max: ${Math.max(5, repeats)}, within: 0.03 }, or remove budgetSeconds.`,
    });
  if (until === 'time' && seconds + warmupSeconds > timeoutSeconds)
    report({
      severity: 'error',
      path: ['measure', 'timeoutSeconds'],
      at: 'value',
      message: `A trial of ${warmupSeconds} + ${seconds} s would always run into its time limit of ${timeoutSeconds} s.`,
      suggestion: 'Raise timeoutSeconds, or shorten seconds.',
    });
}
