import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn, type Value, writeUuidText } from '#model/batch/decode.ts';
import { writeIsoTime } from '#model/batch/iso-time.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { isoTimeLength } from '#model/dataset/stored-type.ts';
import { Scratch } from '../../shared/scratch.ts';
import {
  asBytes,
  asFlag,
  asNumber,
  asTime,
  asUuidText,
  asValue,
  endOf,
  formIn,
  formOf,
  startOf,
} from '../../shared/value-forms.ts';
import { utf8Length, writeBytes, writeUtf8 } from '../../shared/wire-bytes.ts';
import { bindHead, executeSync, isShortWhole, writeDigits, writeInt16, writeInt32 } from './messages.ts';

const scratch = new Scratch();

/** The bytes of the longest number, boolean, time or UUID as text: a UUID has 36. */
const shortBytes = 40;

/**
 * Makes the Bind of a named statement from the rows of a batch, and the messages behind it. It writes what
 * executeNamed() writes, without making values of bytes that can be written as they are. `types`: of the batch's
 * columns; `columns`: those of the statement's parameters, in their order.
 */
export function bindRows(
  statement: string,
  types: readonly ParameterType[],
  columns: readonly number[] = types.map((_, c) => c),
): (batch: Batch) => Buffer {
  const head = bindHead(statement);
  const forms = types.map((type) => formOf(type, true));
  const width = columns.length;
  /** The bytes before the fields of calls with this many rows; all formats are text at first. */
  let begin = beginOf(head, width);
  let beginRows = 1;
  return (batch) => {
    const { rows } = batch;
    if (rows !== beginRows) {
      begin = beginOf(head, rows * width);
      beginRows = rows;
    }
    // Short values have their room from the beginning; longer ones make more room.
    const reserved = (4 + shortBytes) * rows * width + end.length;
    let bytes = scratch.room(begin.length + reserved, 0);
    let at = writeBytes(bytes, 0, begin);
    let format = head.length + 3;
    let made: Value[][] | null = null;
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < width; i++, format += 2) {
        const c = columns[i]!;
        const column = batch.columns[c]!;
        if (column.nulls !== null && column.nulls[row] === 1) {
          at = writeInt32(bytes, at, -1);
          continue;
        }
        const type = types[c]!;
        const form = formIn(column, forms[c]!, type);
        const from = at + 4;
        if (form === asValue) {
          made ??= [];
          made[c] ??= decodeColumn(column, type, rows);
          const value = made[c][row]!;
          if (value === null) {
            at = writeInt32(bytes, at, -1);
            continue;
          }
          const text = String(value);
          bytes = scratch.room(from + utf8Length(text) + reserved, at);
          at = writeUtf8(bytes, from, text);
        } else if (column.kind === 'number') at = writeNumber(bytes, from, form, column.values[row]!);
        else if (form === asUuidText) at = writeUuidText(column.bytes, startOf(column, row), bytes, from);
        else {
          const start = startOf(column, row);
          const stop = endOf(column, row);
          bytes = scratch.room(from + stop - start + reserved, at);
          at = writeBytes(bytes, from, column.bytes, start, stop);
          if (form === asBytes) bytes[format] = 1;
        }
        writeInt32(bytes, from - 4, at - from);
      }
    }
    writeInt32(bytes, 1, at + 1);
    return scratch.take(writeBytes(bytes, at, end));
  };
}

function beginOf(head: Buffer, count: number): Buffer {
  const bytes = Buffer.alloc(head.length + 4 + 2 * count);
  writeBytes(bytes, 0, head);
  writeInt16(bytes, head.length, count);
  writeInt16(bytes, head.length + 2 + 2 * count, count);
  return bytes;
}

/** The bytes behind the fields: the answer's formats are text, and the statement is executed. */
const end = Buffer.concat([Buffer.alloc(2), executeSync]);

/** Writes a value as text, and returns the position behind it. */
function writeNumber(to: Buffer, at: number, form: number, value: number): number {
  if (form === asTime) {
    writeIsoTime(value, to, at);
    return at + isoTimeLength;
  }
  if (form === asFlag) return writeUtf8(to, at, value === 1 ? 'true' : 'false');
  if (form === asNumber && isShortWhole(value)) return writeDigits(to, at, value);
  return writeUtf8(to, at, String(value));
}
