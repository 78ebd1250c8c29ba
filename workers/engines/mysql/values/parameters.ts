import type { Batch } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { flatRows, type ParameterValue, type StoredType } from './values.ts';

/** What the placeholders of a statement stand for. */
export interface Parameters {
  /** Types of a batch's columns, in order. */
  readonly types: readonly StoredType<ParameterType>[];
  /** Where the values of the placeholders stand among the batch's, row after row. */
  readonly order: readonly number[];
  /** What is sent for a value of a column: a null, a bigint or a decimal may go as something else. */
  readonly sent: (value: ParameterValue, column: number) => ParameterValue;
}

/** The values of a call, in the order of its placeholders. */
export function valuesOf({ types, order, sent }: Parameters, batch: Batch): ParameterValue[] {
  const flat = flatRows(batch, types);
  const width = types.length;
  return order.map((at) => sent(flat[at]!, at % width));
}
