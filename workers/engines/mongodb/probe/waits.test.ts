import { expect, test } from 'vitest';
import { waitTotals } from './waits.ts';

// Parts of an answer of MongoDB 8.0 to serverStatus.
const status = {
  locks: {
    Global: { acquireCount: { r: 90n, w: 12 } },
    Collection: {
      acquireCount: { r: 80, w: 12, W: 3 },
      acquireWaitCount: { w: 4, W: 1 },
      timeAcquiringMicros: { w: 1_200, W: 900 },
    },
  },
  queues: { execution: { write: { normalPriority: { addedToQueue: 7, totalTimeQueuedMicros: 5_000 } } } },
  metrics: { getLastError: { wtime: { num: 2, totalMillis: 30 } } },
  wiredTiger: { log: { 'log sync operations': 11, 'log sync time duration (usecs)': 8_000 } },
};

test('locks, queues, the write concern and the journal are waits by resource and mode', () => {
  expect(waitTotals(status).map(({ name, class: of, count, totalUs }) => [name, of, count, totalUs])).toEqual([
    ['Collection, mode w', 'Lock', 4, 1_200],
    ['Collection, mode W', 'Lock', 1, 900],
    ['write ticket, normalPriority', 'Queue', 7, 5_000],
    ['log sync', 'Journal', 11, 8_000],
    ['write concern', 'WriteConcern', 2, 30_000],
  ]);
});

test.each([{}, { locks: 'no', queues: null }, { locks: { Global: { timeAcquiringMicros: { r: 5 } } } }, null, []])(
  'an answer without them has no waits: %j',
  (answer) => {
    expect(waitTotals(answer)).toEqual([]);
  },
);
