import type { Batch } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { flatRows, type ParameterValue, type StoredType } from './values.ts';

/** The values for the placeholders of a statement. */
export interface Parameters {
  /** Types of a batch's columns, in order. */
  readonly types: readonly StoredType<ParameterType>[];
  /** The positions of the placeholders' values among the batch's, row after row. */
  readonly order: readonly number[];
  /** The value that is sent for a value of a column; nulls and numbers may be converted. */
  readonly sent: (value: ParameterValue, column: number) => ParameterValue;
}

/**
 * The functions that make a driver send numbers with their own types. By default mysql2 sends all numbers as doubles,
 * and the mariadb connector sends whole numbers beyond 32 bits as doubles and has no decimals: in an expression the
 * server would calculate with doubles, and it takes text for a double, too.
 */
export interface ExactNumbers {
  readonly integer: (value: number | bigint) => ParameterValue;
  readonly decimal: (text: string) => ParameterValue;
  readonly float: (value: number) => ParameterValue;
  /** The text for a value of this type in a statement of the user's own. */
  readonly place: (type: ParameterType) => string;
}

/** The function that converts a value of a statement to the value that is sent. `nulls` is sent for a null. */
export function senderOf(
  types: readonly StoredType<ParameterType>[],
  { integer, decimal, float }: ExactNumbers,
  nulls: ParameterValue,
): Parameters['sent'] {
  const kinds = types.map(({ type }) => type.kind);
  return (value, column) => {
    if (value === null) return nulls;
    switch (kinds[column]) {
      case 'bigint':
        return integer(value as number | bigint);
      case 'decimal':
        return decimal(String(value));
      case 'float':
        return float(Number(value));
      default:
        return value;
    }
  };
}

/** The values of a call, in the order of its placeholders. */
export function valuesOf({ types, order, sent }: Parameters, batch: Batch): ParameterValue[] {
  const flat = flatRows(batch, types);
  const width = types.length;
  return order.map((at) => sent(flat[at]!, at % width));
}
