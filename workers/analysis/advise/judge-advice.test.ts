import { expect, test } from 'vitest';
import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { unchangedLevel } from './advice-file.ts';
import { type AdviceKind, type Candidate, indexOf } from './candidate.ts';
import { judgeAdvice } from './judge-advice.ts';
import { probeName } from './write-probe.ts';

/** Mean times of each statement in ms, by level. */
type Times = Readonly<Record<string, Readonly<Record<string, number>>>>;

const probe = probeName('orders');
const scatter = [0.97, 1, 1.03, 0.99, 1.01];

/** A run with five repeats of each level, which scatter by a few per cent. */
function runOf(times: Times, answers: Readonly<Record<string, TrialResult['answers']>> = {}): RunModel {
  const levels = Object.keys(times);
  const names = Object.keys(Object.values(times)[0]!);
  const encoded = (ms: number) => {
    const histogram = new Histogram();
    for (let i = 0; i < 50; i++) histogram.record(ms * 1e6);
    return histogram.encode();
  };
  return {
    plan: {
      experiment: { factors: {}, statements: Object.fromEntries(names.map((name) => [name, { text: '', weight: 1 }])) },
      variants: levels.map((level) => ({ id: level, levels: { advice: level } })),
      targets: [{ name: 'here' }],
    },
    trials: levels.flatMap((level) =>
      scatter.map((factor, i) => ({
        result: {
          ...{ status: 'ok', variant: level, target: 'here', repeat: i + 1 },
          ...(answers[level] && { answers: answers[level] }),
          statements: names.map((name) => ({
            name,
            kind: 'statement',
            service: encoded(times[level]![name]! * factor),
          })),
        },
      })),
    ),
  } as unknown as RunModel; // the parts that are judged
}

const candidate = (title: string, kind: AdviceKind, steps: Candidate['steps'] = []): Candidate => ({
  ...{ title, kind, why: '', tables: ['orders'], statements: ['find'], steps, change: {} },
});
const create: Candidate['steps'][number] = { do: 'createIndex', table: 'orders', index: indexOf(['a']) };
const drop: Candidate['steps'][number] = { do: 'dropIndex', table: 'orders', index: indexOf(['a']) };
const judged = (
  { plan, trials }: RunModel,
  candidates: readonly Candidate[],
  isWrite: (statement: string) => boolean,
  looks = 1,
) => judgeAdvice({ ...{ plan, candidates, isWrite, looks }, results: trials.flatMap(({ result }) => result ?? []) });
const verdictsOf = (times: Times, candidates: readonly Candidate[], answers = {}) =>
  judged(
    runOf({ [unchangedLevel]: { find: 10, sell: 2 }, ...times }, answers),
    candidates,
    (name) => name === 'sell',
  ).map(({ candidate: { title }, verdict }) => `${title}: ${verdict}`);

test('what is certainly faster as a whole is recommended, the best of it first', () => {
  const times = { good: { find: 5, sell: 2.1 }, better: { find: 1, sell: 2.1 }, same: { find: 10, sell: 2 } };
  const all = Object.keys(times).map((title) => candidate(title, 'missingIndex', [create]));
  expect(verdictsOf(times, all)).toEqual(['better: recommended', 'good: recommended', 'same: notShown']);
});

test('a candidate whose first trial came after the end of the budget is named last', () => {
  const all = ['late', 'good'].map((title) => candidate(title, 'missingIndex', [create]));
  expect(verdictsOf({ good: { find: 5, sell: 2 } }, all)).toEqual(['good: recommended', 'late: outOfBudget']);
});

test('a statement that is certainly slower beyond the limit forbids the advice, whatever the gain of another', () => {
  const times = { costly: { find: 0.1, sell: 3.5 }, slow: { find: 12, sell: 0.1 } };
  const all = Object.keys(times).map((title) => candidate(title, 'missingIndex', [create]));
  expect(verdictsOf(times, all)).toEqual(['costly: notRecommended', 'slow: notRecommended']);
});

test('an index is dropped only for writes that are certainly faster', () => {
  const times = { unused: { find: 10, sell: 1 }, idle: { find: 10, sell: 2 }, used: { find: 20, sell: 1 } };
  const all = Object.keys(times).map((title) => candidate(title, 'unusedIndex', [drop]));
  expect(verdictsOf(times, all)).toEqual(['unused: recommended', 'idle: notShown', 'used: notRecommended']);
});

