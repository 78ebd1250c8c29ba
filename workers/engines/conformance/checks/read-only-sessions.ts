import { expect, test } from 'vitest';
import type { Session } from '#engine-api/session.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { oneInTurn } from '#platform/whole.fixture.ts';
import { hostileTexts } from '../../hostile-texts.fixture.ts';
import { statementSuite } from '../statement-suite.ts';
import { type Suite, signal, tag } from '../suite.ts';

export function testReadOnlySessions(suite: Suite): void {
  const { withTable, expectContent, outcomeOf, planTable, newName, statementMethods, descriptor, config, options } =
    suite;
  const { texts, statement, values, rows } = statementSuite(suite);
  test('the descriptor says how read-only sessions are made, or why there are none', () => {
    const { readOnlySessions, unsupportedReasons } = descriptor;
    expect(config.readOnly !== undefined).toBe(readOnlySessions !== undefined);
    expect(unsupportedReasons.readOnlySessions === undefined).toBe(readOnlySessions !== undefined);
  });

  const { readOnly } = config;
  if (!readOnly) return;
  test('over a read-only target the server refuses to write, within a transaction and without, and answers reads', async () => {
    await withTable(async (table) => {
      await using database = await suite.engine.open(readOnly(config.parse(suite.server.raw)), `${tag}-reads`, signal);
      const refusal = expect.objectContaining({ kind: 'permission', hint: expect.stringContaining('production') });
      expect(await outcomeOf(() => database.prepareSchema(planTable(newName())))).toEqual(refusal);
      await using session = await database.openSession(options);
      const batch = values(table, rows[3]!, ['id']);
      for (const method of statementMethods) {
        const select = await statement(table, texts.select, method, ['id'], true, session);
        // A statement's own declaration does not protect the server.
        const remove = () =>
          outcomeOf(async () => {
            const prepared = await statement(table, texts.remove, method, ['id'], true, session);
            return prepared.run(prepared.encode(batch));
          });
        expect(await select.run(select.encode(batch)), method).toBe(1);
        expect(await remove(), method).toEqual(refusal);
        await session.begin();
        expect(await select.run(select.encode(batch)), method).toBe(1);
        expect(await remove(), method).toEqual(refusal);
        await session.rollback();
      }
      await database.probe();
      await expectContent(table, rows);
    }, rows);
  });

  test('whatever a text does to a read-only session, neither it nor the next call writes', async () => {
    const { writes } = hostileTexts[descriptor.id]!;
    await withTable(async (table) => {
      await using database = await suite.engine.open(
        readOnly(config.parse(suite.server.raw)),
        `${tag}-hostile`,
        signal,
      );
      const batch = values(table, rows[3]!, ['id']);
      const run = async (session: Session, text: string, method: MethodName) => {
        const plan = { text, method, parameters: [], tables: { t: table, table }, options, isRead: false };
        const prepared = await session.prepareStatement!(plan);
        return prepared.run(prepared.encode({ rows: 1, columns: [] }));
      };
      const wrote: string[] = [];
      for (const [at, text] of writes.entries())
        for (const method of oneInTurn(statementMethods, at)) {
          await using session = await database.openSession(options);
          await outcomeOf(() => run(session, text, method));
          // A transaction that a text leaves open ends the trial before another call.
          if (session.inTransaction?.()) await session.rollback();
          const removed = await outcomeOf(async () => {
            const prepared = await statement(table, texts.remove, method, ['id'], true, session);
            return prepared.run(prepared.encode(batch));
          });
          if (typeof removed === 'number') wrote.push(`${method}: ${text}`);
        }
      expect(wrote).toEqual([]);
      await expectContent(table, rows);
      expect(((await database.userTables?.()) ?? []).map(({ name }) => name.toLowerCase())).not.toContain(
        'made_by_text',
      );
    }, rows);
  }, 120_000);
}
