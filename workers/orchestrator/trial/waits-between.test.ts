import { describe, expect, test } from 'vitest';
import type { WaitTotal } from '#engine-api/waits.ts';
import { waitsBetween } from './waits-between.ts';

const total = (name: string, count: number, totalUs: number, more: Partial<WaitTotal> = {}): WaitTotal => ({
  ...{ name, class: 'IO', count, totalUs, longestUs: null },
  ...more,
});

describe('the waits of a trial', () => {
  test('are the differences of the totals, those with the most time first', () => {
    const before = [total('read', 10, 1_000), total('write', 5, 9_000), total('quiet', 3, 700)];
    const after = [total('read', 14, 9_000), total('write', 6, 10_000), total('quiet', 3, 700), total('new', 1, 400)];
    expect(waitsBetween(before, after)).toEqual({
      totalMs: 9.4,
      kinds: 3,
      most: [
        { name: 'read', class: 'IO', count: 4, totalMs: 8, longestMs: null },
        { name: 'write', class: 'IO', count: 1, totalMs: 1, longestMs: null },
        { name: 'new', class: 'IO', count: 1, totalMs: 0.4, longestMs: null },
      ],
    });
  });

  test('leave out totals that went back, because the server was restarted', () => {
    const after = [total('read', 3, 10), total('write', 12, 10), total('odd', Number.NaN, Number.NaN)];
    expect(waitsBetween([total('read', 10, 1_000), total('write', 5, 9_000)], after)).toEqual({
      ...{ totalMs: 0, kinds: 0, most: [] },
    });
  });

  test('have the longest wait if the longest since the start has grown, and else a bound of it', () => {
    const longest = (before: Partial<WaitTotal>, after: Partial<WaitTotal>) => {
      const [wait] = waitsBetween([total('w', 1, 1, before)], [total('w', 2, 2, after)]).most;
      return [wait?.longestMs, wait?.isBound];
    };
    expect(longest({ longestUs: 4_000 }, { longestUs: 9_000 })).toEqual([9, undefined]);
    expect(longest({ longestUs: 4_000 }, { longestUs: 4_000 })).toEqual([4, true]);
    expect(
      longest(
        { buckets: [[64, 1]] },
        {
          buckets: [
            [64, 1],
            [256, 1],
            [128, 3],
          ],
        },
      ),
    ).toEqual([0.256, true]);
    expect(longest({}, {})).toEqual([null, undefined]);
    // Both are bounds, and the lower one is the better.
    expect(longest({ longestUs: 9_000 }, { longestUs: 9_000, buckets: [[128, 1]] })).toEqual([0.128, true]);
  });

  test('have the buckets that have filled, in their order', () => {
    const before = [
      total('w', 3, 30, {
        buckets: [
          [8, 1],
          [16, 2],
        ],
      }),
    ];
    const after = [
      total('w', 9, 90, {
        buckets: [
          [32, 1],
          [16, 6],
          [8, 1],
          [0, 1],
        ],
      }),
    ];
    expect(waitsBetween(before, after).most[0]?.buckets).toEqual([
      [0.016, 4],
      [0.032, 1],
    ]);
  });

  test('are bounded, whatever a server answers', () => {
    const many = Array.from({ length: 300 }, (_, i) =>
      total(`w${i}`, 1, 10 + i, {
        buckets: Array.from({ length: 100 }, (_bucket, b) => [b + 1, 1] as const),
      }),
    );
    const { kinds, most, totalMs } = waitsBetween([], many);
    expect([kinds, most.length, most[0]?.name, most[0]?.buckets?.length]).toEqual([300, 50, 'w299', 64]);
    expect(totalMs).toBeCloseTo(many.reduce((sum, { totalUs }) => sum + totalUs, 0) / 1_000);
  });
});
