import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { GivenAnswers, GivenDraw, TrialResult } from '#protocol/measurement.ts';
import {
  answeringOtherwise,
  answersBefore,
  answersBetween,
  answersDiffer,
  sampledBesideBaseline,
} from './answers-between.ts';

type Facts = Parameters<typeof answersBetween>[0];

const draw = (rows: readonly (readonly string[])[], more: Partial<GivenDraw> = {}): GivenDraw => ({
  parameters: [{ name: 'day', value: '3' }],
  values: 'v',
  columns: ['id'],
  exact: [true],
  count: rows.length,
  digests: {
    ...{ set: rows.map(String).toSorted().join(), known: rows.map(String).toSorted().join() },
    ...{ order: rows.map(String).join(), columns: [rows.map((row) => row[0]).join()] },
  },
  rows: rows.map((row) => [...row]),
  ...more,
});

type Given = readonly GivenDraw[] | string;

/** A run whose cells ("target", or "target variant") gave these answers to `search`. */
function runOf(given: Readonly<Record<string, Given>>, text = 'SELECT id FROM {t} WHERE day = :day') {
  const places = Object.keys(given).map((place) => {
    const [target = '', variant = 'v'] = place.split(' ');
    return { place, cell: { target, variant } };
  });
  const targets = [...new Set(places.map(({ cell }) => cell.target))];
  const facts = {
    plan: {
      experiment: { statements: { search: { text, parameters: {} } } },
      targets: targets.map((name, index) => ({ name, engine: name, index })),
      variants: [...new Set(places.map(({ cell }) => cell.variant))].map((id) => ({
        ...{ id, label: id, levels: {} },
        settings: { ...defaultSettings, operation: 'statement' },
      })),
    },
    targets: targets.map((name) => ({
      ...{ name, engine: name, fingerprint: null },
      descriptor: { statements: { language: 'sql' }, uuids: { order: 'bytes' } },
    })),
  } as unknown as Facts; // the parts that are looked at
  const results = places.map(({ place, cell }) => {
    const own = given[place]!;
    const answers: GivenAnswers =
      typeof own === 'string' ? { statement: 'search', draws: [], why: own } : { statement: 'search', draws: [...own] };
    return { ...cell, repeat: 1, status: 'ok', givenAnswers: [answers] } as unknown as TrialResult;
  });
  const found = answersBetween(facts, results);
  const cells = places.map(({ cell }) => ({ ...cell, otherAnswers: found.get(keyOf(cell)) ?? [] }));
  return { facts, cells };
}

/** The outcomes of each cell beside the targets before its own: "b: equal with a". */
function outcomesOf(given: Readonly<Record<string, Given>>, text?: string): readonly string[] {
  const { facts, cells } = runOf(given, text);
  return cells.flatMap((cell) =>
    answersBefore(facts.plan, cell).map(
      ({ outcome, other, why }) =>
        `${cell.target}: ${outcome} with ${other.target}${outcome === 'cannotTell' ? `: ${why}` : ''}`,
    ),
  );
}

test('the same answers of two targets are equal, whatever the order of the rows', () => {
  const given = { a: [draw([['n1'], ['n2']])], b: [draw([['n2'], ['n1']])] };
  expect(outcomesOf(given)).toEqual(['b: equal with a']);
  expect(outcomesOf(given, 'SELECT id FROM {t} WHERE day = :day ORDER BY id')).toEqual(['b: differ with a']);
});

test('an answer that differs stands beside the one there, with the values of its draw', () => {
  const { cells } = runOf({ a: [draw([['n1']]), draw([['n1']])], b: [draw([['n1']]), draw([['n2']])] });
  expect(cells[1]!.otherAnswers).toMatchObject([
    {
      statement: 'search',
      outcome: 'differ',
      draws: 2,
      other: { target: 'a', variant: 'v' },
      difference: {
        parameters: [{ name: 'day', value: '3' }],
        rows: { columns: ['id'], pairs: [{ baseline: ['1'], own: ['2'] }] },
      },
    },
  ]);
  expect(answersDiffer(cells[1]!, 'a')).toBe(true);
  expect(answersDiffer(cells[1]!, 'a', 'search')).toBe(true);
  expect(answersDiffer(cells[1]!, 'a', 'sell'), 'another statement').toBe(false);
});

test('answers prove nothing with other values, without rows, or where they are too long to compare', () => {
  const one = [draw([['n1']])];
  expect(outcomesOf({ a: one, b: [draw([['n2']], { values: 'w' })] })[0]).toContain('values of its parameters');
  expect(outcomesOf({ a: [draw([])], b: [draw([])] })[0]).toContain('no draw found a row');
  const { rows: _, ...long } = draw([['n2']]);
  expect(outcomesOf({ a: one, b: [long] })[0]).toContain('too long');
  const { rows: __, ...same } = draw([['n1']]);
  expect(outcomesOf({ a: one, b: [same] })).toEqual(['b: equal with a']);
  expect(outcomesOf({ a: one, b: 'the server refused it: no' })).toEqual(['b: notChecked with a']);
});

test('answers are not equal where one of them goes on behind the compared rows', () => {
  const [one, longer] = [[draw([['n1']])], [draw([['n1']], { hasMore: true })]];
  const { rows: _, ...digests } = draw([['n1']], { hasMore: true });
  for (const given of [
    { a: one, b: longer },
    { a: longer, b: one },
    { a: [digests], b: one },
    { a: one, b: [digests] },
  ])
    expect(outcomesOf(given)[0], JSON.stringify(given)).not.toContain('equal');
});

