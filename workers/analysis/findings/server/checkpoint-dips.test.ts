import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallTrial } from '../shared/small-run.fixture.ts';
import { checkpointDips } from './checkpoint-dips.ts';

const probeInfo = { checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' } } as const;

/** A minute with counted checkpoints and with dips in these seconds. */
function minute(checkpoints: readonly number[], dips: readonly number[], seed = 1): SmallTrial {
  const random = new Sfc32(seed, 9);
  const second = (i: number) => Math.round((dips.includes(i) ? 600 : 1_000) * (1 + 0.04 * (random.unit() - 0.5)));
  let count = 3;
  return {
    perSecond: Array.from({ length: 60 }, (_, i) => second(i)),
    samples: Array.from({ length: 61 }, (_, i) => {
      if (checkpoints.includes(i - 1)) count++;
      return { counters: { checkpoints: count } };
    }),
  };
}
const run = (...trials: readonly SmallTrial[]) => judged(checkpointDips, { cells: [{ trials }], probeInfo });

test('dips at each of six checkpoints are no chance', () => {
  const at = [5, 15, 25, 35, 45, 55];
  const { facts, outcomes } = run(minute(at, at));
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
  expect(outcomes[0]).toMatchObject({ claim: expect.stringContaining('6 of 6 dips') as string });
  expect(pictureText(outcomes[0])).toMatch(/^Throughput \(rows\/s\), repeat 1 over time: $/);
  const spans = at.map((second) => ({ from: second * 1_000, to: (second + 1) * 1_000 }));
  expect(outcomes[0]).toMatchObject({ picture: { bands: { label: 'dips', spans } } });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('a dip is counted once, however many seconds it lasts', () => {
  const { outcomes } = run(minute([10, 30, 50], [10, 11, 30, 31, 50, 51]), minute([20, 40], [20, 21, 40, 41], 2));
  expect(outcomes[0]).toMatchObject({ status: 'shown', claim: expect.stringContaining('5 of 5 dips') as string });
});

test('work that the server timed itself counts as well', () => {
  const trial = minute([], [10, 30, 50]);
  const samples = trial.samples!.map((sample, i) => ({
    ...sample,
    ...([11, 31, 51].includes(i) && { events: [{ kind: 'DataSync', agoMs: 800, durationMs: 500, bytes: null }] }),
  }));
  const { outcomes } = judged(checkpointDips, {
    cells: [{ trials: [{ ...trial, samples }, minute([], [], 2)] }],
    probeInfo,
  });
  expect(outcomes[0]).toMatchObject({ status: 'shown', claim: expect.stringContaining('DataSync') as string });
});

/** A minute whose server paused for so many ms in each of these seconds, and for `usual` ms in all others. */
function paused(pauses: readonly number[], dips: readonly number[], { ms = 300, usual = 5, seed = 1 } = {}) {
  let total = 7;
  return {
    ...minute([], dips, seed),
    samples: Array.from({ length: 61 }, (_, i) => {
      if (i > 0) total += pauses.includes(i - 1) ? ms : usual;
      return { counters: { gc_pauses: total } };
    }),
  };
}
const pausing = (...trials: readonly SmallTrial[]) =>
  judged(checkpointDips, {
    cells: [{ trials }],
    probeInfo: { gc_pauses: { unit: 'ms', label: 'Pauses', role: 'collectionPauses' } },
  });

test('dips at long pauses for garbage collection are named, with advice about the heap', () => {
  const at = [5, 15, 25, 35, 45, 55];
  const { facts, outcomes } = pausing(paused(at, at));
  expect(outcomes[0]).toMatchObject({
    status: 'shown',
    claim: expect.stringContaining('6 of 6 dips came within 500\u00a0ms of Pauses') as string,
    advice: expect.stringContaining('heap') as string,
  });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
});

test('pauses explain no dips where they are short, come at other times, or come all the time', () => {
  const outcome = (...trials: readonly SmallTrial[]) => pausing(...trials).outcomes[0];
  expect(outcome(paused([5, 20, 40], [5, 20, 40], { ms: 60 }))).toMatchObject({ status: 'cannotTell' });
  expect(outcome(paused([5, 20, 40], [12, 30, 50]))).toMatchObject({ status: 'notShown' });
  expect(outcome(paused([], [5, 20, 40], { usual: 150 }))).toMatchObject({ status: 'cannotTell' });
});

test('silent where dips come at other times, are too few, or checkpoints never end', () => {
  const outcome = (...trials: readonly SmallTrial[]) => run(...trials).outcomes[0];
  expect(outcome(minute([5, 20, 40], [12, 30, 50]))).toMatchObject({ status: 'notShown' });
  expect(outcome(minute([5, 20], [5, 20]))).toMatchObject({ status: 'notShown' });
  expect(outcome(minute([5, 20, 40], []))).toMatchObject({ status: 'notShown' });
  expect(
    outcome(
      minute(
        Array.from({ length: 60 }, (_, i) => i),
        [5, 20, 40],
      ),
    ),
  ).toMatchObject({ status: 'cannotTell' });
  expect(outcome(minute([], [5, 20, 40]))).toMatchObject({ status: 'cannotTell' });
  expect(outcome({ perSecond: [1, 1, 1] })).toMatchObject({ status: 'cannotTell' });
});

test('dips at random times are rarely claimed to be of checkpoints', () => {
  const random = new Sfc32(4, 4);
  const some = (count: number) => Array.from({ length: count }, () => random.below(60));
  let claims = 0;
  for (let i = 0; i < 60; i++) if (run(minute(some(6), some(6), i)).outcomes[0]?.status === 'shown') claims++;
  // The rule may be wrong in one run of a hundred by chance.
  expect(claims).toBeLessThanOrEqual(3);
});
