import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import { batchWith, ids, idTable } from '../../shared/test-table.fixture.ts';
import { answeredDatabase } from '../answered-database.fixture.ts';
import { engine } from '../engine.ts';
import { drivers } from '../options.ts';
import { resultTokens } from '../wire/tds-server.fixture.ts';

const failure = failureOf(engine);
const showplan =
  '<ShowPlanXML xmlns="http://schemas.microsoft.com/sqlserver/2004/07/showplan"><BatchSequence><Batch><Statements><StmtSimple><QueryPlan><RelOp PhysicalOp="Table Insert" LogicalOp="Insert" EstimateRows="1"><Update><Object Table="[t]" /></Update></RelOp></QueryPlan></StmtSimple></Statements></Batch></BatchSequence></ShowPlanXML>';

/** A server that takes SET SHOWPLAN_XML and SHOWPLAN_TEXT. `obeys`: it answers plans then; else it executes. */
async function serverThat(obeys: boolean) {
  const executed: string[] = [];
  let asked: string | null = null;
  const server = await answeredDatabase((text) => {
    const [, setting, turned] = /^SET (SHOWPLAN_\w+) (ON|OFF)$/.exec(text) ?? [];
    if (setting !== undefined) asked = obeys && turned === 'ON' ? setting : null;
    else if (asked === 'SHOWPLAN_XML') return resultTokens(['Microsoft SQL Server 2005 XML Showplan'], [[showplan]]);
    else if (asked === 'SHOWPLAN_TEXT') return resultTokens(['StmtText'], [[`  |--${text}`]]);
    else executed.push(text);
    return text === 'SELECT 1' ? resultTokens([''], [['1']]) : null;
  });
  return {
    ...server,
    /** Texts that changed something. */
    changes: () => executed.filter((text) => /^\s*(insert|delete|declare)\b/i.test(text)),
  };
}

const changes = [
  'INSERT INTO t (a) VALUES (1)',
  'DELETE FROM t',
  'DECLARE @i int = 0 WHILE @i < 3 BEGIN INSERT INTO t (a) VALUES (@i) SET @i += 1 END',
];

test.each(drivers)('%s: a server that executes under SHOWPLAN is never sent a change for its plan', async (driver) => {
  await using server = await serverThat(false);
  await using session = await server.database.openSession({ driver });
  const refused = { kind: 'unsupported', message: expect.stringContaining('harmless query') };
  for (const text of changes)
    for (const method of ['literal', 'bind'] as const) {
      const own = await session.prepareStatement!({
        text,
        method,
        parameters: [],
        tables: {},
        options: { driver },
        isRead: false,
      });
      expect(await failure(own.queryPlan!(own.encode(batchWith(1)))), text).toMatchObject(refused);
      expect(await failure(own.explain(own.encode(batchWith(1)))), text).toMatchObject(refused);
    }
  for (const operation of ['insert', 'delete'] as const) {
    const settings = { ...defaultSettings, operation, method: 'literal' as const, rowsPerCall: 1 };
    const own = await session.prepare({ table: idTable, operation, method: 'literal', settings });
    expect(await failure(own.queryPlan!(ids(1, 1))), operation).toMatchObject(refused);
  }
  expect(server.changes()).toEqual([]);
});

test.each(drivers)('%s: a server that obeys SHOWPLAN tells the plan of a change', async (driver) => {
  await using server = await serverThat(true);
  await using session = await server.database.openSession({ driver });
  for (const text of changes) {
    const own = await session.prepareStatement!({
      text,
      method: 'literal',
      parameters: [],
      tables: {},
      options: { driver },
      isRead: false,
    });
    expect(await own.queryPlan!(own.encode(batchWith(1)))).toMatchObject({
      command: 'SET SHOWPLAN_XML',
      executed: false,
    });
    expect(await own.explain(own.encode(batchWith(1)))).toContain('|--');
  }
  expect(server.changes()).toEqual([]);
});