test('a cell is compared with its own variant on the other target, or else with another one', () => {
  const [one, two] = [[draw([['n1']])], [draw([['n2']])]];
  const { cells } = runOf({ 'a v': one, 'a w': two, 'b w': two, 'b x': one });
  const others = cells.map(({ otherAnswers }) =>
    otherAnswers.map(({ other, outcome }) => `${other.variant} ${outcome}`),
  );
  expect(others).toEqual([['w differ'], ['w equal'], ['w equal'], ['v equal']]);
});

test('a ranking keeps the targets that agree, and the first one where none do', () => {
  const [one, two] = [[draw([['n1']])], [draw([['n2']])]];
  const apart = (given: Readonly<Record<string, Given>>) =>
    answeringOtherwise(runOf(given).cells).map(({ cell, target }) => `${cell.target} against ${target}`);
  expect(apart({ a: two, b: one, c: one })).toEqual(['a against b']);
  expect(apart({ a: two, b: one })).toEqual(['b against a']);
  expect(apart({ a: one, b: one })).toEqual([]);
});

/** A run of the baseline "old" and of "new" on a target, whose repeats had these answers to sampled calls. */
function sampledRun(
  given: { readonly old: readonly Given[]; readonly new: readonly Given[] },
  { text = 'SELECT id FROM {t} WHERE day = :day', before = 'equal', rows = 1 } = {},
) {
  const { facts } = runOf({ 'a old': [], 'a new': [] }, text);
  const [old, changed] = facts.plan.variants;
  const plan = {
    ...facts.plan,
    variants: [old!, { ...changed!, settings: { ...changed!.settings, workingSet: rows } }],
  };
  const results = (['old', 'new'] as const).flatMap((variant) =>
    given[variant].map((own, i) => ({
      ...{ target: 'a', variant, repeat: i + 1, status: 'ok' },
      ...(variant === 'new' &&
        i === 0 && { answers: [{ statement: 'search', baseline: 'old', outcome: before, draws: 20 }] }),
      sampledAnswers: [
        typeof own === 'string' ? { statement: 'search', draws: [], why: own } : { statement: 'search', draws: own },
      ],
    })),
  ) as unknown as TrialResult[];
  const found = sampledBesideBaseline({ ...facts, plan }, results).get(keyOf({ target: 'a', variant: 'new' })) ?? [];
  return found.map(({ compared: { outcome, why, draws } }) => [outcome, draws, why ?? '']);
}

test('sampled calls of a level are compared with those of the baseline, as far as both have the draws', () => {
  const [one, two, other] = [draw([['n1']]), draw([['n2']]), draw([['n3']])];
  expect(sampledRun({ old: [[one, two]], new: [[one]] })).toEqual([['equal', 1, '']]);
  expect(sampledRun({ old: [[one, two]], new: [[one, other]] })).toMatchObject([
    ['differ', 2, 'it returned other rows'],
  ]);
  expect(sampledRun({ old: [[one]], new: [[]] })).toMatchObject([
    ['notChecked', 0, expect.stringContaining('no call')],
  ]);
  expect(sampledRun({ old: ['its rows change'], new: [[one]] })).toEqual([['notChecked', 0, 'its rows change']]);
  expect(sampledRun({ old: [[one]], new: [[other]] }, { before: 'cannotTell' }), 'nothing new').toEqual([]);
  expect(sampledRun({ old: [[one]], new: [[other]] }, { rows: 0.5 })).toMatchObject([
    ['notChecked', 0, expect.stringContaining('rows of the')],
  ]);
});

test('sampled answers that are too long to be kept are compared by their digests', () => {
  const long = (...rows: readonly string[]) => {
    const { rows: _, ...digests } = draw(rows.map((row) => [row]));
    return [digests];
  };
  const sorted = { text: 'SELECT id FROM {t} WHERE day = :day ORDER BY id' };
  expect(sampledRun({ old: [long('n1', 'n2')], new: [long('n2', 'n1')] })).toEqual([['equal', 1, '']]);
  expect(sampledRun({ old: [long('n1', 'n2')], new: [long('n2', 'n1')] }, sorted)).toMatchObject([
    ['differ', 1, expect.stringContaining('in another order (the answer is too long')],
  ]);
  expect(sampledRun({ old: [long('n1')], new: [long('n2')] })).toMatchObject([
    ['differ', 1, expect.stringContaining('other rows (the answer is too long')],
  ]);
});

test('a choice of the server, and a text that answers otherwise in another repeat, are doubts and no difference', () => {
  const [one, two] = [draw([['n1']]), draw([['n2']])];
  const text = 'SELECT id FROM {t} WHERE day = :day LIMIT 1';
  expect(sampledRun({ old: [[one]], new: [[two]] }, { text })).toMatchObject([
    ['cannotTell', 1, expect.stringContaining('LIMIT without')],
  ]);
  expect(sampledRun({ old: [[one], [one]], new: [[two], [one]] })).toMatchObject([
    ['notChecked', 0, expect.stringContaining('another repeat')],
  ]);
});

test('sampled calls of two targets are compared where their answers before the clock were equal', () => {
  const { facts } = runOf({ a: [], b: [] });
  const [one, other] = [draw([['n1']]), draw([['n2']])];
  const results = [one, other].map((own, i) => ({
    ...{ target: 'ab'[i], variant: 'v', repeat: 1, status: 'ok' },
    givenAnswers: [{ statement: 'search', draws: [one] }],
    sampledAnswers: [{ statement: 'search', draws: [own] }],
  })) as unknown as TrialResult[];
  const found = answersBetween(facts, results).get(keyOf({ target: 'b', variant: 'v' }));
  expect(found).toMatchObject([{ outcome: 'equal' }, { outcome: 'differ', isSampled: true, other: { target: 'a' } }]);
});
