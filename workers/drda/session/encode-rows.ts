import { ByteWriter, sharedWriter } from '../bytes/byte-writer.ts';
import { codePoints } from '../ddm/code-points.ts';
import { beginObject, endObject } from '../ddm/write-objects.ts';
import { beginFrame, chained, chainedSame, endFrame, objectFrame } from '../dss/write-frames.ts';
import { DrdaError } from '../errors.ts';
import { type WireColumn, writeDescriptor } from '../fdoca/descriptor.ts';
import { columnFor, type Lob, nullable, type Value, writeValue } from '../fdoca/parameters.ts';
import { fdoca } from '../fdoca/types.ts';
import type { Column } from '../sql/columns.ts';
import { parameterColumn } from '../sql/parameter-column.ts';
import type { ServerDialect } from './dialect.ts';
import { endUnitOfWork, executeStatement } from './requests.ts';

/**
 * Correlations have 16 bits, and a server may keep the reply to a chain until the chain ends, so longer batches are
 * sent as several chains. RDBCMM of the last chain needs a correlation, too.
 */
const rowsPerChain = 16_384;

/** One chain of requests; only the commit at its end is still undecided. */
export interface Chain {
  readonly buffer: Buffer;
  /** The number of the chain's first row in the batch; null for a batch of one row, whose errors name no row. */
  readonly firstRow: number | null;
  readonly rows: number;
  /** The last frame of the last row. The commit decides whether something follows it. */
  readonly lastFrameAt: number;
  /** The offset at which RDBCMM starts. */
  readonly commitAt: number;
  /** The SQLDTA of the first row, with its LOBs. */
  readonly dataAt: number;
  readonly dataEnd: number;
  /** The number of sends without an answer: while there are any, the buffer must not change. */
  underWay: number;
}

/** The types with which the nulls of each parameter are described. Null or absent: the parameter's own type. */
export type NullTypes = readonly ('decimal' | 'double' | 'varchar' | null)[];

/** The largest precision that these servers have, without decimal places. */
const anyDecimal = 31 << 8;

const nullWires = {
  decimal: { type: fdoca.decimal | nullable, length: anyDecimal },
  double: { type: fdoca.double | nullable, length: 8 },
  varchar: { type: fdoca.mixedVarchar | nullable, length: 0x7fff },
} as const;

/** The statement for which rows are encoded. */
interface Target {
  readonly packaged: Uint8Array;
  readonly section: number;
  readonly parameters: readonly Column[];
  readonly dialect: ServerDialect;
  readonly nullTypes: NullTypes;
}

/** A constant of Derby's DRDAConstants: the whole LOB was sent. */
const lobComplete = 0x7f;

/** Encodes rows as chains of EXCSQLSTT with SQLDTA, the array input of DRDA that every server of this protocol has. */
export function encodeChains(target: Target, rows: readonly (readonly Value[])[]): readonly Chain[] {
  const encoder = new RowEncoder(target);
  const chains: Chain[] = [];
  for (let first = 0; first < rows.length; first += rowsPerChain)
    chains.push(encodeChain(encoder, target, rows, first, Math.min(rows.length, first + rowsPerChain)));
  return chains;
}

function encodeChain(
  encoder: RowEncoder,
  target: Target,
  rows: readonly (readonly Value[])[],
  first: number,
  end: number,
): Chain {
  const to = sharedWriter();
  const command = commandTemplate(target);
  let lastFrameAt = 0;
  let dataAt = 0;
  let dataEnd = 0;
  for (let row = first; row < end; row++) {
    const correlation = row - first + 1;
    const start = to.length;
    to.bytes(command);
    to.patchU16(start + 4, correlation);
    if (row === first) dataAt = to.length;
    lastFrameAt = encoder.row(to, rows[row]!, row, correlation);
    if (row === first) dataEnd = to.length;
  }
  const commitAt = to.length;
  endUnitOfWork(to, codePoints.RDBCMM, end - first + 1);
  const firstRow = rows.length === 1 ? null : first;
  return { buffer: to.copy(), firstRow, rows: end - first, lastFrameAt, commitAt, dataAt, dataEnd, underWay: 0 };
}

