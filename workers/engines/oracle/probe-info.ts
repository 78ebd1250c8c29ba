import type { ProbeInfo } from '#contract/engine.ts';
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

const statisticInfo = Object.entries(statistics).flatMap(([name, counter]) => {
  const unit = units[counter] ?? 'count';
  const label = name.replace(' (usec)', '');
  const whole = [counter, { unit, label: `${label}, whole instance` }] as const;
  return sessionStatistics.includes(name)
    ? [whole, [runCounter(name), { unit, label: `${label}, sessions of this run` }] as const]
    : [whole];
});

const eventInfo = Object.entries(events).flatMap(([event, name]) => [
  [`${name}_waits`, { unit: 'count', label: `Waits for ${event}` }] as const,
  [`${name}_time`, { unit: 'us', label: `Time waited for ${event}` }] as const,
]);

export const probeInfo: Readonly<Record<string, ProbeInfo>> = {
  ...Object.fromEntries([...statisticInfo, ...eventInfo]),
  sessions: { unit: 'count', label: 'Sessions of this run' },
  active: { unit: 'count', label: 'Sessions in a call' },
  running: { unit: 'count', label: 'Sessions on CPU, waiting for nothing' },
};
