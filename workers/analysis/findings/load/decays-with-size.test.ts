import { describe, expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Settings } from '#model/settings/settings.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import type { Series } from '../shared/picture.ts';
import { judged, mistakesOf, type SmallRun } from '../shared/small-run.fixture.ts';
import { decaysWithSize } from './decays-with-size.ts';

/** Rows in each of 30 seconds: exp(−fall × rows), with noise. */
function falling(first: number, perRow: number, seed: number, noise = 0.05): readonly number[] {
  const random = new Sfc32(seed, 3);
  let rows = 0;
  return Array.from({ length: 30 }, () => {
    const rate = Math.round(first * Math.exp(-perRow * rows) * (1 + noise * (random.unit() + random.unit() - 1)));
    rows += rate;
    return rate;
  });
}
const run = (trials: readonly (readonly number[])[], more: Partial<SmallRun> = {}) =>
  judged(decaysWithSize, { cells: [{ trials: trials.map((perSecond) => ({ perSecond })) }], ...more });

/** Throughput halves over 500,000 rows. */
const halving = Math.log(2) / 500_000;

test('a rate that falls with the rows is found, by how much, over repeats and within a single trial', () => {
  for (const seeds of [[1, 2, 3], [4]]) {
    const { facts, outcomes } = run(seeds.map((seed) => falling(30_000, halving, seed)));
    const [outcome] = outcomes;
    expect(outcome).toMatchObject({ status: 'shown', confidence: 'possible' });
    const [change] = outcome?.status === 'shown' ? outcome.evidence : [];
    // The throughput after n rows is exp(−halving × n).
    const rows = falling(30_000, halving, seeds[0]!, 0).reduce((sum, one) => sum + one, 0);
    expect(change?.value).toBeCloseTo(Math.expm1(-halving * rows), 1);
    expect(pictureText(outcome)).toMatch(/^Throughput \(rows\/s\), repeat 1 over rows done: $/);
    const { points } = (outcome as { picture: Series }).picture;
    expect([points[0]!.x, points.length]).toEqual([falling(30_000, halving, seeds[0]!)[0], 30]);
    expect(mistakesOf(facts, outcome)).toEqual([]);
  }
});

test('likely where the key is random and more and more pages are read for a row', () => {
  const perSecond = falling(30_000, halving, 1);
  let read = 0;
  const samples = [0, ...perSecond].map((rows, i) => {
    read += rows * (i / 30);
    return { counters: { read } };
  });
  const { facts, outcomes } = judged(decaysWithSize, {
    cells: [{ trials: [{ perSecond, samples }] }],
    probeInfo: { read: { unit: 'count', label: 'Pages read', role: 'pagesRead' } },
  });
  expect(outcomes[0]).toMatchObject({ status: 'shown', confidence: 'likely' });
  expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  const edits = outcomes[0]?.status === 'shown' ? outcomes[0].confirm?.edits : [];
  expect(edits).toContainEqual({ path: ['workload', 'keyKind'], value: 'uuid7' });
});

test('without an index meanwhile the order of random keys is not why', () => {
  for (const keyCreation of ['none', 'afterLoad'] as const) {
    const cells = [{ settings: { keyCreation }, trials: [{ perSecond: falling(30_000, halving, 1) }] }];
    const [outcome] = run([], { cells }).outcomes;
    expect(outcome).toMatchObject({ status: 'shown', confidence: 'possible' });
    expect(outcome).not.toMatchObject({ claim: expect.stringContaining('index') as string });
    expect(outcome).not.toMatchObject({ advice: expect.stringContaining('keys') as string });
  }
});

describe('the engine decides which uuids are ascending', () => {
  const last = { implementation: 'the last six bytes first', order: 'lastSixBytesFirst' } as const;
  const found = (keyKind: Settings['keyKind'], uuids: EngineDescriptor['uuids']) => {
    const cells = [{ settings: { keyKind }, trials: [{ perSecond: falling(30_000, halving, 1) }] }];
    const [outcome] = run([], { cells, descriptor: { uuids } }).outcomes;
    if (outcome?.status !== 'shown') throw new Error('Nothing is found.');
    return outcome;
  };
  const first = { implementation: 'the first byte first', order: 'bytes' } as const;

  test.each(['inherit', 'uuid4'] as const)('uuid7 is not advised against %s where it is as random', (keyKind) => {
    const { claim, advice, confirm } = found(keyKind, last);
    expect(claim).toContain('The key id is a random uuid');
    expect(advice).toContain('uuidSequential, a sequence, but not uuid7');
    expect(confirm?.edits).toContainEqual({ path: ['workload', 'keyKind'], value: 'uuidSequential' });
  });

  test('uuid7 is a random key on one engine, and none on another', () => {
    expect(found('uuid7', last).claim).toContain(
      'The key id is a uuid7, whose random bytes this engine compares before its time',
    );
    const { claim, advice } = found('uuid7', first);
    expect(claim).not.toContain('The key id');
    expect(advice).not.toContain('uuid');
  });

  test('a sequential uuid in the order of another engine is random, and a key that the server makes is not', () => {
    const columns = { id: { type: 'uuidSequential', order: 'bytes' } };
    const trials = [{ perSecond: falling(30_000, halving, 1) }];
    const claimOf = (more: Partial<SmallRun>) => {
      const [outcome] = run([], { cells: [{ trials }], ...more }).outcomes;
      return outcome?.status === 'shown' ? outcome.claim : '';
    };
    expect(claimOf({ columns, descriptor: { uuids: last } })).toContain('The key id is a uuidSequential, whose random');
    expect(claimOf({ columns, descriptor: { uuids: first } })).not.toContain('The key id');
    const table = { name: 'table', label: '', help: '', defaultValue: 'own', serverKeys: ['own'] };
    expect(claimOf({})).toContain('The key id is a random uuid');
    expect(claimOf({ descriptor: { options: [table] } })).toMatch(/^Inserts become slower(?!.*The key)/);
  });

  test.each(['uuidSequential', 'sequence'] as const)('%s is never called random', (keyKind) => {
    for (const uuids of [first, last]) expect(found(keyKind, uuids).claim).not.toContain('The key id');
  });
});

test('silent where it is flat, only noisy, too short, or the table does not grow', () => {
  const status = (...args: Parameters<typeof run>) => run(...args).outcomes[0]?.status;
  for (let seed = 1; seed <= 20; seed++)
    expect(status([falling(30_000, 0, seed, 0.3)]), `seed ${seed}`).toBe('notShown');
  expect(status([falling(30_000, -halving / 10, 1)])).toBe('notShown');
  expect(status([falling(30_000, halving, 1).slice(0, 9)])).toBe('cannotTell');
  const updates = [
    { settings: { operation: 'update' as const }, trials: [{ perSecond: falling(30_000, halving, 1) }] },
  ];
  expect(status([], { cells: updates })).toBe('notShown');
});
