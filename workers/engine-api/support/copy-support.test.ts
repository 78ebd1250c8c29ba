import { expect, test } from 'vitest';
import { copySupport } from './copy-support.ts';

const insert = {
  prepared: { implementation: 'INSERT', maxRowsPerCall: 1 },
  bulk: { implementation: 'COPY', maxRowsPerCall: 9, uses: ['bulkFormat'] },
  pipelined: { implementation: 'INSERTs', maxRowsPerCall: 1, needs: { driver: 'other' } },
  batch: { implementation: 'INSERTs in a message', maxRowsPerCall: 1, batches: true },
  serverLoop: { implementation: 'a loop', maxRowsPerCall: 9, serverData: true },
} as const;

test('what inserts rows of the client’s copies, with the options of fetching', () => {
  const cells = copySupport('SELECT', insert);
  expect(Object.keys(cells)).toEqual(['prepared', 'bulk', 'pipelined']);
  expect(cells.bulk).toEqual({ implementation: 'SELECT; COPY', maxRowsPerCall: 9, uses: ['bulkFormat', 'fetchSize'] });
});

test('what reading needs is needed by each, and excludes what needs another', () => {
  const cells = copySupport('SELECT', insert, { driver: 'one' });
  expect(Object.keys(cells)).toEqual(['prepared', 'bulk']);
  expect(cells.prepared?.needs).toEqual({ driver: 'one' });
});
