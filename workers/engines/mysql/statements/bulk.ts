import type { Operation } from '#engine-api/operation.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { serverError } from '../errors.ts';
import { quote, tableSql } from '../names.ts';
import { loadText } from '../values/load-text.ts';
import { storedTypes } from '../values/values.ts';

/** No file of this name is ever opened. Hexadecimal separators mean the same under every sql_mode. */
export function loadSql(database: string, table: TablePlan): string {
  // MySQL does not convert a string whose character set is binary to JSON.
  const fields = table.columns.map(({ name, type }, c) =>
    type.kind === 'text' && type.document
      ? { place: `@c${c}`, set: [`${quote(name)} = CONVERT(@c${c} USING utf8mb4)`] }
      : { place: quote(name), set: [] },
  );
  const set = fields.flatMap((field) => field.set);
  return `LOAD DATA LOCAL INFILE 'dyno' INTO TABLE ${tableSql(database, table)} CHARACTER SET binary FIELDS TERMINATED BY 0x09 ESCAPED BY 0x5C LINES TERMINATED BY 0x0A (${fields.map(({ place }) => place).join(', ')})${set.length > 0 ? ` SET ${set.join(', ')}` : ''}`;
}

/** True if the server lets clients send files. */
export async function localFilesAllowed(connection: MysqlConnection): Promise<boolean> {
  const { rows } = await connection.query('SELECT @@GLOBAL.local_infile');
  return Number(rows?.[0]?.[0]) === 1;
}

interface LoadCall {
  readonly text: Buffer;
  readonly rows: number;
}

/** Sends a whole batch by LOAD DATA LOCAL. */
export async function prepareLoad(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
): Promise<Operation<LoadCall>> {
  if (!(await localFilesAllowed(connection)))
    throw new DynoError('unsupported', 'The server does not let clients load data (local_infile is OFF).', {
      hint: 'An administrator allows it by SET GLOBAL local_infile = ON.',
    });
  const types = storedTypes(table, table.columns);
  const sql = loadSql(database, table);
  return {
    encode: (batch) => ({ text: loadText(batch, types), rows: batch.rows }),
    async run({ text, rows }) {
      const { affectedRows, warnings } = await connection.load(sql, text);
      if (affectedRows !== rows || warnings > 0) await refuse(connection, rows, affectedRows);
      return affectedRows;
    },
  };
}

/**
 * Throws an error if not all rows are stored as they were sent: with LOCAL the server skips or changes values that it
 * cannot store, and only warns (manual, LOAD DATA).
 */
async function refuse(connection: MysqlConnection, rows: number, stored: number): Promise<void> {
  const { rows: warnings } = await connection.query('SHOW WARNINGS LIMIT 1000');
  const first = warnings?.find(([level]) => level !== 'Note');
  if (!first && stored === rows) return;
  if (!first) throw new DynoError('mismatch', `LOAD DATA stored ${stored} of ${rows} rows.`);
  const skipped = stored === rows ? '' : ` (${stored} of ${rows} rows were stored and stay.)`;
  throw serverError(Number(first[1]), `${String(first[2])}.${skipped}`);
}