test('inserts that the advice has added are never a gain, except of an index that no statement of the file needs', () => {
  const times = { [unchangedLevel]: { find: 10, [probe]: 2 }, index: { find: 9.99, [probe]: 1 } };
  const verdictOf = (kind: AdviceKind, step: Candidate['steps'][number]) =>
    judged(runOf(times), [candidate('index', kind, [step])], () => false).map(({ verdict, why }) => [verdict, why]);
  expect(verdictOf('missingIndex', create)).toEqual([['notShown', 'No statement is certainly faster.']]);
  expect(verdictOf('unusedIndex', drop)).toEqual([
    ['recommended', expect.stringContaining('Only writes to orders would gain, and the file has none')],
  ]);
});

test('one look-up for all keys is an observation, because its answers are not compared', () => {
  const text = { do: 'replaceText', statement: 'find', text: 'SELECT 1' } as const;
  const times = { [unchangedLevel]: { find: 10 }, once: { find: 1 }, same: { find: 10 } };
  const all = Object.keys(times)
    .slice(1)
    .map((title) => candidate(title, 'lookUps', [text]));
  expect(judged(runOf(times), all, () => false).map(({ verdict, why }) => [verdict, why])).toEqual([
    ['observed', expect.stringContaining('Answers not compared: check them before you use it')],
    ['notShown', 'No statement is certainly faster.'],
  ]);
});

test('a text with other answers, or with answers that were not compared, is never recommended', () => {
  const text = { do: 'replaceText', statement: 'find', text: 'SELECT 1' } as const;
  const times = { other: { find: 1, sell: 2 }, unknown: { find: 1, sell: 2 }, equal: { find: 1, sell: 2 } };
  const all = Object.keys(times).map((title) => candidate(title, 'rewrite', [text]));
  const compared = { statement: 'find', baseline: unchangedLevel, draws: 50 };
  const answers = { other: [{ ...compared, outcome: 'differ' }], equal: [{ ...compared, outcome: 'equal' }] };
  expect(verdictsOf(times, all, answers).toSorted()).toEqual([
    'equal: recommended',
    'other: notRecommended',
    'unknown: notRecommended',
  ]);
});

test('of two that are about as fast the simpler one is first, and the other one is instead of it', () => {
  const times = {
    [unchangedLevel]: { find: 10, sell: 2 },
    covering: { find: 1, sell: 2 },
    plain: { find: 1.02, sell: 2 },
  };
  const all = [candidate('covering', 'coveringIndex', [create]), candidate('plain', 'missingIndex', [create])];
  const [first, second] = judged(runOf(times), all, () => false);
  expect([first?.candidate.title, first?.insteadOf]).toEqual(['plain', null]);
  expect([second?.candidate.title, second?.insteadOf]).toEqual(['covering', 'plain']);
});

test('inserts that the advice has added count as a cost of writes, and not in the time of the file', () => {
  const times = { [unchangedLevel]: { find: 10, [probe]: 1 }, index: { find: 5, [probe]: 1.2 } };
  const [found] = judged(runOf(times), [candidate('index', 'missingIndex', [create])], () => false);
  expect(found?.total?.value).toBeCloseTo(0.5, 2);
  expect(found?.effects.map(({ kind }) => kind)).toEqual(['read', 'probe']);
  expect(found?.effects[1]?.ratio.value).toBeCloseTo(1.2, 1);
});

test('an unused index comes after another change, with which plans may read it, whatever its gain', () => {
  const times = {
    [unchangedLevel]: { find: 10, sell: 10 },
    text: { find: 5, sell: 10 },
    unused: { find: 10, sell: 1 },
  };
  const text = { do: 'replaceText', statement: 'find', text: 'SELECT 1' } as const;
  const answers = { text: [{ statement: 'find', baseline: unchangedLevel, draws: 50, outcome: 'equal' }] } as const;
  const all = [candidate('text', 'rewrite', [text]), candidate('unused', 'unusedIndex', [drop])];
  const found = judged(runOf(times, answers as never), all, (name) => name === 'sell');
  expect(found.map((one) => [one.candidate.title, one.verdict, one.insteadOf])).toEqual([
    ['text', 'recommended', null],
    ['unused', 'recommended', 'text'],
  ]);
});

test('more looks at a run widen the bounds of its claims', () => {
  const times = { [unchangedLevel]: { find: 10 }, index: { find: 5 } };
  const high = (looks: number) =>
    judged(runOf(times), [candidate('index', 'missingIndex', [create])], () => false, looks)[0]!.total!.high;
  expect(high(3)).toBeGreaterThan(high(1));
});
