import type pg from 'pg';
import type { Operation } from '#engine-api/operation.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { commitsTurns } from '../../shared/loop-commit.ts';
import { refuseInPool } from '../connection/pooler.ts';
import { columnListSql, tableSql } from '../names.ts';

/**
 * A PL/pgSQL loop with one INSERT a turn and random rows that the server makes, which shows the server's speed without
 * a client. A function runs within one transaction; a procedure (from PostgreSQL 11 on) can commit each turn. Both are
 * in the session's temporary schema and end with it.
 */
export async function prepareServerLoop(client: pg.Client, table: TablePlan): Promise<Operation<pg.QueryArrayConfig>> {
  refuseInPool(client, 'the function of the server’s loop would be on another connection than its calls.');
  const values = table.columns.map((column) => randomSql(column.type)).join(', ');
  const insert = `INSERT INTO ${tableSql(table)} (${columnListSql(table)}) VALUES (${values});`;
  const { made, text } = (commitsTurns(table.options) ? committing : withinOne)(insert);
  await client.query(made);
  return {
    encode: (batch) => ({ text, values: [batch.rows], rowMode: 'array' }),
    async run(call) {
      const { rows } = await client.query(call);
      return Number(rows[0]?.[0]);
    },
  };
}

/** The object that the session creates, and the text of a call. */
interface Loop {
  readonly made: string;
  readonly text: string;
}

const withinOne = (insert: string): Loop => ({
  made: `CREATE OR REPLACE FUNCTION pg_temp.dyno_loop(turns bigint) RETURNS bigint LANGUAGE plpgsql AS $dyno$
BEGIN
  FOR i IN 1..turns LOOP
    ${insert}
  END LOOP;
  RETURN turns;
END $dyno$`,
  text: 'SELECT pg_temp.dyno_loop($1)',
});

const committing = (insert: string): Loop => ({
  made: `CREATE OR REPLACE PROCEDURE pg_temp.dyno_commits(INOUT turns bigint) LANGUAGE plpgsql AS $dyno$
BEGIN
  FOR i IN 1..turns LOOP
    ${insert}
    COMMIT;
  END LOOP;
END $dyno$`,
  text: 'CALL pg_temp.dyno_commits($1)',
});

const md5Text = (digits: number): string =>
  digits <= 32 ? 'md5(random()::text)' : `repeat(md5(random()::text), ${Math.ceil(digits / 32)})`;

const randomText = (length: number): string => `substr(${md5Text(length)}, 1, ${length})`;

/** A random value of a type. Works from PostgreSQL 12 on. */
function randomSql(type: ColumnType): string {
  switch (type.kind) {
    case 'uuid':
      return 'md5(random()::text || clock_timestamp()::text)::uuid';
    case 'bigint':
      return '(random() * 9007199254740991)::bigint';
    case 'text':
      if (type.document) return `to_jsonb(${randomText(type.maxLength)})`;
      return randomText(type.maxLength);
    case 'decimal':
      return `trunc(random()::numeric * ${10 ** type.precision}) / ${10 ** type.scale}`;
    case 'timestamp':
      return "timestamptz '2020-01-01 00:00:00+00' + random() * interval '2000 days'";
    case 'boolean':
      return 'random() < 0.5';
    case 'bytes':
      return `substr(decode(${md5Text(2 * type.maxLength)}, 'hex'), 1, ${type.maxLength})`;
  }
}
