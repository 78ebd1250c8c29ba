import * as v from 'valibot';
import { type MeasurePlan, measureSchema, usualRange } from '#experiment/schema/experiment.ts';
import { trialEnds } from '#experiment/schema/until.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Settings } from '#model/settings/settings.ts';
import { placeStages, secondsOf } from '#model/stages.ts';
import { isPlainLoop, loadModel } from '#model/statements/load-model.ts';
import type { Report } from './check-shape.ts';

/** Rules for the measurement plan beyond the schema. */
export function checkMeasure(measure: unknown, report: Report): void {
  const parsed = v.safeParse(measureSchema, measure ?? {});
  if (!parsed.success) return;
  const { until = {}, stages, warmupSeconds, timeoutSeconds } = parsed.output;
  const seconds = stages ? secondsOf(stages) : until.seconds;
  checkTrialEnd(parsed.output, report);
  checkRepeats(parsed.output, report);
  if (until.calls !== undefined && isMapping(measure))
    for (const key of ['warmupSeconds', 'warmupRows'].filter((one) => measure[one] !== undefined))
      report({
        severity: 'warning',
        path: ['measure', key],
        at: 'key',
        message: `Trials of ${until.calls} calls ignore \`${key}\`: they end after the last call, and have no warm-up.`,
        suggestion: `Remove ${key}, or until.calls.`,
      });
  const names = placeStages(stages ?? []).map(({ name }) => name);
  names.forEach((name, i) => {
    if (names.indexOf(name) < i)
      report({
        path: ['measure', 'stages', i, 'name'],
        message: `Two stages are called \`${name}\`.`,
        suggestion: 'Give each a name of its own.',
      });
  });
  if (seconds !== undefined && seconds + warmupSeconds > timeoutSeconds)
    report({
      path: ['measure', 'timeoutSeconds'],
      message: `A trial of ${warmupSeconds} + ${seconds} s would always run into its time limit of ${timeoutSeconds} s.`,
      suggestion: 'Raise timeoutSeconds, or shorten the measured phase.',
    });
}

/** One thing ends a trial: a time, rows, calls, or the last stage. */
function checkTrialEnd({ until, stages }: MeasurePlan, report: Report): void {
  if (until === undefined) return;
  const [end, second] = trialEnds.filter((one) => until[one] !== undefined);
  if (Object.keys(until).length === 0)
    report({
      path: ['measure', 'until'],
      at: 'key',
      message: '`measure.until` does not say until when.',
      suggestion: 'Write { seconds: 5 }, { rows: all }, { calls: 5 } or { precision: 0.03 }, or remove the line.',
    });
  if (second !== undefined)
    report({
      path: ['measure', 'until', second],
      at: 'key',
      message: `A trial ends by ${end} or by ${second}, not by both.`,
      suggestion: `Remove one of ${end} and ${second}.`,
    });
  if (stages && end !== undefined)
    report({
      path: ['measure', 'until', end],
      at: 'key',
      message:
        end === 'calls'
          ? 'Calls that are reported one by one run one after another: they have no stages.'
          : `The stages say how long the measured phase is: ${secondsOf(stages)} s.`,
      suggestion: `Remove until.${end}, or the stages.`,
    });
}

/** A precision and a number of repeats that may vary need each other. */
function checkRepeats({ until, repeats, budgetSeconds, search }: MeasurePlan, report: Report): void {
  const precision = until?.precision;
  const isRange = typeof repeats === 'object';
  if (isRange && repeats.min > repeats.max)
    report({
      path: ['measure', 'repeats', 'max'],
      message: `At least ${repeats.min} repeats and at most ${repeats.max} cannot both be.`,
      suggestion: `Raise max, or lower min (${repeats.min}, which is ${usualRange.min} where the file is silent).`,
    });
  // A search refuses both (search-rules.ts).
  if (isRange && precision === undefined && search === undefined)
    report({
      path: ['measure', 'repeats'],
      message: `From ${repeats.min} to ${repeats.max} repeats: until when?`,
      suggestion: 'Add precision: 0.03 to measure.until, or write a number of repeats.',
    });
  if (typeof repeats === 'number' && precision !== undefined)
    report({
      path: ['measure', 'repeats'],
      message: 'A precision decides how many repeats there are; here their number is fixed.',
      suggestion: `Write repeats: { min: ${usualRange.min}, max: ${Math.max(usualRange.min, repeats)} }, or remove until.precision.`,
    });
  if (budgetSeconds !== undefined && precision === undefined)
    report({
      path: ['measure', 'budgetSeconds'],
      at: 'key',
      message: 'A budget limits repeats that end with a precision; here their number is fixed.',
      suggestion: 'Add precision: 0.03 to measure.until, or remove budgetSeconds.',
    });
}

/** The reason why calls cannot be reported one by one (measure.until.calls); null where they can, or need not. */
export function notCallByCallText(
  { calls }: { readonly calls?: number | undefined },
  settings: Settings,
): string | null {
  const { connections, callsPerCommit } = settings;
  if (calls === undefined) return null;
  if (connections > 1)
    return `measure.until.calls: calls are reported one by one on one connection, not on ${connections}.`;
  if (!isPlainLoop(loadModel(settings)))
    return 'measure.until.calls: calls that are reported one by one run one after another; remove load, users and thinkMs.';
  if (callsPerCommit > 1)
    return 'measure.until.calls: a call that is reported by itself commits by itself (callsPerCommit: 1).';
  return null;
}
