import { expect, test } from 'vitest';
import type { Suite } from './suite.ts';

export function testCells(suite: Suite): void {
  const { descriptor } = suite;
  test('every cell says what it really is', () => {
    for (const cells of Object.values(descriptor.support)) {
      for (const cell of Object.values(cells)) {
        expect(cell.implementation.length).toBeGreaterThan(8);
        expect(cell.maxRowsPerCall).toBeGreaterThanOrEqual(1);
      }
    }
  });
}
