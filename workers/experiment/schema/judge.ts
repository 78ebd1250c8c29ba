import * as v from 'valibot';
import { described, fileKey } from '#model/file-key.ts';
import { keysOf } from '#model/keys-of.ts';
import { decimal } from '#model/numbers.ts';

/** The words of `judge`, with their names in the form. */
export const judgeWords = {
  throughput: 'Throughput',
  mean: 'Mean time',
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
  max: 'Maximum time',
} as const;

/** A time of one statement, transaction or scenario. */
const statementTime = v.strictObject({
  statement: described(
    v.pipe(v.string(), v.minLength(1), v.maxLength(120)),
    'The statement, transaction or scenario whose times are judged: response times where its calls are units of work of the load, and otherwise service times.',
  ),
  quantile: described(
    decimal(0.01, 1),
    'The quantile of its times: 0.95 is p95, and 1 is the longest time. A trial needs ten calls that are slower.',
  ),
});

/** One quantity that `judge` names. */
const judgedSchema = v.union([v.picklist(keysOf(judgeWords)), statementTime]);
/** A valid one. */
export type JudgedItem = v.InferOutput<typeof judgedSchema>;

/** The quantities by which the cells of a run are judged (`judge`). */
export const judgeSchema = fileKey(v.pipe(v.array(judgedSchema), v.minLength(1), v.maxLength(20)), {
  label: 'Judged by',
  help: 'The answer compares these quantities. throughput; mean, p50, p95, p99 or max: the response times of all calls; { statement: sell, quantile: 0.95 }: the times of one statement, transaction or scenario. All of them share the certainty of the answer. Default: throughput; where the load sets it, the highest of p99, p95 and p50 for which each repeat has enough calls, of all calls and of each statement that users call; where levels of a factor change the file, such a time of each statement.',
  usual: 'throughput, or times where the load sets it or levels change the file',
  first: ['p99'],
});
