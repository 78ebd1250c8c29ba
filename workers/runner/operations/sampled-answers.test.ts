import { expect, test } from 'vitest';
import type { CustomStatement } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { StatementMix } from '#model/statements/statements.ts';
import { planItems } from './plan-items.ts';
import { askSampled, SampledAnswers } from './sampled-answers.ts';
import { createTableKeys } from './table-keys.ts';

const specs = { n: { type: 'integer', min: 0, max: 1e9, nulls: 0 } } as const;
const mix = {
  statements: [{ name: 'find', text: '', own: { specs, lists: {} }, isRead: true, expectRows: null }],
  items: [{ name: 'find', weight: 1, steps: [0], transaction: null }],
} as unknown as StatementMix; // A scope has more keys, which its values do not need.

const work = { tables: {}, settings: defaultSettings, seed: 7 };
const step = planItems(mix, 8, createTableKeys({}, defaultSettings, 0), defaultSettings)[0]!.statements[0]!;

/** A statement that answers each number with itself; errors as long as `broken` says so. */
function statementThat(broken: () => boolean = () => false, count = 1): CustomStatement {
  return {
    encode: ({ columns: [column] }: Batch) => (column?.kind === 'number' ? column.values[0] : null),
    async answer(call: unknown) {
      if (broken()) throw new Error('broken');
      return { count, read: () => ({ columns: ['n'], rows: [[String(call)]], count, types: ['integer'] }) };
    },
  } as unknown as CustomStatement; // A sampled call uses nothing else.
}

/** Asks as often as a call is due. */
async function askedFor(sampled: SampledAnswers, statement: CustomStatement, seconds = 1): Promise<number> {
  const own = sampled.ofStep('find', step)!;
  sampled.begin({ until: 'time', seconds }, 0);
  let asked = 0;
  for (let ms = 0; ms < seconds * 1_000; ms++)
    if (ms >= own.own.dueMs)
      asked += await askSampled(own, statement, ms).then(
        () => 1,
        () => 1,
      );
  return asked;
}

test('calls are sampled over the whole phase, with the same draws whatever the seed of the trial', async () => {
  const sampled = new SampledAnswers({ statements: [{ name: 'find', mix }], isNamed: false, seed: 7, draws: 4 }, work);
  expect(sampled.ofStep('find', step)!.own.dueMs, 'not before the phase begins').toBe(Number.POSITIVE_INFINITY);
  expect(await askedFor(sampled, statementThat())).toBe(4);
  const { draws } = sampled.given()[0]!;
  expect(draws.map(({ rows }) => rows)).toEqual(draws.map(({ parameters }) => [[`n${parameters[0]!.value}`]]));
  expect(new Set(draws.map(({ rows }) => String(rows))).size).toBe(4);
});

test('a draw whose call failed is asked again; without an answer it ends the list', async () => {
  let left = 2;
  const sampled = new SampledAnswers({ statements: [{ name: 'find', mix }], isNamed: false, seed: 7, draws: 4 }, work);
  expect(
    await askedFor(
      sampled,
      statementThat(() => left-- > 0),
    ),
  ).toBe(4);
  expect(sampled.given()[0]!.draws).toHaveLength(2);
});

test('long answers are not kept, and calls are sampled until the kept rows are many', async () => {
  const many = { statements: [{ name: 'find', mix }], isNamed: false, seed: 7, draws: 200 };
  const long = new SampledAnswers(many, work);
  expect(await askedFor(long, statementThat(undefined, 1_001)), 'every 50 ms').toBe(20);
  expect(long.given()[0]!.draws[0]).toMatchObject({ hasMore: true, rows: [] });
  const rows = new SampledAnswers(many, work);
  expect(await askedFor(rows, statementThat(undefined, 1_000), 10)).toBe(20);
});

test('steps that use values of other steps, or other parameters, are not sampled', () => {
  const sampled = new SampledAnswers({ statements: [{ name: 'find', mix }], isNamed: false, seed: 7, draws: 4 }, work);
  expect(sampled.ofStep('other', step)).toBeNull();
  expect(sampled.ofStep('find', { ...step, places: [-1] })).toBeNull();
  expect(sampled.ofStep('find', { ...step, parameters: [{ ...step.parameters[0]!, name: 'm' }] })).toBeNull();
});
