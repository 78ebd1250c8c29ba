import { expect, test } from 'vitest';
import type { Batch } from '#model/batch/batch.ts';
import type { Parameter, PlansByName } from '#model/dataset/dataset.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { AnswerType, CapturedSpec } from '#model/statements/statements.ts';
import { parseDecimal } from '#model/text/exact-decimal.ts';
import { oneInTurn, thirdOf } from '#platform/whole.fixture.ts';
import { answeredList } from '#runner/operations/answered-list.ts';
import { capture, capturedType } from '#runner/operations/captured.ts';
import { listVector } from '#runner/operations/list-values.ts';
import { query } from '#runner/operations/try-once.ts';
import { noParameters, type Row } from '../rows.ts';
import { statementSuite } from '../statement-suite.ts';
import type { Suite } from '../suite.ts';
import type { ListedValue, TypedValue } from '../test-server.ts';
import { capturedColumns, columnTexts, type ValueTexts, valueTexts } from '../value-texts.ts';

/** True for a value that a step can capture, and not only find by a list. */
const isCaptured = (value: TypedValue | ListedValue): value is TypedValue => 'shown' in value;

export function testCapturedValues(suite: Suite): void {
  const { withTable, planTable, keepsRows, statementMethods, options } = suite;
  const { language, values, rows } = statementSuite(suite);
  const change = async (text: string, tables: PlansByName): Promise<void> => {
    const plan = { text, method: statementMethods[0]!, parameters: [], tables, options, isRead: false };
    const changing = await suite.session.prepareStatement!(plan);
    await changing.run(changing.encode(noParameters));
  };
  /** Some servers make an index for each new question. */
  const manyStatements = 300_000;
  /** The value that a step captures from a statement's answer, and the answer of `find` to it. */
  const foundAgain = async (
    tables: PlansByName,
    { select, find }: Pick<ValueTexts, 'select' | 'find'>,
    method: MethodName,
    given: { readonly columns: readonly Parameter[]; readonly batch: Batch },
    how: { readonly as: AnswerType; readonly scale?: number | undefined },
  ) => {
    const prepared = (text: string, parameters: readonly Parameter[]) =>
      suite.session.prepareStatement!({ text, method, parameters, tables, options, isRead: true });
    const selecting = await prepared(select, given.columns);
    const call = () => selecting.encode(given.batch);
    expect(await selecting.run(call())).toBe(1);
    const [shown, first] = [await selecting.show(call(), 1), (await selecting.answer(call(), 1)).read()];
    const [value] = shown.rows[0] ?? [];
    const spec: CapturedSpec = { type: 'captured', from: 'select', column: first.columns[0] ?? '', ...how };
    const parameter: Parameter = { name: 'v', type: capturedType(spec), nullable: true };
    const finding = await prepared(find, [parameter]);
    const answers = await Promise.all([shown, first].map((answer) => ({ rows: 1, columns: [capture(spec, answer)] })));
    const found: (readonly (readonly (string | null)[])[])[] = [];
    for (const batch of answers) found.push((await finding.show(finding.encode(batch), 100)).rows);
    const rounded = [shown, first].map((answer) => answer.rounded?.[0] ?? null);
    return { value, first: first.rows[0]?.[0], found, rounded };
  };

  /**
   * Calls `use` with a table of each value, which has one row, and with the methods to try. Making tables is most of
   * the time on some servers.
   */
  const withEach = <T extends TypedValue | ListedValue>(
    typedValues: readonly T[],
    use: (typed: T, texts: ValueTexts, tables: PlansByName, methods: readonly MethodName[]) => Promise<void>,
  ) =>
    withTable(async ({ name }) => {
      for (const [i, typed] of typedValues.entries()) {
        const tables = { table: planTable(`${name}v${i}`) };
        const texts = valueTexts(language!, typed);
        try {
          for (const text of texts.make) await change(text, tables);
          await suite.database.settle(tables.table);
          await use(typed, texts, tables, oneInTurn(statementMethods, i));
        } finally {
          for (const text of texts.unmake) await change(text, tables);
        }
      }
    });

  test(
    'a value of any type is shown to its last digit, and captured finds its row again, alone and in a list, by every method',
    async () => {
      if (!keepsRows) return;
      await withEach(
        [...suite.server.values, ...(suite.server.listed ?? [])],
        async (typed, texts, tables, methods) => {
          const title = `${typed.literal} of ${typed.type ?? (isCaptured(typed) ? typed.as : 'a document')}`;
          if (isCaptured(typed))
            for (const method of methods) await expectFoundAgain(typed, texts, tables, method, title);
          const request = { call: 'query', text: texts.select, tables, options, most: 10, isUndone: true } as const;
          const list = answeredList(
            await query(suite.descriptor, suite.database, request, suite.engine.toError),
            title,
            {},
          );
          const { vector, type } = listVector(list);
          const { declared } = list;
          const parameter: Parameter = { name: 'v', type, nullable: true, ...(declared && { declared }) };
          for (const method of methods) {
            const plan = { text: texts.find, method, parameters: [parameter], tables, options, isRead: true };
            const finding = await suite.session.prepareStatement!(plan);
            const call = finding.encode({ rows: 1, columns: [vector] });
            expect(await finding.run(call), `${title}, ${method}`).toBe(1);
            expect((await finding.show(call, 100)).rows, `${title}, ${method}`).toEqual([['1']]);
          }
        },
      );
    },
    manyStatements,
  );

  async function expectFoundAgain(
    typed: TypedValue,
    texts: ValueTexts,
    tables: PlansByName,
    method: MethodName,
    of: string,
  ): Promise<void> {
    const title = `${of}, ${method}`;
    const nothing = { columns: [], batch: noParameters };
    const { value, first, found, rounded } = await foundAgain(tables, texts, method, nothing, typed);
    expect([value, first], title).toEqual([typed.shown, typed.shown]);
    for (const one of rounded)
      if (one !== null) expect(one, `${title}, a floating-point number`).toBe(typed.as === 'float');
    expect(found, title).toEqual([[['1']], [['1']]]);
    if (!language?.answersOwnTypes) return;
    const own = await foundAgain(tables, texts, method, nothing, { as: 'own' });
    expect(own.found, `${title}, of its own type`).toEqual([[['1']], [['1']]]);
  }

  test(
    'a text meets a number as the descriptor says, by every method',
    async () => {
      if (!keepsRows) return;
      const numbers = (['integer', 'decimal'] as const).flatMap(
        (as) => suite.server.values.find((typed) => typed.as === as) ?? [],
      );
      await withEach(numbers, async (typed, texts, tables) => {
        const { vector, type } = listVector({ as: 'text', values: [typed.shown] });
        const parameters = [{ name: 'v', type, nullable: false }];
        for (const method of statementMethods) {
          const found = async () => {
            const plan = { text: texts.find, method, parameters, tables, options, isRead: true };
            const finding = await suite.session.prepareStatement!(plan);
            return finding.run(finding.encode({ rows: 1, columns: [vector] }));
          };
          const meets = await found().then(
            (rows) => (rows === 0 ? 'findsNothing' : rows === 1 ? 'converts' : rows),
            (error: unknown) => {
              expect(['syntax', 'badInput', 'constraint']).toContain(suite.engine.toError(error).kind);
              return 'refuses';
            },
          );
          const expected = language!.textMeetsNumber?.[method === 'literal' ? 'literal' : 'bound'] ?? 'converts';
          expect(meets, `${typed.literal} of ${typed.type}, ${method}`).toBe(expected);
        }
      });
    },
    manyStatements,
  );

  test.each(statementMethods)(
    'by %s: what is captured of a column of Dyno’s own finds its row again',
    async (method) => {
      if (!keepsRows) return;
      await withTable(async (table) => {
        await suite.database.settle(table);
        const id = table.columns[0]!;
        for (const [column, as] of Object.entries(capturedColumns))
          for (const row of thirdOf(rows.slice(0, 9))) {
            if (row[column as keyof Row] === null) continue;
            const given = { columns: [id], batch: values(table, row, ['id']) };
            const texts = columnTexts(language!, column);
            const { value, found } = await foundAgain({ table }, texts, method, given, { as });
            const title = `${column} of ${row.id}`;
            for (const one of found)
              expect(
                one.map(([key]) => key),
                title,
              ).toContain(String(row.id));
            if (as === 'decimal') {
              expect(parseDecimal(value!)!.unscaled * 1_000n, title).toBe(
                BigInt(row.price!) * 10n ** BigInt(parseDecimal(value!)!.scale),
              );
            }
          }
      }, rows);
    },
    manyStatements,
  );
}
