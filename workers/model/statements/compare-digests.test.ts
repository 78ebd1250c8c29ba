import { expect, test } from 'vitest';
import { compareDigests, compareDigestsAcross, type DigestedSide } from './compare-digests.ts';
import type { RowOrder } from './row-order.ts';

const settled: RowOrder = { keys: [], isLimited: false, skips: false, groups: false, moving: null, unsettled: null };

/** An answer of two columns, `id` and `city`; its "digests" are the values themselves. */
function side(
  rows: readonly (readonly [string, string])[],
  order: Partial<RowOrder> = {},
  more: { exact?: readonly boolean[]; columns?: readonly string[]; isNamed?: boolean; hasMore?: boolean } = {},
): DigestedSide {
  const { exact = [true, true], columns = ['id', 'city'], isNamed = false, hasMore = false } = more;
  const known = rows.map((row) => String(row.map((value, c) => (exact[c] ? value : 'n'))));
  return {
    answer: {
      ...{ columns, exact, count: rows.length, hasMore },
      digests: {
        ...{ set: rows.map(String).toSorted().join(), known: known.toSorted().join(), order: rows.join() },
        columns: [0, 1].map((c) => rows.map((row) => row[c]).join()),
      },
    },
    order: { ...settled, ...order },
    traits: { isNamed },
  };
}

const one = ['n1', 'sBonn'] as const;
const two = ['n2', 'sBonn'] as const;
const three = ['n3', 'sKiel'] as const;
const byCity = { keys: ['city'] } as const;

test('rows are equal as a set, and in their order as far as the sort keys determine it', () => {
  expect(compareDigests(side([one, two]), side([two, one]))).toEqual({ outcome: 'equal' });
  expect(compareDigests(side([one, two, three], byCity), side([two, one, three]))).toEqual({ outcome: 'equal' });
  expect(compareDigests(side([one, three], byCity), side([three, one]))).toMatchObject({
    ...{ outcome: 'differ', what: 'it returned the rows in another order' },
  });
  expect(compareDigests(side([one, two], { keys: ['city', null] }), side([two, one])).outcome).toBe('cannotTell');
});

test('other rows and other numbers of rows differ, unless the server had a choice', () => {
  expect(compareDigests(side([one]), side([three]))).toMatchObject({ what: 'it returned other rows' });
  expect(compareDigests(side([one, two]), side([one]))).toMatchObject({ what: 'it returned 1 row instead of 2' });
  for (const order of [{ isLimited: true }, { skips: true }, { groups: true }, { unsettled: 'row_number()' }])
    expect(compareDigests(side([one]), side([three], order)).outcome, JSON.stringify(order)).toBe('cannotTell');
  expect(compareDigests(side([one], { moving: 'random()' }), side([one])).outcome).toBe('cannotTell');
  expect(compareDigests(side([one], {}, { hasMore: true }), side([one], {}, { hasMore: true })).outcome).toBe(
    'cannotTell',
  );
});

test('numbers that may have rounding errors are a doubt, and the values beside them are not', () => {
  const rounded = { exact: [false, true] };
  expect(compareDigests(side([one], {}, rounded), side([two], {}, rounded)).outcome).toBe('cannotTell');
  expect(compareDigests(side([one], {}, rounded), side([three], {}, rounded)).outcome).toBe('differ');
  expect(compareDigests(side([one], {}, rounded), side([three])).outcome, 'another type').toBe('cannotTell');
});

test('fields of documents are compared by their names, and those of rows by their places', () => {
  const swapped = { columns: ['city', 'id'] };
  expect(compareDigests(side([one]), side([one], {}, swapped))).toEqual({ outcome: 'equal' });
  expect(compareDigests(side([one], {}, { isNamed: true }), side([one], {}, swapped)).outcome).toBe('cannotTell');
});

test('the types of two engines may explain other digests, and equal ones are equal', () => {
  expect(compareDigestsAcross(side([one]), side([one]))).toEqual({ outcome: 'equal' });
  expect(compareDigestsAcross(side([one]), side([three])).outcome).toBe('cannotTell');
});
