import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type MachineReading,
  MachineWatch,
  machineUse,
  type OwnProcesses,
  pressureMs,
  processReading,
  readMachine,
} from './machine-use.ts';

const reading = (more: Partial<MachineReading> = {}): MachineReading => ({
  atMs: 0,
  cores: 2,
  busyMs: 0,
  stealMs: 0,
  pressureMs: null,
  groups: new Map(),
  processes: null,
  ...more,
});
const dynoAlone = (dyno: number): OwnProcesses => ({ dyno, managedServers: [] });
const stat = (name: string, parent: number, ticks: number, startedAt = 5) =>
  `7 (${name}) R ${parent} 7 7 0 -1 0 0 0 0 0 ${ticks} 10 0 0 20 0 1 0 ${startedAt} 0`;
const one = (name: string, parent: number, ticks: number, startedAt = 5) =>
  processReading(stat(name, parent, ticks, startedAt))!;

test('a process is read from its line, whatever its name', () => {
  expect(one('a) R (b', 3, 90)).toEqual({ name: 'a) R (b', parent: 3, startedAt: 5, cpuMs: 1_000 });
  expect(processReading(null)).toBeNull();
  expect(processReading('7 (x)')).toBeNull();
});

test('pressure is read in ms', () => {
  expect(pressureMs('some avg10=0.00 avg60=0.00 avg300=0.00 total=1500\nfull avg10=0.00 total=9\n')).toBe(1.5);
  expect(pressureMs(null)).toBeNull();
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
    // The id is the same but the process is another one, so all of its time is new.
    [40, one('later', 1, 40, 900)],
  ]);
  const use = machineUse(
    reading({ processes: before }),
    reading({ atMs: 2_000, busyMs: 3_000, stealMs: 100, processes: after }),
    dynoAlone(10),
  );
  expect(use).toMatchObject({ wallMs: 2_000, cores: 2, busyMs: 3_000, stealMs: 100, pressureMs: null });
  expect(use).toMatchObject({ dynoMs: 10_000, managedServersMs: 0 });
  expect(use.others).toEqual([
    { name: 'busy', processes: 2, pid: 20, cpuMs: 1_600 },
    { name: 'later', processes: 1, pid: 40, cpuMs: 500 },
  ]);
});

test('a managed server and all that it has started are Dyno’s, whoever is their parent', () => {
  const before = new Map([
    [10, one('dyno', 1, 0)],
    // A supervisor whose starter has ended, its server, and one of the server's processes.
    [20, one('node', 1, 0)],
    [21, one('postgres', 20, 0)],
    [22, one('postgres', 21, 0)],
    // A supervisor that this process has started itself.
    [30, one('node', 10, 0)],
    [31, one('mariadbd', 30, 0)],
    [40, one('postgres', 1, 0)],
  ]);
  const after = new Map([...before].map(([pid, { name, parent }]) => [pid, one(name, parent, pid)]));
  const use = machineUse(reading({ processes: before }), reading({ atMs: 1_000, processes: after }), {
    dyno: 10,
    managedServers: [20, 21, 30],
  });
  expect(use.dynoMs).toBe(100);
  expect(use.managedServersMs).toBe(200 + 210 + 220 + 300 + 310);
  // Dyno does not know of this server.
  expect(use.others).toEqual([{ name: 'postgres', processes: 1, pid: 40, cpuMs: 400 }]);
});

test('of control groups within each other the one that lost most counts, and the lowest limit', () => {
  const noMemory = { memoryLimitBytes: null, memoryBytes: null };
  const groups = (own: number, parent: number) =>
    new Map([
      ['/own', { limitCores: null, throttledMs: own, ...noMemory }],
      ['/', { limitCores: 1.5, throttledMs: parent, ...noMemory }],
      ['/root', { limitCores: null, throttledMs: null, ...noMemory }],
    ]);
  const use = machineUse(reading({ groups: groups(5, 100) }), reading({ groups: groups(5, 400) }), dynoAlone(1));
  expect(use).toMatchObject({ throttledMs: 300, limitCores: 1.5 });
});

test('what a system does not tell is not known', () => {
  const silent = reading({ stealMs: null });
  expect(machineUse(silent, silent, dynoAlone(1))).toMatchObject({
    stealMs: null,
    throttledMs: null,
    limitCores: null,
    frequencyMhz: null,
    dynoMs: null,
    others: null,
  });
});

test('the frequency is the mean of what was read meanwhile', () => {
  expect(machineUse(reading(), reading(), dynoAlone(1), [3_000, 2_000, 1_000])).toMatchObject({ frequencyMhz: 2_000 });
});

test('a watch that did not begin tells nothing, and one that has ended reads nothing more', () => {
  using watch = new MachineWatch();
  expect(watch.end(dynoAlone(process.pid))).toBeNull();
  watch.begin();
  const use = watch.end(dynoAlone(process.pid))!;
  expect(use.cores).toBeGreaterThan(0);
  expect(use.calculationUs).toBeGreaterThan(0);
});

test.runIf(process.platform === 'linux')('a busy loop on this machine is found', async () => {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  try {
    const before = readMachine();
    // The loop ends after a fixed processor time, however busy the machine is.
    const usedMs = () => readMachine().processes!.get(loop.pid!)!.cpuMs;
    const start = usedMs();
    while (usedMs() < start + 200) await sleep(50);
    // It is a child of this process, but foreign to another process.
    const { others, busyMs } = machineUse(before, readMachine(), dynoAlone(-1));
    expect(busyMs).toBeGreaterThanOrEqual(150);
    expect(others!.length).toBeGreaterThan(0);
    expect(machineUse(before, readMachine(), dynoAlone(process.pid)).others!.map(({ pid }) => pid)).not.toContain(
      loop.pid,
    );
  } finally {
    loop.kill('SIGKILL');
  }
});

test.runIf(process.platform === 'linux')('arguments in the name of a process are not recorded', async () => {
  const code = 'process.title = "tool --key=x"; console.log("ready"); setInterval(() => {}, 1_000);';
  const tool = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(tool.stdout, 'data');
    expect(readMachine().processes!.get(tool.pid!)!.name).toBe('node');
  } finally {
    tool.kill('SIGKILL');
  }
});
