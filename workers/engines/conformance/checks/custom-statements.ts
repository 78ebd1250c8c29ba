import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { makeRows, noParameters, type Row } from '../rows.ts';
import { statementSuite } from '../statement-suite.ts';
import type { Suite } from '../suite.ts';
import { hostileRows } from './hostile-values.ts';

export function testCustomStatements(suite: Suite): void {
  const { withTable, expectContent, toError, keepsRows, statementMethods, descriptor } = suite;
  const { language, texts, statement, values, rows, all } = statementSuite(suite);
  test.each(statementMethods)('by %s: parameters of every type, and nulls, arrive as they are', async (method) => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      const insert = await statement(table, texts.insert, method, all);
      for (const row of rows) expect(await insert.run(insert.encode(values(table, row, all)))).toBe(1);
      await expectContent(table, rows);
    });
  });

  test.each(statementMethods)('by %s: rows are counted, and shown as text', async (method) => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      await suite.database.settle(table);
      const select = await statement(table, texts.select, method, ['id'], true);
      const [first, second] = [rows[0]!, rows[1]!];
      const shown = await select.show(select.encode(values(table, first, ['id'])), 10);
      expect(shown.rows).toEqual([[first.text]]);
      expect(shown.columns.map((name) => name.toLowerCase())).toEqual(['text']);
      expect(shown.count).toBe(1);
      expect(await select.run(select.encode(values(table, second, ['id'])))).toBe(1);
      const twice = await statement(table, texts.twice, method, ['id', 'code'], true);
      const both = { ...first, code: second.code };
      expect(await twice.run(twice.encode(values(table, both, ['id', 'code'])))).toBe(2);
      const call = () => twice.encode(values(table, both, ['id', 'code']));
      const one = await twice.show(call(), 1);
      expect([one.rows.length, one.count, one.hasMore], 'the other row is left at the server').toEqual([1, 1, true]);
      const all = await twice.show(call(), 2);
      expect([all.rows.length, all.count, all.hasMore], 'the session goes on').toEqual([2, 2, undefined]);
      expect(await twice.run(call())).toBe(2);
    }, rows);
  });

  test.each(statementMethods)(
    'by %s: the first row of an answer is there for the next step, in a transaction, too',
    async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        await suite.database.settle(table);
        const select = await statement(table, texts.select, method, ['id'], true);
        const [one, other] = [rows[2]!, rows[3]!];
        const first = (await select.answer(select.encode(values(table, one, ['id'])), 1)).read();
        expect(first).toMatchObject({ rows: [[one.text]], count: 1 });
        expect(first.columns.map((name) => name.toLowerCase())).toEqual(['text']);
        const twice = await statement(table, texts.twice, method, ['id', 'code'], true);
        const both = (
          await twice.answer(twice.encode(values(table, { ...one, code: other.code }, ['id', 'code'])), 1)
        ).read();
        expect([both.rows.length, both.count]).toEqual([1, 2]);
        const bothCodes = () => twice.encode(values(table, { ...one, code: other.code }, ['id', 'code']));
        const kept = (await twice.answer(bothCodes(), 10)).read();
        const shown = await twice.show(bothCodes(), 10);
        expect([kept.columns, kept.rows.toSorted(), kept.types]).toEqual([
          shown.columns,
          shown.rows.toSorted(),
          shown.types,
        ]);
        const remove = await statement(table, texts.remove, method, ['id']);
        await suite.session.begin();
        expect((await remove.answer(remove.encode(values(table, one, ['id'])), 1)).read().count).toBe(1);
        const again = (await select.answer(select.encode(values(table, one, ['id'])), 1)).read();
        const left = descriptor.changesAtCommit ? 1 : 0;
        expect([again.rows.length, again.count]).toEqual([left, left]);
        await suite.session.rollback();
        await expectContent(table, rows);
      }, rows);
    },
  );

  test.each(statementMethods)('by %s: what the server does not understand is refused as such', async (method) => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      const error = await statement(table, texts.wrong, method, [], true)
        .then((wrong) => wrong.run(wrong.encode(noParameters)))
        .catch((thrown: unknown) => (thrown instanceof DynoError ? thrown.data : suite.engine.toError(thrown)));
      expect(error).toMatchObject({ kind: 'syntax' });
      const unknown = await Promise.resolve()
        .then(() => statement(table, texts.select, method, [], true))
        .catch((thrown: unknown) => (thrown as DynoError).data);
      expect(unknown).toMatchObject(language?.language === 'json' ? {} : { kind: 'badInput' });
    }, rows);
  });

  test.each(statementMethods)('by %s: hostile texts are stored as they are', async (method) => {
    if (!keepsRows) return;
    await withTable(async (table) => {
      const insert = await statement(table, texts.insert, method, all);
      const fresh = hostileRows(100, 6);
      for (const row of fresh) expect(await insert.run(insert.encode(values(table, row, all)))).toBe(1);
      await expectContent(table, [...rows, ...fresh]);
    }, rows);
  });

  test('several as a transaction are undone with the first error', async () => {
    const method = statementMethods.at(-1);
    if (method === undefined || !keepsRows) return;
    await withTable(async (table) => {
      const insert = await statement(table, texts.insert, method, all);
      const fresh = makeRows(100, 1)[0]!;
      await suite.session.begin();
      expect(await insert.run(insert.encode(values(table, fresh, all)))).toBe(1);
      const error = await Promise.resolve()
        .then(() => insert.run(insert.encode(values(table, rows[0]!, all))))
        .then(() => suite.session.commit())
        .catch(toError);
      expect(error).toMatchObject({ kind: 'uniqueViolation' });
      await suite.session.rollback();
      await expectContent(table, rows);
      await suite.session.begin();
      expect(await insert.run(insert.encode(values(table, fresh, all)))).toBe(1);
      await suite.session.commit();
      await expectContent(table, [...rows, fresh]);
    }, rows);
  });

  test.each(statementMethods)(
    'by %s: where changes are made with the commit, one of a row that is not there fails it',
    async (method) => {
      if (!descriptor.changesAtCommit) return;
      await withTable(async (table) => {
        const [insert, remove] = [
          await statement(table, texts.insert, method, all),
          await statement(table, texts.remove, method, ['id']),
        ];
        const [fresh, missing] = makeRows(100, 2) as [Row, Row];
        await suite.session.begin();
        expect(await insert.run(insert.encode(values(table, fresh, all)))).toBe(1);
        expect(await remove.run(remove.encode(values(table, missing, ['id'])))).toBe(1);
        const error = await Promise.resolve(suite.session.commit()).catch(toError);
        expect(error).toMatchObject({ kind: 'wrongResult', retryable: false });
        await suite.session.rollback();
        await expectContent(table, rows);
        expect(await remove.run(remove.encode(values(table, missing, ['id'])))).toBe(0);
      }, rows);
    },
  );

  test.each(statementMethods)(
    'by %s: what is shown and explained in a transaction is undone by its rollback',
    async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        const remove = await statement(table, texts.remove, method, ['id']);
        await suite.session.begin();
        expect(await remove.notUndoneText?.()).toBeOneOf([null, undefined]);
        const call = () => remove.encode(values(table, rows[3]!, ['id']));
        expect((await remove.show(call(), 10)).count).toBe(1);
        const plan = await remove.explain(call()).catch(toError);
        if (suite.server.noPlans === undefined)
          expect(plan).toEqual(
            typeof plan === 'string'
              ? expect.stringMatching(/\w{3}/)
              : expect.objectContaining({ kind: 'unsupported' }),
          );
        await suite.session.rollback();
        await expectContent(table, rows);
      }, rows);
    },
  );

  test('tables of the user’s own are found, Dyno’s are not', async () => {
    if (!suite.database.userTables) return;
    await withTable(async (table) => {
      const found = await suite.database.userTables!();
      expect(found.filter(({ name }) => name.toLowerCase() === table.name)).toEqual([]);
      for (const { columns } of found) expect(columns.every((name) => name.length > 0)).toBe(true);
    });
  });
}
