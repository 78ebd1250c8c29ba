import type { Operation } from '#engine-api/operation.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { commitsTurns } from '../../shared/loop-commit.ts';
import { ownMark } from '../../shared/own-tables.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { columnListSql, loopName, quote, tableSql } from '../names.ts';
import { literal } from '../values/values.ts';
import { requireOwnLoop } from './loops.ts';

/** ER_SP_ALREADY_EXISTS: another session of the trial was faster, or the procedure belongs to another user. */
const alreadyExists = '1304';

/** The state of a session. */
export interface SessionState {
  inTransaction: boolean;
  /** A procedure is running. */
  looping: boolean;
}

/** The text of a table's procedure: one INSERT a turn, with random rows that the server makes. */
export function loopSql(database: string, table: TablePlan): string {
  const values = table.columns.map(({ type }) => randomSql(type, table.options.uuid === 'text')).join(', ');
  return `CREATE PROCEDURE ${quote(database)}.${quote(loopName(table))}(IN turns BIGINT) COMMENT ${literal(ownMark(loopName(table)))}
BEGIN
  DECLARE turn BIGINT DEFAULT 0;
  WHILE turn < turns DO
    INSERT INTO ${tableSql(database, table)} (${columnListSql(table)}) VALUES (${values});
    SET turn = turn + 1;
  END WHILE;
  SELECT turn;
END`;
}

/**
 * Prepares a loop that runs at the server without a client. Outside of a transaction every INSERT of a procedure
 * commits by itself; a call then opens a transaction, unless the option loopCommit says otherwise. The procedure is
 * dropped with its table.
 */
export async function prepareServerLoop(
  connection: MysqlConnection,
  database: string,
  table: TablePlan,
  state: SessionState,
): Promise<Operation<string>> {
  try {
    await connection.query(loopSql(database, table));
  } catch (error) {
    if (toError(error).code !== alreadyExists) throw error;
    await requireOwnLoop(connection, database, table);
  }
  const call = async (sql: string) => {
    state.looping = true;
    try {
      return Number((await connection.query(sql)).rows?.[0]?.[0]);
    } finally {
      state.looping = false;
    }
  };
  return {
    encode: (batch) => `CALL ${quote(database)}.${quote(loopName(table))}(${batch.rows})`,
    async run(sql) {
      if (state.inTransaction || commitsTurns(table.options)) return call(sql);
      await connection.query('START TRANSACTION');
      try {
        const turns = await call(sql);
        await connection.query('COMMIT');
        return turns;
      } catch (error) {
        await connection.query('ROLLBACK').catch(() => {});
        throw error;
      }
    },
  };
}

/** RAND() has 2^30 values, too few for a million different keys. */
const noise = 'MD5(CONCAT(RAND(), RAND()))';

const md5Text = (digits: number): string => (digits <= 32 ? noise : `REPEAT(${noise}, ${Math.ceil(digits / 32)})`);

const randomText = (length: number): string => `SUBSTR(${md5Text(length)}, 1, ${length})`;

/** A random value of a type, as SQL. */
function randomSql(type: ColumnType, uuidText: boolean): string {
  switch (type.kind) {
    case 'uuid':
      return uuidText
        ? `INSERT(INSERT(INSERT(INSERT(${noise}, 21, 0, '-'), 17, 0, '-'), 13, 0, '-'), 9, 0, '-')`
        : `UNHEX(${noise})`;
    case 'bigint':
      return 'FLOOR(RAND() * 67108864) * 134217728 + FLOOR(RAND() * 134217728)';
    case 'text':
      if (type.document) return `JSON_QUOTE(${randomText(type.maxLength)})`;
      return randomText(type.maxLength);
    case 'decimal':
      return `FLOOR(RAND() * ${10 ** type.precision}) / ${10 ** type.scale}`;
    case 'timestamp':
      return "TIMESTAMP('2020-01-01') + INTERVAL FLOOR(RAND() * 172800000000000) MICROSECOND";
    case 'boolean':
      return 'RAND() < 0.5';
    case 'bytes':
      return `SUBSTR(UNHEX(${md5Text(2 * type.maxLength)}), 1, ${type.maxLength})`;
  }
}
