import * as v from 'valibot';
import { isMapping } from '#model/is-mapping.ts';
import type { Settings } from '#model/settings/settings.ts';
import { placeStages, secondsOf } from '#model/stages.ts';
import { isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import { type MeasurePlan, measureSchema } from '../schema/experiment.ts';
import type { Report } from './check-shape.ts';

/** What the schema cannot say about the measurement plan. */
export function checkMeasure(measure: unknown, report: Report): void {
  const parsed = v.safeParse(measureSchema, measure ?? {});
  if (!parsed.success) return;
  const { until, calls, stages, warmupSeconds, timeoutSeconds, repeats, budgetSeconds } = parsed.output;
  const seconds = stages ? secondsOf(stages) : parsed.output.seconds;
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
      suggestion: `Write repeats: { min: 5, max: ${Math.max(5, repeats)}, relativeMargin: 0.03 }, or remove budgetSeconds.`,
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
  if (calls !== undefined && isMapping(measure))
    for (const key of ['seconds', 'warmupSeconds', 'warmupRows'].filter((one) => measure[one] !== undefined))
      report({
        severity: 'warning',
        path: ['measure', key],
        at: 'key',
        message: `Trials of ${calls} calls ignore \`${key}\`: they end after the last call, and have no warm-up.`,
        suggestion: `Remove ${key}, or calls.`,
      });
  if (calls !== undefined && stages)
    report({
      severity: 'error',
      path: ['measure', 'stages'],
      at: 'key',
      message: 'Calls that are reported one by one follow one after another: they have no stages.',
      suggestion: 'Remove one of calls and stages.',
    });
  if (stages && isMapping(measure) && measure.seconds !== undefined)
    report({
      severity: 'error',
      path: ['measure', 'seconds'],
      at: 'key',
      message: `The stages say how long the measured phase is: ${seconds} s.`,
      suggestion: 'Remove seconds, or the stages.',
    });
  const names = placeStages(stages ?? []).map(({ name }) => name);
  names.forEach((name, i) => {
    if (names.indexOf(name) < i)
      report({
        severity: 'error',
        path: ['measure', 'stages', i, 'name'],
        at: 'value',
        message: `Two stages are called \`${name}\`.`,
        suggestion: 'Give each a name of its own.',
      });
  });
  if ((until === 'time' || stages) && seconds + warmupSeconds > timeoutSeconds)
    report({
      severity: 'error',
      path: ['measure', 'timeoutSeconds'],
      at: 'value',
      message: `A trial of ${warmupSeconds} + ${seconds} s would always run into its time limit of ${timeoutSeconds} s.`,
      suggestion: 'Raise timeoutSeconds, or shorten seconds.',
    });
}

/** Why calls cannot be reported one by one (measure.calls); null where they can, or need not. */
export function whyNotCallByCall({ calls }: Pick<MeasurePlan, 'calls'>, settings: Settings): string | null {
  const { connections, callsPerCommit } = settings;
  if (calls === undefined) return null;
  if (connections > 1)
    return `measure.calls: the calls of one connection are reported one by one, not those of ${connections}.`;
  if (!isPlainLoop(loadModel(settings)))
    return 'measure.calls: calls that are reported one by one follow one after another; remove load, users and thinkMs.';
  if (callsPerCommit > 1)
    return 'measure.calls: a call that is reported by itself commits by itself (callsPerCommit: 1).';
  return null;
}
