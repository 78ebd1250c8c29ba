import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CustomStatement } from '#engine-api/statement.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { DynoError } from '#model/error.ts';
import { expectedChecksum } from '../rows.ts';
import { runOrRefuse, statementSuite } from '../statement-suite.ts';
import { disputedTexts, quoter } from '../statement-texts.ts';
import type { Suite } from '../suite.ts';
import {
  type Changes,
  changedNames,
  givenAs,
  hostileChanges,
  hostileText,
  minusUpdate,
  type Position,
  pagedSelects,
  tightPositions,
  tightUpdate,
} from './hostile-values.ts';
import { rowOf } from './two-tables.ts';

export function testInjection(suite: Suite): void {
  const { withTable, expectContent, keepsRows, statementMethods, options } = suite;
  const { language, texts, statement, values, rows, sqlMethods } = statementSuite(suite);
  test.each(sqlMethods)(
    'by %s: a hostile value is a value, directly beside a sign, quote or comment',
    async (method) => {
      await withTable(async (table) => {
        await suite.database.settle(table);
        const counted = async (position: Position): Promise<number | null> => {
          const { parameters, row } = givenAs(position);
          const plan = { text: position.text, method, parameters, tables: { table }, options, isRead: true };
          const prepared = await suite.session.prepareStatement!(plan).catch(() => null);
          const types = parameters.map(({ type }) => type);
          return prepared && runOrRefuse(prepared, batchOf([row], types));
        };
        const numbers = fc.record({
          n: fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
          k: fc.integer({ min: 1, max: 9 }),
          said: hostileText.filter((one) => !/^[\0 ]|\0/.test(one)),
        });
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...rows), numbers, async ({ id }, given) => {
            for (const position of tightPositions(language!, id, given)) {
              const found = await counted(position);
              // If a server cannot tell a parameter's type by its position, it refuses the parameter.
              if (method === 'literal' || found !== null) expect(found, JSON.stringify(position)).toBe(1);
            }
          }),
          { numRuns: 5, examples: [[rows[0]!, { n: -5, k: 2, said: "'--" }]] },
        );
        const pages: (number | null)[] = [];
        for (const text of pagedSelects(language!)) pages.push(await counted({ text, values: { k: 3 } }));
        expect(pages).toContain(3);
        await expectContent(table, rows);
      }, rows);
    },
  );

  test('by literal: what is subtracted is no comment, and the other rows stay as they are', async () => {
    if (!sqlMethods.includes('literal')) return;
    const row = rows.find(({ price }) => price === -1)!;
    await withTable(async (table) => {
      const plan = {
        text: minusUpdate(language!),
        method: 'literal',
        parameters: ['n', 'id'].map((name) => ({ name, type: { kind: 'bigint' }, nullable: false }) as const),
        tables: { table },
        options,
        isRead: false,
      } as const;
      const update = await suite.session.prepareStatement!(plan);
      expect(await update.run(update.encode(rowOf(-5, row.id)))).toBe(1);
      const price = row.price! + (suite.server.decimalsAreWhole ? 5 : 5_000);
      await expectContent(
        table,
        rows.map((one) => (one === row ? { ...one, price } : one)),
      );
      // The number is the least that 64 bits hold, and the statement must have all its digits.
      const name = quoter(language!);
      const least = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} >:n AND :id=${name('id')}`;
      const above = await suite.session.prepareStatement!({ ...plan, text: least, isRead: true });
      expect(await above.run(above.encode(rowOf(-(2 ** 63), row.id)))).toBe(1);
    }, rows);
  });

  test.each(sqlMethods)('by %s: hostile values of every type are stored, or refused as with bind', async (method) => {
    await withTable(async (table) => {
      const names = [...changedNames, 'id'];
      const update = await statement(table, tightUpdate(language!), method, names);
      // Each method has its own session: some drivers have one connection, or one statement for a text, for either
      // method.
      await using other = await suite.database.openSession(options);
      const bound = await statement(
        table,
        tightUpdate(language!),
        statementMethods.includes('bind') ? 'bind' : method,
        names,
        false,
        other,
      );
      const row = rows[3]!;
      await fc.assert(
        fc.asyncProperty(hostileChanges, async (changes: Changes) => {
          const changed = { ...row, ...changes };
          const outcome = async (by: CustomStatement) => {
            const touched = await runOrRefuse(by, values(table, changed, names));
            const expected = rows.map((one) => (one === row && touched !== null ? changed : one));
            const content = await suite.database.checksum(table);
            // Some drivers read a text only as far as its first NUL.
            if (!changes.text?.includes('\0'))
              expect(content).toEqual(expectedChecksum(expected, suite.descriptor.emptyIsNull));
            return { touched, content };
          };
          expect(await runOrRefuse(bound, values(table, row, names))).toBe(1);
          expect(await outcome(update)).toEqual(await outcome(bound));
        }),
        { numRuns: 15 },
      );
    }, rows);
  });
  test.each(sqlMethods)(
    'by %s: a second statement in a text is refused, a semicolon at its end is not',
    async (method) => {
      await withTable(async (table) => {
        const [name, row] = [quoter(language!), rows[0]!];
        const removeAll = 'DELETE FROM {table}';
        const second = [
          `${texts.remove};${removeAll}`,
          `${texts.remove} ;\n-- ;\n ${removeAll};`,
          `${texts.select}\n; ${removeAll} /* ; */`,
        ];
        for (const text of second) {
          const refused = statement(table, text, method, ['id']).catch((thrown: unknown) => (thrown as DynoError).data);
          expect(await refused, text).toMatchObject({ kind: 'badInput', message: expect.stringContaining('DELETE') });
        }
        await expectContent(table, rows);
        const from = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} = :id`;
        const one = [
          `${from};`,
          `${from} ; -- ${removeAll}\n;`,
          `/* ; ${removeAll} */ ${from} AND '; ${removeAll}' <> 'it''s; ${removeAll}' -- ; ${removeAll}`,
        ];
        for (const text of one) {
          const select = await statement(table, text, method, ['id'], true);
          expect(await select.run(select.encode(values(table, row, ['id']))), text).toBe(1);
          expect((await select.show(select.encode(values(table, row, ['id'])), 2)).count, text).toBe(1);
        }
        await expectContent(table, rows);
      }, rows);
    },
  );

  test('comments nest as the dialect says', async () => {
    if (language?.language !== 'sql' || !keepsRows) return;
    await withTable(async (table) => {
      const name = quoter(language);
      const text = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} = :id /* /* */ AND 1 = 0 -- */\n`;
      const select = await statement(table, text, statementMethods[0]!, ['id'], true);
      const found = await select.run(select.encode(values(table, rows[0]!, ['id'])));
      expect(found).toBe(language.quoting?.includes('nested') ? 1 : 0);
    }, rows);
  });

  test.each(sqlMethods)(
    'by %s: whatever the server takes for a comment or a quote, no second statement runs',
    async (method) => {
      await withTable(async (table) => {
        const name = quoter(language!);
        const select = `SELECT ${name('code')} FROM {table} WHERE ${name('id')} = :id`;
        for (const text of disputedTexts(select, 'DELETE FROM {table}')) {
          // The dialect decides: the text is refused, fails, or finds one row.
          const prepared = await statement(table, text, method, ['id'], true).catch(() => null);
          if (prepared)
            expect([null, 0, 1], text).toContain(await runOrRefuse(prepared, values(table, rows[0]!, ['id'])));
        }
        await expectContent(table, rows);
      }, rows);
    },
  );
}
