import type { OperationPlan } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import { rangeColumnOf } from '#model/dataset/named-columns.ts';
import { betweenQuery, literalRangeQuery, literalValue, rangeQuery } from '../queries.ts';
import { type FieldValue, keyMaker, rangeFields } from '../values/documents.ts';
import type { Work } from './work.ts';

/** A range as RQL. */
export interface RangeQuestion {
  readonly query: string;
  /** Empty: the values are in the text. */
  readonly parameters: Readonly<Record<string, FieldValue>>;
}

/**
 * Makes the query of a range read for each batch. `most`: the most documents that it wants; null: the query itself
 * limits them.
 */
export function rangeQuestions(
  { table, options }: Work,
  { method, settings }: Pick<OperationPlan, 'method' | 'settings'>,
): { readonly most: number | null; ask(batch: Batch): RangeQuestion } {
  const literal = method === 'literal';
  const over = rangeColumnOf(table, settings);
  if (over) {
    const fields = rangeFields(table, over.index, options.dates);
    const query = betweenQuery(table, over.index);
    return {
      most: null,
      ask(batch) {
        const [low, high] = fields(batch);
        return literal
          ? { query: betweenQuery(table, over.index, literalValue(low), literalValue(high)), parameters: {} }
          : { query, parameters: { low, high } };
      },
    };
  }
  const keys = keyMaker(table, options.dates);
  const query = rangeQuery(table, options);
  return {
    most: settings.rangeRows,
    ask(batch) {
      const { value } = keys(batch)[0]!;
      return literal
        ? { query: literalRangeQuery(table, options, value), parameters: {} }
        : { query, parameters: { key: value } };
    },
  };
}
