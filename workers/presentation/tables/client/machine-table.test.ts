import { expect, test } from 'vitest';
import { madeRun, processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { machineUseOf } from '#analysis/run-model/journal-parts.fixture.ts';
import type { MachineUse } from '#protocol/measurement.ts';
import { environmentFacts } from '../../text/environment-facts.ts';
import { machineTable } from './machine-table.ts';

/** Each repeat uses the next of these machine states. */
const runOn = (...machines: readonly (MachineUse | null)[]) =>
  madeRun({
    repeats: machines.length,
    trial: ({ repeat }) => {
      const machine = machines[repeat - 1];
      return {
        health: {
          processTime: processTime({}),
          pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 0, noProcessorMs: 1_000 },
        },
        result: machine ? { machine } : {},
      };
    },
  });
const cellsOf = (model: ReturnType<typeof runOn>) => {
  const { columns, rows } = machineTable(model);
  return rows.map(({ cells }) => Object.fromEntries(columns.map(({ title }, i) => [title, cells[i]])));
};
const busy = machineUseOf({
  busyMs: 15_000,
  pressureMs: 2_500,
  stealMs: 1_000,
  throttledMs: 4_000,
  limitCores: 1,
  dynoMs: 6_000,
  managedServersMs: 3_000,
  others: [{ name: 'stress', processes: 2, pid: 41, cpuMs: 5_000 }],
});

test('each trial has who used the machine, and how long something waited', () => {
  const [row, other] = cellsOf(runOn(busy, machineUseOf({ frequencyMhz: 2_000 })));
  expect(row).toMatchObject({
    Repeat: '1',
    'Processors busy': '75.0\u00a0%',
    'Dyno, cores': '0.600',
    'Managed servers, cores': '0.300',
    'Client waited': '10.0\u00a0%',
    'Any process waited': '25.0\u00a0%',
    Steal: '5.00\u00a0%',
    Throttled: '20.0\u00a0%',
    Frequency: '3.00\u00a0GHz',
    'Fixed calculation': '200\u00a0µs',
    'Other programs': 'stress (2 processes, 0.500 cores)',
  });
  expect(other).toMatchObject({ Repeat: '2', Frequency: '2.00\u00a0GHz', 'Other programs': 'none' });
});

test('what the system does not tell is a dash, and trials without any of it are no rows', () => {
  const silent = machineUseOf({
    stealMs: null,
    pressureMs: null,
    frequencyMhz: null,
    dynoMs: null,
    managedServersMs: null,
    others: null,
  });
  const [row, ...more] = cellsOf(runOn(silent, null));
  expect(more).toEqual([]);
  for (const title of ['Dyno, cores', 'Any process waited', 'Steal', 'Throttled', 'Frequency'])
    expect(row).toMatchObject({ [title]: '–' });
  expect(row).toMatchObject({ 'Other programs': '–' });
});

test('the environment has pressure, and the mean frequency of all trials by their length', () => {
  const factOf = (...machines: readonly MachineUse[]) =>
    environmentFacts(runOn(...machines)).find(([name]) => name === 'While it measured')?.[1];
  const text = factOf(busy, machineUseOf({ wallMs: 30_000, frequencyMhz: 2_000 }));
  // (10 s at 3 GHz + 30 s at 2 GHz) ÷ 40 s; 2.5 s of 40 s.
  expect(text).toContain('Some process waited for a processor for 6.25\u00a0% of the time.');
  expect(text).toContain('The mean frequency was 2.25\u00a0GHz.');
  expect(factOf(machineUseOf({ frequencyMhz: null }))).toContain('does not report the frequency');
});
