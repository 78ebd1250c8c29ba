import { expect, test } from 'vitest';
import { bytes, us } from '#engine-api/probe-info.ts';
import { variantText } from '#planning/variant-of.ts';
import { consumptionTable } from '#presentation/tables/server/consumption-table.ts';
import { type MadeRun, madeRun } from '../findings/shared/findings.fixture.ts';
import { machineUseOf } from '../run-model/journal-parts.fixture.ts';
import { consumptions } from './consumption.ts';

/** Each trial inserts about 1,000 rows a second for 10 s; the made-up rates vary a little. */
const rows = 10_000;
const used = (target: NonNullable<MadeRun['targets']>[number], result: object, repeats = 2) =>
  madeRun({ targets: [target], repeats, trial: () => ({ elapsedMs: 10_000, result }) });

const counters = {
  log: bytes('Log', 'logBytes'),
  read: bytes('Read', 'bytesRead'),
  cpu: us('Processor', 'cpu'),
  cpuInKernel: us('Kernel', 'cpu'),
};

test('log, reads and processor time of all repeats are divided by their rows', () => {
  const probeDelta = { log: 130 * rows, read: 8 * rows, cpu: 15 * rows, cpuInKernel: 5 * rows };
  const [use] = consumptions(used({ name: 'server', probeInfo: counters }, { probeDelta }));
  expect(use!.each).toMatchObject({
    log: { value: expect.closeTo(130, 0), by: 'server' },
    read: { value: expect.closeTo(8, 1), by: 'server' },
    written: { value: null, why: 'The server has no counter of it.' },
  });
  expect(use!.each.processor.value).toBeCloseTo(0.02, 3);
});

test('the repeats give the interval, and a repeat without the counter is left out', () => {
  const run = madeRun({
    ...{ targets: [{ name: 'server', probeInfo: counters }], repeats: 4 },
    trial: ({ repeat }: { readonly repeat: number }) => ({
      elapsedMs: 10_000,
      result: { probeDelta: repeat === 4 ? { read: 0 } : { log: (120 + 10 * repeat) * rows, read: 0 } },
    }),
  });
  const { log, read } = consumptions(run)[0]!.each;
  expect(log).toMatchObject({ value: expect.closeTo(140, -1), n: 3 });
  expect(log.value !== null && log.low! < 130 && log.high! > 150).toBe(true);
  expect(read).toMatchObject({ value: 0, low: 0, high: 0, n: 4 });
});

test('a counter that the server has and did not tell has another reason than one that it lacks', () => {
  const [use] = consumptions(used({ name: 'server', probeInfo: counters }, { probeDelta: { log: 0 } }));
  expect(use!.each).toMatchObject({
    log: { value: 0 },
    read: { value: null, why: 'The counter could not be read, or it went back.' },
    processor: { value: null, why: 'The counter could not be read, or it went back.' },
  });
});

test('the processor time of a server that Dyno has started is the system’s if the server has no counter of it', () => {
  const machine = machineUseOf({ dynoMs: 1_000, managedServersMs: 4_000 });
  const builtIn = [{ target: 'server', label: 'Server', about: '', hue: 1 }];
  const managed = (more: object, result: object = { machine }) =>
    consumptions(used({ name: 'server', descriptor: { builtIn, ...more } }, result))[0]?.each.processor;
  expect(managed({})).toMatchObject({ value: expect.closeTo(0.4, 2), by: 'system' });
  // A server of the user's on this machine is not among these.
  expect(managed({ builtIn: [] })).toBeUndefined();
  expect(managed({ inProcess: true })).toBeUndefined();
  expect(managed({}, {})).toBeUndefined();
});

test('the table has a dash where a number is not told, its note the reason once, and nothing if no server tells any', () => {
  const run = used({ name: 'server', probeInfo: counters }, { probeDelta: { log: 130 * rows } });
  const { rows: lines, note } = consumptionTable(run);
  expect(lines[0]!.cells.slice(3)).toEqual(['130\u00a0B (128–131\u00a0B)', '–', '–', '–']);
  expect(note.split(' Not reported by ').slice(1)).toEqual([
    'server: Read from files, Processor time: The counter could not be read, or it went back. Written to files: The server has no counter of it.',
  ]);
  expect(consumptionTable(madeRun()).rows).toEqual([]);
});

test('targets that lack the same share their reason, and cells with another reason are named by their variants', () => {
  const all = { log: 130 * rows, read: 0, cpu: rows, cpuInKernel: rows };
  const probeInfo = { ...counters, written: bytes('Written', 'bytesWritten') };
  const run = madeRun({
    targets: [
      { name: 'full', probeInfo },
      { name: 'a', probeInfo: counters },
      { name: 'b', probeInfo: counters },
    ],
    trial: ({ target }: { readonly target: string }) => ({
      elapsedMs: 10_000,
      result: { probeDelta: target === 'full' ? { ...all, written: 0 } : all },
    }),
  });
  expect(consumptionTable(run).note.split(' Not reported by ').slice(1)).toEqual([
    'a, b: Written to files: The server has no counter of it.',
  ]);
  const told = madeRun({
    targets: [{ name: 'full', probeInfo }],
    factors: { connections: [1, 2] },
    trial: ({ settings }: { readonly settings: { readonly connections?: number } }) => ({
      elapsedMs: 10_000,
      result: { probeDelta: settings.connections === 2 ? all : { ...all, written: 0 } },
    }),
  });
  const silent = told.cells[1]!.variant;
  expect(consumptionTable(told).note.split(' Not reported by ').slice(1)).toEqual([
    `full (${variantText(told.plan, silent)}): Written to files: The counter could not be read, or it went back.`,
  ]);
});
