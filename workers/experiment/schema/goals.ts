import * as v from 'valibot';
import { described, fileKey } from '#model/file-key.ts';
import { decimal } from '#model/numbers.ts';

const ms = v.pipe(v.number(), v.gtValue(0), v.maxValue(3_600_000));
const limit = (label: string, of: string, first: number) =>
  v.optional(
    fileKey(ms, {
      label,
      unit: 'ms',
      help: `The goal for ${of}, in ms: it is met at or below this time.`,
      usual: 'none',
      first,
    }),
  );

/** Limits to which the calls of a cell have to keep. */
const goalSchema = v.strictObject({
  meanMs: limit('Goal for mean', 'the mean time', 10),
  p50Ms: limit('Goal for p50', 'the median time', 10),
  p95Ms: limit('Goal for p95', 'the 95th percentile', 50),
  p99Ms: limit('Goal for p99', 'the 99th percentile', 50),
  maxMs: limit('Goal for maximum', 'the longest time', 1_000),
  errorsPercent: v.optional(
    fileKey(decimal(0, 100), {
      label: 'Goal for errors (%)',
      help: 'The goal for the calls that fail, in per cent of all calls: it is met at or below this share. No number of calls shows a share of 0, so that a goal of 0 can be missed, but not met.',
      usual: 'none',
      first: 0.1,
    }),
  ),
  of: v.optional(
    fileKey(v.pipe(v.string(), v.minLength(1), v.maxLength(120)), {
      label: 'Goals are for',
      help: 'The statement, transaction or scenario that the goals are for. Without it, they are for all units of work.',
      usual: 'all calls',
    }),
  ),
});
/** Valid goals for one kind of call. */
export type Goal = v.InferOutput<typeof goalSchema>;

/** The goals of an experiment. */
export const goalsSchema = described(
  v.union([goalSchema, v.pipe(v.array(goalSchema), v.minLength(1), v.maxLength(20))]),
  'Limits for times and errors, or a list of them: each cell meets them, misses them, or its repeats do not show it. A search for a limit finds the highest load that keeps all of them.',
);

/** The goals of a file as a list. */
export const goalList = (goals: v.InferOutput<typeof goalsSchema> | undefined): readonly Goal[] =>
  goals === undefined ? [] : Array.isArray(goals) ? goals : [goals];
