import { describe, expect, test } from 'vitest';
import type { Session } from '#engine-api/session.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { type Isolation, isolations, type TableOperation } from '#model/settings/vocabulary.ts';
import { keyBatch, makeRows, noParameters } from '../rows.ts';
import { call, type Suite } from '../suite.ts';
import { type Actor, rereadsOtherwise, seesUncommitted, skewsWrites } from './anomalies.ts';

export function testIsolation(suite: Suite): void {
  const { withTable, has, single, toError, keepsRows, statementMethods, descriptor, options } = suite;
  describe('isolation', () => {
    const levels = isolations.filter((level) => level !== 'default');
    const had = levels.filter((level) => descriptor.isolations?.[level] !== undefined);
    const rows = makeRows(0, 2);
    const without = (level: Isolation) => suite.server.noIsolations?.includes(level) === true;

    /** Sessions of these levels, on a table of two rows. */
    async function withActors(
      wanted: readonly Isolation[],
      use: (actors: readonly Actor[], table: TablePlan) => Promise<void>,
    ): Promise<void> {
      await withTable(async (table) => {
        const opened: Session[] = [];
        const actorOf = async (level: Isolation): Promise<Actor> => {
          const own = await suite.database.openSession(options, level);
          opened.push(own);
          const plan = (operation: TableOperation) =>
            ({ table, operation, method: single(operation), settings: { ...defaultSettings, operation } }) as const;
          const [reading, removing] = [await own.prepare(plan('readByKey')), await own.prepare(plan('delete'))];
          const one = (row: number) => keyBatch(rows.slice(row, row + 1));
          return {
            session: own,
            async read(...which) {
              let found = 0;
              for (const row of which) found += await call(reading, one(row));
              return found;
            },
            remove: (row) => call(removing, one(row)),
          };
        };
        try {
          const actors: Actor[] = [];
          for (const level of wanted) actors.push(await actorOf(level));
          await use(actors, table);
        } finally {
          for (const one of opened) await one[Symbol.asyncDispose]();
        }
      }, rows);
    }

    test('a level that engine or server has not is refused as unsupported', async () => {
      const lacking = [...levels.filter((level) => !had.includes(level)), ...(suite.server.noIsolations ?? [])];
      for (const level of lacking) {
        const error = await suite.database.openSession(options, level).catch(toError);
        expect(error, level).toMatchObject({ kind: 'unsupported', message: expect.stringContaining(level) });
      }
    });

    test.for(had)('the server says that a session has %s, in a transaction and outside', async (level, { skip }) => {
      const { saysIsolation } = suite.server;
      if (saysIsolation === undefined) return skip('Nothing tells a session its level.');
      const asks = statementMethods[0];
      if (asks === undefined) return skip('No session asks statements of one’s own with these options.');
      if (without(level)) skip(`This server has no ${level}.`);
      await withActors([level], async ([actor], table) => {
        // Some methods take another connection; the level has to go with the session.
        const insert = { table, operation: 'insert', settings: defaultSettings } as const;
        for (const method of ['bind', 'prepared'] as const)
          if (has('insert', method)) await actor!.session.prepare({ ...insert, method });
        const plan = { text: saysIsolation, parameters: [], method: asks, tables: { table }, options, isRead: true };
        const asking = await actor!.session.prepareStatement!(plan);
        const said = async () => {
          const { rows: told } = await asking.show(asking.encode(noParameters), 1);
          return String(told[0]?.[0]).trim().replaceAll('-', ' ').toUpperCase();
        };
        expect(await said()).toBe(descriptor.isolations![level]);
        await actor!.session.begin();
        expect(await said()).toBe(descriptor.isolations![level]);
        await actor!.session.rollback();
      });
    });

    test.for(had)('what is not committed is seen at readUncommitted alone: %s', async (level, { skip }) => {
      if (!keepsRows) return;
      if (without(level)) skip(`This server has no ${level}.`);
      await withActors([level, level], async ([reader, writer]) => {
        expect(await seesUncommitted(reader!, writer!)).toBe(level === 'readUncommitted');
      });
    });

    test.for(had)('a transaction reads a row twice alike from repeatableRead on: %s', async (level, { skip }) => {
      if (!keepsRows) return;
      if (without(level)) skip(`This server has no ${level}.`);
      await withActors([level, level], async ([reader, writer]) => {
        const isWeak = level === 'readUncommitted' || level === 'readCommitted';
        expect(await rereadsOtherwise(reader!, writer!, isWeak)).toBe(isWeak);
      });
    });

    test.for(had.filter((level) => level === 'snapshot' || level === 'serializable'))(
      'write skew is there at snapshot and not at serializable: %s',
      { timeout: 60_000 },
      async (level, { skip }) => {
        if (!keepsRows) return;
        if (without(level)) skip(`This server has no ${level}.`);
        await withActors([level, level], async ([first, second]) => {
          expect(await skewsWrites([first!, second!], level === 'snapshot')).toBe(level === 'snapshot');
        });
      },
    );
  });
}
