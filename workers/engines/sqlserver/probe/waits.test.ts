import { expect, test } from 'vitest';
import { waitTotals } from './waits.ts';

const row = (name: string, count: number, ms: number, longest_ms: number) => ({ name, count, ms, longest_ms });

test('waits have the longest since the server started, in the classes of its other figures', () => {
  expect(waitTotals([row('WRITELOG', 63, 4_100, 118), row('PAGELATCH_EX', 900, 3_900, 41)])).toEqual([
    { name: 'WRITELOG', class: 'Log', count: 63, totalUs: 4_100_000, longestUs: 118_000 },
    { name: 'PAGELATCH_EX', class: 'Latch', count: 900, totalUs: 3_900_000, longestUs: 41_000 },
  ]);
});

// Idle waits of a SQL Server 2022 without users, and waits of its users.
test.each([
  ['SLEEP_TASK', 'SLEEP_SYSTEMTASK', 'LAZYWRITER_SLEEP', 'SQLTRACE_INCREMENTAL_FLUSH_SLEEP', 'XE_TIMER_EVENT'],
  ['XE_DISPATCHER_WAIT', 'REQUEST_FOR_DEADLOCK_SEARCH', 'LOGMGR_QUEUE', 'CHECKPOINT_QUEUE', 'DIRTY_PAGE_POLL'],
  ['HADR_FILESTREAM_IOMGR_IOCOMPLETION', 'QDS_PERSIST_TASK_MAIN_LOOP_SLEEP', 'SOS_WORK_DISPATCHER', 'WAITFOR'],
  ['SP_SERVER_DIAGNOSTICS_SLEEP', 'BROKER_TASK_STOP', 'BROKER_EVENTHANDLER', 'DISPATCHER_QUEUE_SEMAPHORE'],
])('%s and the like are idle', (...names) => {
  expect(waitTotals(names.map((name) => row(name, 5, 5_000, 1_000)))).toEqual([]);
});

test('waits of users are kept', () => {
  const names = ['ASYNC_NETWORK_IO', 'CXPACKET', 'HADR_SYNC_COMMIT', 'THREADPOOL', 'RESOURCE_SEMAPHORE', 'WRITELOG'];
  const more = ['MEMORY_ALLOCATION_EXT', 'PREEMPTIVE_OS_WRITEFILE', 'LCK_M_X', 'SOS_SCHEDULER_YIELD', 'LOGBUFFER'];
  const rows = [...names, ...more].map((name) => row(name, 1, 1, 1));
  expect(waitTotals(rows).map(({ name }) => name)).toEqual([...names, ...more]);
});
