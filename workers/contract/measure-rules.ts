import * as v from 'valibot';
import type { Report } from './check-shape.ts';
import { type MeasurePlan, measureSchema } from './experiment.ts';
import type { Settings } from './settings.ts';

/** What the schema cannot say about the measurement plan. */
export function checkMeasure(measure: unknown, report: Report): void {
  const parsed = v.safeParse(measureSchema, measure ?? {});
  if (!parsed.success) return;
  const { until, calls, seconds, warmupSeconds, timeoutSeconds, repeats, budgetSeconds } = parsed.output;
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
  if (until === 'calls' && calls === undefined)
    report({
      severity: 'error',
      path: ['measure', 'until'],
      at: 'value',
      message: 'A trial that ends after some calls has to say after how many.',
      suggestion: 'Add calls: 5.',
    });
  if (calls !== undefined && until !== undefined && until !== 'calls')
    report({
      severity: 'error',
      path: ['measure', 'calls'],
      at: 'key',
      message: `A trial ends after some calls or by ${until}, not by both.`,
      suggestion: 'Remove one of calls and until.',
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

/** Why calls cannot be told apart (measure.calls); null where they can, or need not. */
export function whyNotCallByCall(
  { calls }: Pick<MeasurePlan, 'calls'>,
  { connections, callsPerCommit }: Settings,
): string | null {
  if (calls === undefined) return null;
  if (connections > 1) return `measure.calls: the calls of one connection are told apart, not those of ${connections}.`;
  if (callsPerCommit > 1) return 'measure.calls: a call that is told apart commits by itself (callsPerCommit: 1).';
  return null;
}
