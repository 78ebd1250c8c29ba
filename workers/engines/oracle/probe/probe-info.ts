import type { ProbeInfo } from '#engine-api/probe.ts';
import { waits } from '#engine-api/probe-info.ts';
import type { ProbeRole, ResourceClass } from '#model/resource.ts';
import { events, sessionStatistics, statistics } from './probe-sources.ts';

const units: Readonly<Record<string, ProbeInfo['unit']>> = {
  redo_size: 'bytes',
  redo_write_time: 'ms',
  redo_synch_time: 'us',
  bytes_sent: 'bytes',
  bytes_received: 'bytes',
  cpu_time: 'ms',
  db_time: 'ms',
  physical_read_bytes: 'bytes',
  physical_write_bytes: 'bytes',
};

/** The server counts these in hundredths of a second. */
const hundredths = ['redo_write_time', 'cpu_time', 'db_time'];
/** A statistic's value in the unit of its counter. */
export const inUnit = (counter: string, value: number): number => (hundredths.includes(counter) ? value * 10 : value);

export const runCounter = (statistic: string): string => `run_${statistics[statistic]}`;

/** Counters of the whole instance; they include the run's sessions. LGWR syncs the log with each of its writes. */
const roles: Readonly<Record<string, ProbeRole>> = {
  redo_size: 'logBytes',
  redo_writes: 'logFlushes',
  user_commits: 'commits',
  user_rollbacks: 'rollbacks',
  parse_count_total: 'parses',
  parse_count_hard: 'hardParses',
  execute_count: 'executions',
  roundtrips: 'roundTrips',
  bytes_sent: 'bytesSent',
  bytes_received: 'bytesReceived',
  enqueue_deadlocks: 'deadlocks',
  physical_reads: 'pagesRead',
  logical_reads: 'pagesExamined',
  leaf_node_splits: 'pageSplits',
  checkpoints: 'checkpoints',
};

/**
 * What sessions wait for. Not LGWR's own "log file parallel write", which is within their "log file sync". Index
 * contention is a wait for a block that is being split (Oracle's class Concurrency), though it is an enqueue.
 */
const eventClasses: Readonly<Record<string, ResourceClass>> = {
  log_file_sync: 'log',
  log_buffer_space: 'log',
  log_file_switch: 'log',
  log_file_switch_checkpoint: 'log',
  db_file_sequential_read: 'dataIo',
  db_file_scattered_read: 'dataIo',
  direct_path_read: 'dataIo',
  direct_path_write: 'dataIo',
  free_buffer: 'dataIo',
  buffer_busy: 'latch',
  cache_buffers_chains: 'latch',
  library_cache_mutex: 'latch',
  cursor_pin: 'latch',
  tx_index_contention: 'latch',
  tx_row_lock: 'lock',
  tm_lock: 'lock',
  more_data_from_client: 'network',
  more_data_to_client: 'network',
};

const statisticInfo = Object.entries(statistics).flatMap(([name, counter]) => {
  const unit = units[counter] ?? 'count';
  const label = name.replace(' (usec)', '');
  const role = roles[counter];
  const info: ProbeInfo = {
    unit,
    label: `${label}, whole instance`,
    ...(role && { role }),
    // DB time holds waits, too, and redo times are within those for the log.
    ...(counter === 'cpu_time' && { class: 'cpu' }),
  };
  const whole = [counter, info] as const;
  return sessionStatistics.includes(name)
    ? [whole, [runCounter(name), { unit, label: `${label}, sessions of this run` }] as const]
    : [whole];
});

const eventInfo = Object.entries(events).flatMap(([event, name]) => {
  const ofClass = eventClasses[name];
  return [
    [`${name}_waits`, { unit: 'count', label: `Waits for ${event}` }] as const,
    [`${name}_time`, { unit: 'us', label: `Time waited for ${event}`, ...(ofClass && { class: ofClass }) }] as const,
  ];
});

/** Reference, "Classes of Wait Events", and those of their events that are something else here. */
const waitInfo: Readonly<Record<string, ProbeInfo>> = {
  'wait:Commit:*': waits('Committing: waiting for the log', 'log'),
  'wait:Configuration:*': waits('Waiting for configured space', 'other'),
  'wait:Configuration:log *': waits('Waiting for space in the log', 'log'),
  'wait:Configuration:free buffer waits': waits('Waiting for a free buffer', 'dataIo'),
  'wait:Application:*': waits('Waiting for locks', 'lock'),
  'wait:Concurrency:*': waits('Waiting for structures in memory', 'latch'),
  'wait:User I/O:*': waits('Waiting for data files', 'dataIo'),
  'wait:System I/O:*': waits('Waiting for other files', 'dataIo'),
  'wait:System I/O:log *': waits('Waiting for the log', 'log'),
  'wait:Network:*': waits('Sending to or reading from the client', 'network'),
  'wait:Idle:*': waits('Waiting for the client', 'client'),
  'wait:Scheduler:*': waits('Waiting for a processor that the resource manager withholds', 'cpu'),
  'wait:*': waits('Other waits', 'other'),
};

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...Object.fromEntries([...statisticInfo, ...eventInfo]),
  sessions: { unit: 'count', label: 'Sessions of this run' },
  active: { unit: 'count', label: 'Sessions in a call' },
  running: waits('Sessions on CPU, waiting for nothing', 'cpu'),
  ...waitInfo,
};
