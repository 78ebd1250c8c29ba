import { expect, test } from 'vitest';
import type { QueryPlan } from '#engine-api/query-plan.ts';
import { DynoError } from '#model/error.ts';
import { keyBatch, makeRows } from '../rows.ts';
import { statementSuite } from '../statement-suite.ts';
import type { Suite } from '../suite.ts';

/** The plan; null: the server refuses it as 'unsupported', with a reason. */
async function planOrReason(asked: Promise<QueryPlan>): Promise<QueryPlan | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DynoError && error.data.kind === 'unsupported') return null;
    throw error;
  }
}

/** An engine that gives query plans names the tables that it reads, and changes nothing for the plan. */
export function testQueryPlans(suite: Suite): void {
  const { withTable, prepare, single, methodsOf, expectContent, keepsRows } = suite;
  const rows = makeRows(0, 60);

  const reads = (['readByKey', 'readRange'] as const).flatMap((operation) =>
    methodsOf(operation).map((method) => [operation, method] as const),
  );
  test.each(reads)('%s by %s has a plan that names the table', async (operation, method) => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      await suite.database.settle(table);
      const { queryPlan } = await prepare(table, operation, method, { rowsPerCall: 1 });
      // Some servers read by key without a query.
      if (!queryPlan) return expect(operation).toBe('readByKey');
      const [row] = rows.slice(5, 6);
      const plan = await planOrReason(queryPlan(keyBatch([row!])));
      if (suite.server.noPlans !== undefined) return expect(plan).toBeNull();
      expect(plan).not.toBeNull();
      const { command, executed, steps, text } = plan!;
      if (method !== 'literal' && suite.descriptor.statements?.language === 'sql')
        expect(text, 'no values').not.toMatch(new RegExp(`[=(] *'?${row!.id}\\b`));
      expect(command).not.toBe('');
      expect(steps[0]?.depth).toBe(0);
      expect(steps.some((step) => step.table?.toLowerCase() === table.name.toLowerCase())).toBe(true);
      for (const { loops, actualRows } of steps) if (!executed) expect([loops, actualRows]).toEqual([null, null]);
    }, rows);
  });

  test('the plan of a delete removes no row', async () => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      const { queryPlan } = await prepare(table, 'delete', single('delete'), { rowsPerCall: 1 });
      if (!queryPlan) return;
      // A server that tells only the plans of executed statements has no plan of a change.
      const plan = await planOrReason(queryPlan(keyBatch(rows.slice(5, 6))));
      expect(plan?.executed ?? false).toBe(false);
      await expectContent(table, rows);
    }, rows);
  });

  test.each(suite.statementMethods)(
    'by %s: a custom statement has a plan, and only a read is executed for it',
    async (method) => {
      if (!keepsRows) return;
      const { statement, texts, values, rows: own } = statementSuite(suite);
      await withTable(async (table) => {
        await suite.database.settle(table);
        const select = await statement(table, texts.select, method, ['id'], true);
        const asked = select.queryPlan?.(select.encode(values(table, own[0]!, ['id'])));
        const plan = asked ? await planOrReason(asked) : null;
        expect(plan === null).toBe(select.queryPlan === undefined || suite.server.noPlans !== undefined);
        if (plan) expect(plan.steps.length).toBeGreaterThan(0);
        const remove = await statement(table, texts.remove, method, ['id']);
        const removing = remove.queryPlan?.(remove.encode(values(table, own[0]!, ['id'])));
        const removal = removing ? await planOrReason(removing) : null;
        expect(removal?.executed ?? false).toBe(false);
        await expectContent(table, own);
      }, own);
    },
  );

  test.each(suite.statementMethods)(
    'by %s: a change whose plan is asked is not executed, also where its transaction is committed',
    async (method) => {
      if (!keepsRows) return;
      const { statement, texts, values, rows: own, all } = statementSuite(suite);
      const changes = [
        [texts.remove, ['id']],
        [texts.insert, all],
      ] as const;
      for (const [text, names] of changes)
        await withTable(async (table) => {
          const change = await statement(table, text, method, names);
          const row = text === texts.remove ? own[0]! : makeRows(own.length, 1)[0]!;
          const call = () => change.encode(values(table, row, names));
          await (change.queryPlan ? planOrReason(change.queryPlan(call())) : null);
          await suite.session.begin();
          const told = await change.explain(call()).catch(suite.toError);
          await suite.session.commit();
          if (typeof told !== 'string' && suite.server.noPlans === undefined) expect(told.kind).toBe('unsupported');
          await expectContent(table, own);
        }, own);
    },
  );
}
