import { ByteReader } from '../bytes/byte-reader.ts';
import { codePoints } from '../ddm/code-points.ts';
import { DrdaError } from '../errors.ts';

/** SQL communications area (DRDA Volume 1, "SQLCARD", early group SQLCAGRP). */
export interface Sqlca {
  /** Below 0 it is an error, above 0 a warning, and 100 is the end of the rows. */
  readonly sqlCode: number;
  readonly sqlState: string;
  /** Rows that the statement changed (SQLERRD3). */
  readonly rowsChanged: number;
  /** SQLERRMC as the server sent it. */
  readonly message: string;
}

/** Derby puts this between the tokens of SQLERRMC. */
export const tokenSeparator = '\u0014';
/** Derby puts this in SQLERRMC before the SQLSTATE of the next error of a series. */
const nextErrorSeparator = '::SQLSTATE: ';

/**
 * Reads an SQLCARD that is a reply object of its own; null if its group is null. The diagnostics at its end are not
 * read.
 */
export function readSqlcard(buffer: Buffer, start: number, end: number, messageCharacters: number): Sqlca | null {
  const from = new ByteReader(buffer, start, end, 'SQLCARD', codePoints.SQLCARD);
  return from.present() ? readGroup(from, messageCharacters) : null;
}

/** Reads an SQLCAGRP, with its diagnostics if something follows it. */
export function readSqlca(from: ByteReader, messageCharacters: number): Sqlca | null {
  if (!from.present()) return null;
  const sqlca = readGroup(from, messageCharacters);
  skipDiagnostics(from);
  return sqlca;
}

function readGroup(from: ByteReader, messageCharacters: number): Sqlca {
  const sqlCode = from.i32();
  const sqlState = from.latin1(5);
  from.skip(8); // SQLERRPROC: the product
  let rowsChanged = 0;
  let message = '';
  if (from.present()) {
    from.skip(8); // SQLERRD1, 2
    rowsChanged = Math.max(0, from.i32());
    from.skip(12 + 11); // SQLERRD4 to 6, SQLWARN0 to A
    from.text(); // SQLRDBNAME
    const mixed = from.text();
    const single = from.text();
    message = (mixed === '' ? single : mixed).slice(0, messageCharacters);
  }
  return { sqlCode, sqlState, rowsChanged, message };
}

/**
 * The number of changed rows of an SQLCARD without error. Only the number is read, because a batch has one SQLCARD for
 * each row. Undefined: the SQLCARD has to be read in full.
 */
export function rowsChangedFast(buffer: Buffer, start: number, end: number): number | undefined {
  // The bytes before the second indicator: indicator, SQLCODE (4), SQLSTATE (5), SQLERRPROC (8), indicator, SQLERRD1
  // and 2 (8), SQLERRD3 (4), …: 18 bytes.
  if (end - start < 54 || buffer[start] !== 0 || buffer[start + 18] !== 0) return undefined;
  if (buffer.readInt32BE(start + 1) !== 0) return undefined;
  const rows = buffer.readInt32BE(start + 27);
  return rows > 0 ? rows : 0;
}

/** Skips SQLDIAGGRP (diagnostics of single rows, conditions and connections), because SQLCAGRP has the first error. */
function skipDiagnostics(from: ByteReader): void {
  if (!from.present()) return;
  if (from.present()) from.skip(12 + 16 + 8 + 24); // SQLDIAGSTT
  if (from.present()) {
    const conditions = from.u16(); // SQLDIAGCI
    for (let n = 0; n < conditions; n++) skipCondition(from);
  }
  if (from.present()) {
    const connections = from.u16(); // SQLDIAGCN
    for (let n = 0; n < connections; n++) {
      from.skip(18);
      for (let text = 0; text < 3; text++) from.text();
    }
  }
}

/** SQLDCGRP */
function skipCondition(from: ByteReader): void {
  from.skip(4 + 5 + 4 + 4 + 8 + 47);
  from.text(); // SQLDCRDB
  if (from.present()) {
    const tokens = from.u16();
    for (let n = 0; n < tokens; n++) skipEither(from);
  }
  for (let text = 0; text < 4; text++) skipEither(from);
  if (from.present()) skipObjects(from);
}

/** SQLDCXGRP has the names of the objects that the condition is about. */
function skipObjects(from: ByteReader): void {
  for (let text = 0; text < 4; text++) skipEither(from);
  for (let group = 0; group < 3; group++) {
    from.text();
    skipEither(from);
    skipEither(from);
  }
}

/** Reads a nullable text in one of two encodings (NVCM, NVCS). */
function skipEither(from: ByteReader): void {
  if (from.present()) from.text();
  if (from.present()) from.text();
}

/** The error of an SQLCARD with a negative SQLCODE. */
export function sqlError({ sqlCode, sqlState, message }: Sqlca, row: number | null = null): DrdaError {
  const [first = ''] = message.split(nextErrorSeparator);
  const tokens = first.split(tokenSeparator).filter((token) => token !== '');
  const readable = tokens.map((token) => token.replace(controls, ' ').trim());
  const words = readable.length > 0 ? `: ${readable.join(' | ')}` : '';
  return new DrdaError('sql', `SQLSTATE ${printable(sqlState)}, SQLCODE ${sqlCode}${words}`, {
    sqlState,
    sqlCode,
    tokens,
    row,
  });
}

const controls = /\p{Cc}+/gu;

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