/** EXCSQLSTT is the same for each row but for its correlation. */
function commandTemplate({ packaged, section }: Target): Buffer {
  const to = new ByteWriter();
  executeStatement(to, packaged, section, 0, chainedSame);
  return to.copy();
}

class RowEncoder {
  readonly #columns: readonly WireColumn[];
  readonly #descriptor: Buffer;
  readonly #lobStatus: boolean;
  readonly #ofNulls: readonly WireColumn[];

  constructor({ parameters, dialect, nullTypes }: Target) {
    this.#columns = parameters.map((parameter, column) => {
      const wire = parameterColumn(parameter);
      if (wire === null)
        throw new DrdaError(
          'value',
          `Parameter ${column + 1} is of a type that cannot be sent (${parameter.sqlType}).`,
          {
            column,
          },
        );
      return wire;
    });
    this.#descriptor = descriptor(this.#columns);
    this.#lobStatus = dialect.lobStatus;
    this.#ofNulls = this.#columns.map((column, c) => {
      const type = nullTypes[c];
      return type ? nullWires[type] : column;
    });
  }

  /** Writes SQLDTA and EXTDTA of one row; returns the start of the last frame. */
  row(to: ByteWriter, values: readonly Value[], row: number, correlation: number): number {
    const columns = this.#columns;
    if (values.length !== columns.length)
      throw new DrdaError('value', `Row ${row} has ${values.length} values for ${columns.length} parameters.`, { row });
    let own: WireColumn[] | null = null;
    for (let column = 0; column < columns.length; column++) {
      const value = values[column]!;
      const needed = value === null ? this.#ofNulls[column]! : columnFor(columns[column]!, value);
      if (needed === columns[column]) continue;
      own ??= [...columns];
      own[column] = needed;
    }
    const frame = beginFrame(to, objectFrame, correlation);
    const object = beginObject(to, codePoints.SQLDTA);
    to.bytes(own === null ? this.#descriptor : descriptor(own));
    const lobs = this.#values(to, own ?? columns, values, row);
    endObject(to, object);
    if (lobs === null) {
      endFrame(to, frame, chained);
      return frame;
    }
    endFrame(to, frame, chainedSame);
    return this.#lobs(to, lobs, correlation);
  }

  /** FDODTA has a null indicator for the row, and one before each value. */
  #values(to: ByteWriter, columns: readonly WireColumn[], values: readonly Value[], row: number): Uint8Array[] | null {
    const object = beginObject(to, codePoints.FDODTA);
    let lobs: Uint8Array[] | null = null;
    to.u8(0);
    for (let column = 0; column < columns.length; column++) {
      const value = values[column];
      if (value === null || value === undefined) {
        to.u8(0xff);
        continue;
      }
      to.u8(0);
      const lob = writeOne(to, columns[column]!, value, row, column);
      if (lob !== null) {
        lobs ??= [];
        lobs.push(lob);
      }
    }
    endObject(to, object);
    return lobs;
  }

  /** Each EXTDTA has a null indicator and the bytes of one LOB, in the order of the columns. */
  #lobs(to: ByteWriter, lobs: readonly Uint8Array[], correlation: number): number {
    let frame = 0;
    lobs.forEach((lob, n) => {
      frame = beginFrame(to, objectFrame, correlation);
      const object = beginObject(to, codePoints.EXTDTA);
      to.u8(0);
      to.bytes(lob);
      if (this.#lobStatus) to.u8(lobComplete);
      endObject(to, object);
      endFrame(to, frame, n < lobs.length - 1 ? chainedSame : chained);
    });
    return frame;
  }
}

function descriptor(columns: readonly WireColumn[]): Buffer {
  const to = new ByteWriter();
  const object = beginObject(to, codePoints.FDODSC);
  writeDescriptor(to, columns);
  endObject(to, object);
  return to.copy();
}

function writeOne(to: ByteWriter, wire: WireColumn, value: Exclude<Value, null>, row: number, column: number): Lob {
  try {
    return writeValue(to, wire, value);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new DrdaError('value', `Row ${row}, parameter ${column + 1}: ${thrown.message}.`, { row, column });
  }
}
