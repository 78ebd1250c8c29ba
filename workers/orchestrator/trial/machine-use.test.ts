import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type MachineReading,
  machineUse,
  pressureMs,
  processReading,
  readMachine,
  throttledMs,
} from './machine-use.ts';

const reading = (more: Partial<MachineReading> = {}): MachineReading => ({
  atMs: 0,
  cores: 2,
  busyMs: 0,
  stealMs: 0,
  pressureMs: null,
  throttledMs: null,
  frequencyMhz: null,
  processes: null,
  ...more,
});
const stat = (name: string, parent: number, ticks: number, startedAt = 5) =>
  `7 (${name}) R ${parent} 7 7 0 -1 0 0 0 0 0 ${ticks} 10 0 0 20 0 1 0 ${startedAt} 0`;
const one = (name: string, parent: number, ticks: number, startedAt = 5) =>
  processReading(stat(name, parent, ticks, startedAt))!;

test('a process is read from its line, whatever its name', () => {
  expect(one('a) R (b', 3, 90)).toEqual({ name: 'a) R (b', parent: 3, startedAt: 5, cpuMs: 1_000 });
  expect(processReading(null)).toBeNull();
  expect(processReading('7 (x)')).toBeNull();
});

test('pressure and throttling are read in their units', () => {
  expect(pressureMs('some avg10=0.00 avg60=0.00 avg300=0.00 total=1500\nfull avg10=0.00 total=9\n')).toBe(1.5);
  expect(throttledMs('usage_usec 4\nnr_throttled 2\nthrottled_usec 2500\n')).toBe(2.5);
  expect(throttledMs('nr_periods 1\nnr_throttled 2\nthrottled_time 2500000\n')).toBe(2.5);
  expect([pressureMs(null), throttledMs('usage_usec 4\n')]).toEqual([null, null]);
});

test('programs beside Dyno are named by what they used meanwhile, its own are not', () => {
  const before = new Map([
    [10, one('dyno', 1, 0)],
    [11, one('worker', 10, 0)],
    [20, one('busy', 1, 1_000)],
    [21, one('busy', 1, 0)],
    [30, one('idle', 1, 500)],
    [40, one('earlier', 1, 9_000)],
  ]);
  const after = new Map([
    [10, one('dyno', 1, 500)],
    [11, one('worker', 10, 500)],
    [20, one('busy', 1, 1_100)],
    [21, one('busy', 1, 60)],
    [30, one('idle', 1, 500)],
    // The same id, another process: all of its time is new.
    [40, one('later', 1, 40, 900)],
  ]);
  const use = machineUse(
    reading({ processes: before }),
    reading({ atMs: 2_000, busyMs: 3_000, stealMs: 100, processes: after }),
    10,
  );
  expect(use).toMatchObject({ wallMs: 2_000, cores: 2, busyMs: 3_000, stealMs: 100, pressureMs: null });
  expect(use.others).toEqual([
    { name: 'busy', processes: 2, pid: 20, cpuMs: 1_600 },
    { name: 'later', processes: 1, pid: 40, cpuMs: 500 },
  ]);
});

test('what a system does not tell is not known', () => {
  const silent = reading({ stealMs: null });
  expect(machineUse(silent, silent, 1)).toMatchObject({ stealMs: null, throttledMs: null, others: null });
});

test.runIf(process.platform === 'linux')('a busy loop on this machine is found', async () => {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    const before = readMachine();
    // By the processor time that the loop has had, however busy the machine is.
    const usedMs = () => readMachine().processes!.get(loop.pid!)!.cpuMs;
    const start = usedMs();
    while (usedMs() < start + 200) await sleep(50);
    // It is a child of this process: seen from another one it is foreign.
    const { others, busyMs } = machineUse(before, readMachine(), -1);
    expect(busyMs).toBeGreaterThanOrEqual(150);
    expect(others!.length).toBeGreaterThan(0);
    expect(machineUse(before, readMachine(), process.pid).others!.map(({ pid }) => pid)).not.toContain(loop.pid);
  } finally {
    loop.kill('SIGKILL');
  }
});
