import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';

/**
 * Descriptors of rows (FD:OCA, DRDA Volume 2: "Group Data Array" and "Row Layout" triplets; which of them DRDA uses:
 * Volume 1, "SQLDTA", "SQLDTARD"): per column the type and two bytes, a length or a decimal's precision and scale.
 */

const groupTriplet = 0x76;
const continuationTriplet = 0x7f;
const rowTriplet = 0x71;
const rowGroup = 0xd0;
const parametersRow = 0xe4;
/** The number of columns that fit into a triplet of 255 bytes. */
const columnsPerTriplet = 84;

/** A column's type on the wire with its two bytes of length. */
export interface WireColumn {
  readonly type: number;
  readonly length: number;
}

/** The value of FDODSC, which describes one row of parameters. */
export function writeDescriptor(to: ByteWriter, columns: readonly WireColumn[]): void {
  for (let first = 0; first === 0 || first < columns.length; first += columnsPerTriplet) {
    const group = columns.slice(first, first + columnsPerTriplet);
    to.u8(3 + 3 * group.length);
    to.u8(first === 0 ? groupTriplet : continuationTriplet);
    to.u8(first === 0 ? rowGroup : 0);
    for (const { type, length } of group) {
      to.u8(type);
      to.u16(length);
    }
  }
  to.bytes(rowOfParameters);
}

/** The description of one row of the group above. */
const rowOfParameters = Uint8Array.of(6, rowTriplet, parametersRow, rowGroup, 0, 1);

/** Reads QRYDSC, or FDODSC of a reply: the columns of its rows. Overrides of types (metadata, scalars) are skipped. */
export function readDescriptor(from: ByteReader, columnsAtMost: number): readonly WireColumn[] {
  const columns: WireColumn[] = [];
  while (from.left > 0) {
    const length = from.u8();
    if (length < 3) throw from.malformed('has a triplet of less than three bytes');
    const kind = from.u8();
    from.u8();
    if (kind !== groupTriplet && kind !== continuationTriplet) {
      from.skip(length - 3);
      continue;
    }
    if (length % 3 !== 0) throw from.malformed('has a triplet that is cut off');
    for (let left = length - 3; left > 0; left -= 3) columns.push({ type: from.u8(), length: from.u16() });
    if (columns.length > columnsAtMost) throw from.malformed(`has more than ${columnsAtMost} columns`);
  }
  return columns;
}
