import type { Connection, Request } from 'tedious';
import { expect, test } from 'vitest';
import { batchBody, rpcRequest, sqlBatch } from '../wire/request.ts';
import { cachedText, queryPlanOf } from './query-plan.ts';

const plan =
  '<ShowPlanXML xmlns="http://schemas.microsoft.com/sqlserver/2004/07/showplan"><BatchSequence><Batch><Statements><StmtSimple><QueryPlan><RelOp PhysicalOp="Table Scan" LogicalOp="Table Scan" EstimateRows="1"><TableScan><Object Table="[t]" /></TableScan></RelOp></QueryPlan></StmtSimple></Statements></Batch></BatchSequence></ShowPlanXML>';
const showplanColumn = 'Microsoft SQL Server 2005 XML Showplan';

/** A server that answers requests by their text; what it was sent is in `sent`. */
function serverWith(answers: (text: string) => Error | readonly (readonly [column: string, value: string])[]) {
  const sent: string[] = [];
  let isOpen = false;
  const connection = {
    get inTransaction() {
      return isOpen;
    },
    currentTransactionDescriptor: () => Buffer.alloc(8),
    beginTransaction(done: (error: null) => void) {
      sent.push('BEGIN');
      isOpen = true;
      done(null);
    },
    rollbackTransaction(done: (error: null) => void) {
      sent.push('ROLLBACK');
      isOpen = false;
      done(null);
    },
    makeRequest(request: Request, type: number, payload: Iterable<Buffer>) {
      const text = type === sqlBatch ? [...payload].at(-1)!.toString('utf16le') : 'CALL';
      sent.push(text.trim().split('\n')[0]!);
      const answer = answers(text);
      setImmediate(() => {
        if (answer instanceof Error) return request.callback(answer);
        for (const [colName, value] of answer) request.emit('row', [{ metadata: { colName }, value }] as never);
        request.callback(null);
      });
    },
  } as unknown as Connection;
  return { connection, sent };
}

const denied = Object.assign(new Error("SHOWPLAN permission denied in database 'sales'."), {
  code: 'EREQUEST',
  number: 262,
});
const call = (isRead: boolean) => ({
  type: rpcRequest,
  body: batchBody(''),
  cachedAs: '(@P0 int)SELECT 1',
  literal: () => 'SELECT 1 /* literal */',
  isRead,
});

test('a read is executed by its own call, in a transaction that is rolled back', async () => {
  const { connection, sent } = serverWith((text) =>
    text === 'CALL'
      ? [
          ['id', '5'],
          [showplanColumn, plan],
        ]
      : [],
  );
  expect(await queryPlanOf(connection, call(true))).toMatchObject({
    command: 'SET STATISTICS XML',
    executed: true,
    steps: [{ kind: 'fullScan', table: 't' }],
  });
  expect(sent).toEqual(['SET STATISTICS XML ON', 'BEGIN', 'CALL', 'ROLLBACK', 'SET STATISTICS XML OFF']);
});

test('a change is never executed: its plan is the one in the cache', async () => {
  const { connection, sent } = serverWith((text) =>
    text.includes('dm_exec_query_plan') ? [['query_plan', plan]] : [],
  );
  expect(await queryPlanOf(connection, call(false))).toMatchObject({
    command: 'sys.dm_exec_query_plan',
    executed: false,
  });
  expect(sent).not.toContain('CALL');
  expect(cachedText('SELECT 1', '@P0 int')).toBe('(@P0 int)SELECT 1');
  expect(cachedText('SELECT 1', '')).toBe('SELECT 1');
});

test('a change that the cache does not have is compiled with its values, once a harmless query has shown that nothing runs', async () => {
  const { connection, sent } = serverWith((text) => (text.startsWith('SELECT 1') ? [[showplanColumn, plan]] : []));
  expect(await queryPlanOf(connection, call(false))).toMatchObject({ command: 'SET SHOWPLAN_XML', executed: false });
  expect(sent.slice(-6)).toEqual([
    'BEGIN',
    'SET SHOWPLAN_XML ON',
    'SELECT 1',
    'SELECT 1 /* literal */',
    'SET SHOWPLAN_XML OFF',
    'ROLLBACK',
  ]);
});

test('without the rights the reason names them, and settings are as before', async () => {
  const { connection, sent } = serverWith((text) => (/ON$|dm_exec|CALL/.test(text) ? denied : []));
  await expect(queryPlanOf(connection, call(true))).rejects.toThrow(
    /SHOWPLAN permission denied.*Plans need SHOWPLAN in the database, or VIEW SERVER PERFORMANCE STATE/,
  );
  expect(sent).not.toContain('CALL');
  expect(sent.some((text) => text.startsWith('SELECT 1'))).toBe(false);
  expect(sent.filter((text) => text === 'BEGIN')).toHaveLength(sent.filter((text) => text === 'ROLLBACK').length);
});

test('where a read may not be executed for its plan, the cache tells it', async () => {
  const { connection, sent } = serverWith((text) =>
    text === 'CALL' ? denied : text.includes('dm_exec_query_plan') ? [['query_plan', plan]] : [],
  );
  expect(await queryPlanOf(connection, call(true))).toMatchObject({ executed: false });
  expect(sent).toContain('SET STATISTICS XML OFF');
});
