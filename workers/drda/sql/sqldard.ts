import { ByteReader } from '../bytes/byte-reader.ts';
import { codePoints } from '../ddm/code-points.ts';
import { DrdaError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import { type Column, columnType } from './columns.ts';
import { readSqlca, type Sqlca } from './sqlcard.ts';

interface Description {
  readonly sqlca: Sqlca | null;
  readonly columns: readonly Column[];
}

/** SQL descriptor area of a result or of parameters (DRDA Volume 1, "SQLDARD": SQLCAGRP, SQLDHGRP, …), extended. */
export function readSqldard(buffer: Buffer, start: number, end: number, limits: Limits): Description {
  const from = new ByteReader(buffer, start, end, 'SQLDARD', codePoints.SQLDARD);
  const sqlca = readSqlca(from, limits.messageCharacters);
  if (sqlca !== null && sqlca.sqlCode < 0) return { sqlca, columns: [] };
  if (from.present()) {
    from.skip(12); // SQLDHGRP: hold, return, scroll, sensitivity, function code, key type
    from.text(); // SQLDRDBNAM
    either(from); // SQLDSCHEMA
  }
  const count = from.u16();
  if (count > limits.columns)
    throw new DrdaError('limit', `The server describes ${count} columns; ${limits.columns} are taken at most.`);
  const columns: Column[] = [];
  for (let n = 0; n < count; n++) columns.push(readColumn(from));
  return { sqlca, columns };
}

/** Reads SQLDAGRP with its optional group SQLDOPTGRP. */
function readColumn(from: ByteReader): Column {
  const precision = from.u16();
  const scale = from.u16();
  const length = Number(from.u64());
  const sqlType = from.u16();
  const ccsid = from.u16();
  let name = '';
  if (from.present()) {
    from.skip(2); // SQLUNNAMED
    const own = either(from);
    const label = either(from);
    name = own === '' ? label : own;
    either(from); // SQLCOMMENTS
    skipUserType(from, sqlType);
    if (from.present()) skipExtension(from);
  }
  const type = columnType(sqlType, length, ccsid);
  return { name, type, nullable: (sqlType & 1) === 1, precision, scale, length, sqlType };
}

/** SQLUDTGRP. Derby sends the names of type and class instead, without an indicator before them. */
function skipUserType(from: ByteReader, sqlType: number): void {
  if ((sqlType & ~1) === 2000) {
    either(from);
    either(from);
    return;
  }
  if (!from.present()) return;
  from.skip(4); // SQLUDTXTYPE
  from.text(); // SQLUDTRDB
  either(from); // SQLUDTSCHEMA
  either(from); // SQLUDTNAME
}

/** SQLDXGRP says where the column comes from. */
function skipExtension(from: ByteReader): void {
  from.skip(8);
  from.text(); // SQLXRDBNAM
  for (let n = 0; n < 4; n++) either(from); // SQLXCORNAME, SQLXBASENAME, SQLXSCHEMA, SQLXNAME
}

/** Reads a text in one of two encodings (VCM, VCS), of which the other is empty. */
function either(from: ByteReader): string {
  const mixed = from.text();
  const single = from.text();
  return mixed === '' ? single : mixed;
}
