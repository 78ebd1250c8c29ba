/*
 * Private members of oracledb that this file uses; driver-privates.test.ts has a contract for each:
 * BaseBuffer.parseOracleDate.
 */
import { createRequire } from 'node:module';
import oracledb from 'oracledb';
import type { AnsweredRows } from '#engine-api/statement.ts';
import { fetchLobsAsValues } from './fetching.ts';

/*
 * The driver makes a Date of a TIMESTAMP, which loses the digits below a millisecond, and reads one without a zone in
 * this machine's time zone. In Thin mode its decoder is changed to keep the server's bytes with the Date, from the
 * first statement on whose values are shown or captured. The bytes are read only for these statements
 * (lib/impl/datahandlers/buffer.js, oracledb 26).
 */

interface Decoder {
  parseOracleDate(bytes: Buffer, ...how: readonly unknown[]): Date;
}
const raw: unique symbol = Symbol('as the server sent it');
type RawDate = Date & { [raw]?: Buffer };

let isInstalled = false;
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { BaseBuffer } = createRequire(import.meta.url)('oracledb/lib/impl/datahandlers/buffer.js') as {
    readonly BaseBuffer: { readonly prototype: Decoder };
  };
  const { parseOracleDate } = BaseBuffer.prototype;
  BaseBuffer.prototype.parseOracleDate = function (bytes, ...how) {
    const date: RawDate = parseOracleDate.call(this, bytes, ...how);
    date[raw] = Buffer.from(bytes);
    return date;
  };
}

const timestamps: readonly unknown[] = [
  oracledb.DB_TYPE_TIMESTAMP,
  oracledb.DB_TYPE_TIMESTAMP_TZ,
  oracledb.DB_TYPE_TIMESTAMP_LTZ,
];
const isTimestamp = ({ dbType }: Pick<oracledb.Metadata<unknown>, 'dbType'>): boolean => timestamps.includes(dbType);

type Column = Pick<oracledb.Metadata<unknown>, 'dbType' | 'precision'>;

/** Fetches rows to be shown or captured: numbers as the server's digits, times to their last digit. */
export function fetchExactly(column: oracledb.Metadata<unknown>): oracledb.FetchTypeResponse | undefined {
  install();
  if (column.dbType === oracledb.DB_TYPE_NUMBER) return { type: oracledb.STRING };
  if (column.dbType !== oracledb.DB_TYPE_DATE && !isTimestamp(column)) return fetchLobsAsValues(column);
  // The driver converts these types to Date.
  return { converter: <T>(value: T | null) => value && timeText(value as T & RawDate, column) };
}

/** DATE is "2024-02-29 12:34:56"; TIMESTAMP has as many more digits as its type; a time zone is UTC. */
function timeText(date: RawDate, { dbType, precision }: Column): string {
  const bytes = date[raw];
  if (!bytes) return date.toISOString();
  const [century = 0, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytes;
  const two = (number: number) => String(number).padStart(2, '0');
  const full = String((century - 100) * 100 + year - 100).padStart(4, '0');
  // The server sends a value of a local time zone in the database's time zone, which the driver knows.
  const text =
    dbType === oracledb.DB_TYPE_TIMESTAMP_LTZ
      ? date.toISOString().slice(0, 19).replace('T', ' ')
      : `${full}-${two(month)}-${two(day)} ${two(hour - 1)}:${two(minute - 1)}:${two(second - 1)}`;
  if (dbType === oracledb.DB_TYPE_DATE) return text;
  const nanoseconds = String(bytes.length >= 11 ? bytes.readUInt32BE(7) : 0).padStart(9, '0');
  const digits = nanoseconds.slice(0, precision ?? 9);
  const zone = dbType === oracledb.DB_TYPE_TIMESTAMP ? '' : ' +00:00';
  return `${text}${digits === '' ? '' : `.${digits}`}${zone}`;
}

/** Columns whose values lack digits, because in Thick mode the bytes stay within Oracle's own library. */
export function inexactColumns(columns: readonly Column[], thin: boolean): AnsweredRows['inexact'] {
  if (thin) return undefined;
  const lossy = columns.flatMap((column, c) => (isTimestamp(column) ? [[c, { why: thickLoses }] as const] : []));
  return lossy.length > 0 ? Object.fromEntries(lossy) : undefined;
}
const thickLoses =
  "in Thick mode the driver gives timestamps in ms. Select TO_CHAR(…, 'YYYY-MM-DD HH24:MI:SS.FF9') instead, or use Thin mode.";
