import { expect, test } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Session } from '#engine-api/session.ts';
import type { StatementPlan } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import { toErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { StatementMix } from '#model/statements/statements.ts';
import { compareAnswers } from './compare-answers.ts';

const specs = { n: { type: 'integer', min: 0, max: 1e9, nulls: 0 } } as const;
const mixOf = (text: string) =>
  ({
    statements: [{ name: 'find', text, own: { specs, lists: {} }, isRead: true, expectRows: null }],
    items: [{ name: 'find', weight: 1, steps: [0], transaction: null }],
  }) as unknown as StatementMix; // A scope has more keys, which its values do not need.

const engine = {
  ...{ label: 'Server', statements: { language: 'sql', quoting: [] }, unsupportedReasons: {} },
} as unknown as EngineDescriptor; // A comparison reads the language alone.

/** A server that answers each number with itself, and from the call `late` on with another one to the new text. */
function serverThat(late: number) {
  const asked: string[] = [];
  const session = {
    begin: () => {},
    rollback: () => {},
    cancel: async () => {},
    prepareStatement: async ({ text }: StatementPlan) => ({
      encode: ({ columns: [column] }: Batch) => (column?.kind === 'number' ? column.values[0] : null),
      async show(call: unknown) {
        asked.push(text);
        const isOther = text.includes('new') && asked.filter((one) => one === text).length >= late;
        return { columns: ['n'], rows: [[isOther ? '-1' : String(call)]], count: 1, types: ['integer'] };
      },
    }),
    [Symbol.asyncDispose]: async () => {},
  } as unknown as Session; // A comparison uses nothing else.
  const database = { openSession: async () => session } as unknown as Database;
  const statement = {
    ...{ name: 'find', baseline: 'old', baselineMix: mixOf('SELECT :n AS n'), ownMix: mixOf('SELECT :n AS new') },
    ...{ keepsRows: true, keepsLists: false },
  };
  const compared = (draws: number, withinMs: number) =>
    compareAnswers(
      engine,
      database,
      {
        ...{ call: 'compareAnswers', statements: [statement], tables: {}, settings: defaultSettings, options: {} },
        ...{ seed: 7, draws, withinMs },
      },
      toErrorData,
      new AbortController().signal,
    );
  return { asked, compared };
}

const anHour = 3_600_000;

test('each of the draws is asked of both texts, unless the time is over or the answers differ', async () => {
  const steady = serverThat(Number.POSITIVE_INFINITY);
  expect(await steady.compared(20, anHour)).toMatchObject([{ statement: 'find', outcome: 'equal', draws: 20 }]);
  expect(steady.asked).toHaveLength(2 * 20);
  expect(await steady.compared(20, 0)).toMatchObject([{ outcome: 'notChecked', draws: 0 }]);

  const [found] = await serverThat(4).compared(20, anHour);
  expect(found).toMatchObject({ outcome: 'differ', draws: 4, difference: { rows: { pairs: [{ own: ['-1'] }] } } });
});
