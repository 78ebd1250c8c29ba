import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';

// The forms in which the values of a column are written into a message without making JavaScript's values of them.

/** The column has none of these forms, so JavaScript's values are made. */
export const asValue = 0;
/** Numbers. */
export const asNumber = 1;
/** Zeros and ones of booleans. */
export const asFlag = 2;
/** Microseconds since 1970. */
export const asTime = 3;
/** Bytes of texts. */
export const asText = 4;
/** Bytes. */
export const asBytes = 5;
/** The 16 bytes of UUIDs, of which text is made. */
export const asUuidText = 6;

/** `uuidText`: UUIDs are sent as text. */
export function formOf({ kind }: ParameterType, uuidText: boolean): number {
  switch (kind) {
    case 'bigint':
    case 'float':
      return asNumber;
    case 'boolean':
      return asFlag;
    case 'timestamp':
      return asTime;
    case 'text':
      return asText;
    case 'bytes':
      return asBytes;
    case 'uuid':
      return uuidText ? asUuidText : asBytes;
    default:
      return asValue;
  }
}

/** The form of a column in a batch; batches of parameters may have values of most types as text. */
export function formIn({ kind }: ColumnVector, form: number, type: ParameterType): number {
  switch (form) {
    case asNumber:
    case asFlag:
    case asTime:
      return kind === 'number' ? form : asValue;
    case asText:
      return kind === 'number' ? asValue : form;
    case asBytes:
      return kind === 'fixed' || (kind === 'variable' && type.kind === 'bytes') ? form : asValue;
    case asUuidText:
      return kind === 'fixed' ? form : asValue;
    default:
      return asValue;
  }
}

/** The beginning of a value's bytes, in a column of bytes. */
export const startOf = (column: Exclude<ColumnVector, { kind: 'number' }>, row: number): number =>
  column.kind === 'fixed' ? column.offset + row * column.stride : column.offsets[row]!;
/** The end of a value's bytes. */
export const endOf = (column: Exclude<ColumnVector, { kind: 'number' }>, row: number): number =>
  column.kind === 'fixed' ? column.offset + row * column.stride + column.width : column.offsets[row + 1]!;
