import oracledb from 'oracledb';
import type { Operation, OperationPlan } from '#engine-api/operation.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { commitsTurns } from '../../shared/loop-commit.ts';
import { type Dialect, isSince23 } from '../connection/dialect.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { columnListSql, tableSql } from '../names.ts';
import { isLob } from '../values/column-types.ts';

/** Rows of one FORALL. */
const forallRows = 1_000;

/** A block of :1 turns, each an INSERT of values made from one draw and one word; :2 is how many rows went in. */
export function loopSql(table: TablePlan, dialect: Dialect): string {
  const values = table.columns.map(({ type }) => randomSql(type, dialect, { draw: 'draw', word: 'word' })).join(', ');
  return `DECLARE
  draw NUMBER;
  word VARCHAR2(32);
  inserted PLS_INTEGER := 0;
BEGIN
  FOR i IN 1 .. :1 LOOP
    draw := DBMS_RANDOM.VALUE();
    word := RAWTOHEX(SYS_GUID());
    INSERT INTO ${tableSql(table)} (${columnListSql(table)}) VALUES (${values});
    inserted := inserted + SQL%ROWCOUNT;${commitSql(table)}
  END LOOP;
  :2 := inserted;
END;`;
}

/** Option loopCommit. PL/SQL waits for the log only at the end of the call, unless the session says otherwise. */
const commitSql = ({ options }: TablePlan): string => (commitsTurns(options) ? '\n    COMMIT;' : '');

/** The same rows with one INSERT for a thousand: FORALL walks collections of draws and words. */
export function forallSql(table: TablePlan, dialect: Dialect): string {
  const made = { draw: 'draws(i)', word: 'words(i)' };
  const values = table.columns.map(({ type }) => randomSql(type, dialect, made)).join(', ');
  return `DECLARE
  TYPE draw_list IS TABLE OF NUMBER INDEX BY PLS_INTEGER;
  TYPE word_list IS TABLE OF VARCHAR2(32) INDEX BY PLS_INTEGER;
  draws draw_list;
  words word_list;
  left_over PLS_INTEGER := :1;
  turn PLS_INTEGER;
  inserted PLS_INTEGER := 0;
BEGIN
  WHILE left_over > 0 LOOP
    turn := LEAST(left_over, ${forallRows});
    FOR i IN 1 .. turn LOOP
      draws(i) := DBMS_RANDOM.VALUE();
      words(i) := RAWTOHEX(SYS_GUID());
    END LOOP;
    FORALL i IN 1 .. turn
      INSERT INTO ${tableSql(table)} (${columnListSql(table)}) VALUES (${values});
    inserted := inserted + SQL%ROWCOUNT;${commitSql(table)}
    left_over := left_over - turn;
  END LOOP;
  :2 := inserted;
END;`;
}

/** A PL/SQL block that inserts rows made at the server, without a client. The statement cache keeps it parsed. */
export function prepareServerLoop(state: SessionState, { table }: OperationPlan): Operation<oracledb.BindParameter[]> {
  const { connection, dialect } = state;
  const lob = table.columns.find(({ type }) => isLob(type));
  if (lob)
    throw new DynoError('unsupported', `The server makes no values for the LOB column ${lob.name}.`, {
      hint: 'Shorten the column (text: 1,000 characters, or 4,000 of ASCII; bytes: 2,000), or use another method.',
    });
  const forall = table.options.serverLoop === 'forall';
  if (forall && dialect.emulator !== null)
    throw new DynoError('unsupported', `The emulator (${dialect.emulator}) has no FORALL; Oracle has.`);
  const text = (forall ? forallSql : loopSql)(table, dialect);
  return {
    encode: (batch) => [
      { type: oracledb.DB_TYPE_NUMBER, val: batch.rows },
      { type: oracledb.DB_TYPE_NUMBER, dir: oracledb.BIND_OUT },
    ],
    run: (binds) =>
      counted(state, async () => {
        const { outBinds } = await connection.execute<[number]>(text, binds, {
          autoCommit: !state.inTransaction,
        });
        return Number((outBinds as unknown as readonly number[] | undefined)?.[0]);
      }),
  };
}

/** The random parts of a row's values: a number from 0 to 1 (38 digits) and 32 hexadecimal digits, new in every row. */
interface Made {
  readonly draw: string;
  readonly word: string;
}

/** A random value of a type; the longer a text, the more often its word repeats in it. */
function randomSql(type: ColumnType, dialect: Dialect, { draw, word }: Made): string {
  const digits = (length: number) => `RPAD(${word}, ${length}, ${word})`;
  switch (type.kind) {
    case 'uuid':
      return `HEXTORAW(${word})`;
    case 'bigint':
      return `TRUNC(${draw} * 9007199254740991)`;
    case 'text':
      return digits(Math.max(1, type.maxLength));
    case 'decimal':
      return `TRUNC(${draw} * ${10 ** type.precision}) / ${10 ** type.scale}`;
    case 'timestamp':
      return `TIMESTAMP '2020-01-01 00:00:00' + NUMTODSINTERVAL(${draw} * 2000, 'DAY')`;
    case 'boolean': {
      const [yes, no] = isSince23(dialect) ? ['TRUE', 'FALSE'] : ['1', '0'];
      return `CASE WHEN ${draw} < 0.5 THEN ${yes} ELSE ${no} END`;
    }
    case 'bytes':
      return `HEXTORAW(${digits(2 * Math.max(1, type.maxLength))})`;
  }
}
