import { Long } from 'mongodb';
import { expect, test } from 'vitest';
import { waitOf } from './probe.ts';
import { createLogWait, probeInfo, readStatus, sources } from './probe-info.ts';

test('every counter has one name and one place', () => {
  const names = sources.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  const places = sources.map(({ path }) => path.join('/'));
  expect(places).toEqual([...new Set(places)]);
  for (const { name } of sources) expect(probeInfo[name]?.label).toBeTruthy();
});

test('numbers of every kind are read, and what a version does not have is left out', () => {
  const { counters, gauges } = readStatus({
    opcounters: { insert: 7, query: Long.fromNumber(2 ** 40) },
    locks: { Collection: { timeAcquiringMicros: { r: 30, w: 12 } } },
    globalLock: { currentQueue: { readers: 3 } },
    wiredTiger: { log: { 'log bytes written': 'n/a' } },
  });
  expect(counters).toEqual({ op_insert: 7, op_query: 2 ** 40, lock_time: 42, global_lock_time: 0 });
  expect(gauges).toEqual({ queued_readers: 3 });
});

test('the time in the log is the wait for a write concern, or the sync that a session waits for, and never both', () => {
  const logWait = createLogWait();
  const at = (concernMs: number, syncMs: number) =>
    logWait({ write_concern_time: concernMs, journal_sync_time: syncMs * 1_000 });
  expect(at(5_000, 3_000)).toEqual({ log_wait_time: 0 });
  expect(at(5_900, 3_400)).toEqual({ log_wait_time: 900 });
  expect(at(5_900, 3_700)).toEqual({ log_wait_time: 1_200 });
  expect(at(0, 0), 'the server began anew').toEqual({ log_wait_time: 1_200 });
  expect(logWait({ journal_sync_time: 7 })).toEqual({});
  const timed = Object.entries(probeInfo).filter(([, { class: of, unit }]) => of === 'log' && unit !== 'count');
  expect(timed.map(([name]) => name)).toEqual(['log_wait_time']);
});

test('what an operation waits for', () => {
  expect(waitOf({ waitingForLock: true, locks: { Global: 'w', Collection: 'w' } })).toBe('wait:Lock:Collection');
  expect(waitOf({ waitingForFlowControl: true })).toBe('wait:FlowControl:ticket');
  expect(waitOf({ currentQueue: { name: 'execution' } })).toBe('wait:Queue:execution');
  expect(waitOf({ writeConflicts: 12, currentQueue: null })).toBe('wait:WriteConflict:document');
  expect(waitOf({ waitForWriteConcernDurationMillis: 0, waitingForLock: false })).toBe(
    'wait:WriteConcern:acknowledgement',
  );
  expect(waitOf({ writeConflicts: 0, waitingForLock: false })).toBe('running');
});
