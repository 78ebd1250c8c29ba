import type { UuidOrder } from './uuid-order.ts';

/** Bytes of a uuid in text order, the most significant first, as `System.Data.SqlTypes.SqlGuid` compares them. */
const significance: Readonly<Record<UuidOrder, readonly number[]>> = {
  bytes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  lastSixBytesFirst: [10, 11, 12, 13, 14, 15, 8, 9, 7, 6, 5, 4, 3, 2, 1, 0],
};

/** Negative if the first of two uuids, as text, sorts before the second. */
export function compareUuids(order: UuidOrder, first: string, second: string): number {
  const bytesOf = (text: string) => {
    const digits = text.replaceAll('-', '');
    return significance[order].map((at) => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16));
  };
  const [a, b] = [bytesOf(first), bytesOf(second)];
  const differs = a.findIndex((byte, i) => byte !== b[i]);
  return differs < 0 ? 0 : a[differs]! - b[differs]!;
}

/** Sixteen uuids of 32 hexadecimal digits that ascend only in this order. */
export const ascendingUuids = (order: UuidOrder): readonly string[] =>
  Array.from({ length: 16 }, (_, i) => {
    const bytes = new Array<string>(16).fill('40');
    for (const [rank, at] of significance[order].entries())
      if (rank >= 15 - i) bytes[at] = rank === 15 - i ? 'c0' : '00';
    return bytes.join('');
  });
