import type oracledb from 'oracledb';
import { expect, test } from 'vitest';
import type { SessionState } from '../connection/session-state.ts';
import { queryPlanOf } from './query-plan.ts';

const scan = {
  ID: 0,
  PARENT_ID: null,
  OPERATION: 'TABLE ACCESS',
  OPTIONS: 'FULL',
  OBJECT_NAME: 'DYNO_T1',
  TABLE_NAME: null,
  CARDINALITY: 5,
  COST: 9,
  ACCESS_PREDICATES: null,
  FILTER_PREDICATES: null,
  LAST_STARTS: 1,
  LAST_OUTPUT_ROWS: 3,
  LAST_CR_BUFFER_GETS: 12,
  LAST_EXECUTION: null,
};
const noView = Object.assign(new Error('ORA-00942: table or view does not exist'), {
  code: 'ORA-00942',
  errorNum: 942,
});

/** A database that answers rows, or an error, by the first words of a text; what it was sent is in `sent`. */
function databaseWith(answers: Readonly<Record<string, readonly object[] | Error>>) {
  const sent: string[] = [];
  const connection = {
    callTimeout: 0,
    async execute(text: string, _binds: unknown, options: { readonly resultSet?: boolean } = {}) {
      sent.push(text.split(/\s+FROM|\n/)[0]!);
      const answer = Object.entries(answers).find(([part]) => text.includes(part))?.[1] ?? [];
      if (answer instanceof Error) throw answer;
      if (options.resultSet !== true) return { rows: answer };
      const rows = [...answer];
      return { resultSet: { getRows: async () => rows.splice(0), close: async () => {} } };
    },
    async rollback() {
      sent.push('ROLLBACK');
    },
  } as unknown as oracledb.Connection;
  return { state: { connection, running: 0 } as SessionState, sent };
}
const call = (isRead: boolean) => ({ text: 'SELECT 1 /* call */', binds: [], literal: () => 'SELECT 1', isRead });

test('a read is executed with counted rows, and found as the session’s previous cursor', async () => {
  const { state, sent } = databaseWith({
    v$session: [{ PREV_SQL_ID: 'a', PREV_CHILD_NUMBER: 1 }],
    v$sql_plan_statistics_all: [scan],
    // Without the right to see it, the package answers with a text instead of an error.
    'DBMS_XPLAN.DISPLAY_CURSOR': [{ PLAN_TABLE_OUTPUT: 'User has no SELECT privilege on V$SQL' }],
  });
  expect(await queryPlanOf(state, call(true))).toMatchObject({
    command: 'V$SQL_PLAN_STATISTICS_ALL',
    executed: true,
    text: 'SELECT 1 /* call */',
    printed: null,
    steps: [{ kind: 'fullScan', table: 'DYNO_T1', actualRows: 3, loops: 1 }],
  });
  expect(sent[0]).toBe('ALTER SESSION SET statistics_level = ALL');
  expect(sent[1]).toBe('SELECT 1 /* call */');
  expect(sent.at(-1)).toBe('ALTER SESSION SET statistics_level = TYPICAL');
  expect(state.running).toBe(0);
});

test('a change is never executed: its cursor tells the plan, and nothing of rows', async () => {
  const { state, sent } = databaseWith({
    'FROM v$sql\n': [{ SQL_ID: 'a', CHILD_NUMBER: 0 }],
    v$sql_plan_statistics_all: [scan],
  });
  expect(await queryPlanOf(state, call(false))).toMatchObject({
    executed: false,
    steps: [{ kind: 'fullScan', actualRows: null, loops: null, estimatedRows: 5 }],
  });
  expect(sent).not.toContain('SELECT 1 /* call */');
});

test('without the views EXPLAIN PLAN tells it, which leaves nothing behind', async () => {
  const printed = ['Plan hash value: 1', '', '| Id | Operation |'];
  const { state, sent } = databaseWith({
    v$: noView,
    'DBMS_XPLAN.DISPLAY(': printed.map((line) => ({ PLAN_TABLE_OUTPUT: line })),
    plan_table: [{ ...scan, LAST_STARTS: null }],
  });
  expect(await queryPlanOf(state, call(true))).toMatchObject({
    ...{ command: 'EXPLAIN PLAN', executed: false, text: 'SELECT 1 /* call */' },
    printed: printed.join('\n'),
  });
  expect(sent.slice(-4)).toEqual([
    "EXPLAIN PLAN SET STATEMENT_ID = 'dyno' FOR SELECT 1",
    expect.stringContaining('SELECT p.id') as string,
    'SELECT plan_table_output',
    'ROLLBACK',
  ]);
});

test('where neither tells anything the reason names the views', async () => {
  const { state } = databaseWith({ v$: noView, 'EXPLAIN PLAN': noView });
  await expect(queryPlanOf(state, call(true))).rejects.toThrow(/ORA-00942.*SELECT on v\$sql_plan_statistics_all/);
});
