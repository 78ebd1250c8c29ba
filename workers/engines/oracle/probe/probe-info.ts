import type { ProbeInfo } from '#engine-api/probe.ts';
import { count, us, waits } from '#engine-api/probe-info.ts';
import { events, statistics } from './probe-sources.ts';

/** Converts a statistic's value to the unit of its counter. */
export const inUnit = (statistic: string, value: number): number =>
  statistics[statistic]?.isHundredths ? value * 10 : value;

export const runCounter = (statistic: string): string => `run_${statistics[statistic]!.counter}`;

const statisticInfo = Object.entries(statistics).flatMap(([name, { counter, role, isHundredths, ...statistic }]) => {
  const unit = isHundredths ? 'ms' : (statistic.unit ?? 'count');
  const label = name.replace(' (usec)', '');
  const info: ProbeInfo = {
    unit,
    label: `${label}, whole instance`,
    ...(role && { role }),
    ...(statistic.class && { class: statistic.class }),
  };
  const whole = [counter, info] as const;
  return statistic.isOfSessions
    ? [whole, [runCounter(name), { unit, label: `${label}, sessions of this run` }] as const]
    : [whole];
});

const eventInfo = Object.entries(events).flatMap(([event, { counter, class: ofClass }]) => [
  [`${counter}_waits`, count(`Waits for ${event}`)] as const,
  [`${counter}_time`, us(`Time waited for ${event}`, ofClass)] as const,
]);

/** The classes of wait events (Reference, "Classes of Wait Events"), and events with another class here. */
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
