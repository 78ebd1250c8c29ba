import { describe, expect, it } from 'vitest';
import type { MachineUse, TrialResult } from '#protocol/measurement.ts';
import { machineUseOf } from '../run-model/journal-parts.fixture.ts';
import { fixtureRun } from '../run-model/run.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { compareMachines, machineDifferenceText } from './compare-machines.ts';

const before = fixtureRun({ connections: [1] });

const withResults = (run: RunModel, change: (result: TrialResult) => TrialResult): RunModel => ({
  ...run,
  trials: run.trials.map((view) => ({ ...view, result: view.result && change(view.result) })),
});
const on = (run: RunModel, use: Partial<MachineUse>): RunModel =>
  withResults(run, (result) => ({ ...result, machine: machineUseOf(use) }));
const waiting = (run: RunModel, noProcessorMs: number): RunModel =>
  withResults(run, (result) => ({
    ...result,
    health: {
      ...result.health,
      processTime: {
        ...{ wallMs: 1_000, generateMs: 0, encodeMs: 0, decodeMs: 0, engineMs: 0, otherMs: 0 },
        ...{ waitMs: 1_000, idleMs: 0 },
      },
      pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 0, noProcessorMs },
    },
  }));
const differing = (a: RunModel, b: RunModel): readonly string[] =>
  compareMachines(a, b).flatMap(({ what, differs }) => (differs ? [what] : []));
const rowOf = (a: RunModel, b: RunModel, what: string) => compareMachines(a, b).find((one) => one.what === what);

describe('the machine of two runs', () => {
  it('is shown figure by figure, and differs in nothing where it is the same', () => {
    expect(differing(before, before)).toEqual([]);
    expect(machineDifferenceText(compareMachines(before, before))).toBeNull();
    const what = compareMachines(on(before, {}), on(before, {})).map((one) => one.what);
    expect(what).toEqual(expect.arrayContaining(['Processors', 'Memory', 'System', 'Other programs, cores']));
    // A value that is unknown in both runs makes no row.
    expect(rowOf(on(before, {}), on(before, {}), 'Kept by the control group’s limit')).toBeUndefined();
  });

  it('differs where it calibrated otherwise, and not where both rely on one calibration', () => {
    const calibration = before.calibration.map((one) => ({ ...one, perSecond: one.perSecond * 1.3 }));
    expect(differing(before, { ...before, calibration })).toEqual([]);
    const anew = calibration.map((one) => ({ ...one, measuredAt: '2126-01-01T00:00:00.000Z' }));
    expect(differing(before, { ...before, calibration: anew })).toEqual(
      before.calibration.map(({ label }) => `Calibration: ${label}`),
    );
  });

  it('differs where it is another one', () => {
    const environment = { ...before.environment, cores: 64 };
    expect(differing(before, { ...before, environment })).toEqual(['Processors']);
  });

  it('differs where other work took its processors in one run, or kept clients waiting in any', () => {
    const busy = { busyMs: 16_000, others: [{ name: 'stress', processes: 2, pid: 41, cpuMs: 9_000 }] };
    expect(differing(on(before, {}), on(before, busy))).toEqual(['Other programs, cores']);
    expect(rowOf(on(before, {}), on(before, busy), 'Other programs, cores')).toMatchObject({
      before: '0',
      after: '0.900',
    });
    expect(differing(on(before, busy), on(before, busy))).toEqual([]);
    expect(differing(waiting(before, 10), waiting(before, 20))).toEqual([]);
    expect(differing(waiting(before, 400), waiting(before, 400))).toEqual(['Client waited for a processor']);
    const text = machineDifferenceText(compareMachines(waiting(before, 10), waiting(before, 400)));
    expect(text).toMatch(/may be the reason .*Client waited for a processor: 1\.00\s% before, 40\.0\s% after\./);
    const alike = machineDifferenceText(compareMachines(waiting(before, 400), waiting(before, 400)));
    expect(alike).toMatch(/may be the reason .*Client waited for a processor: 40\.0\s% in both\./);
  });

  it('does not take a server of the user’s on this machine for other work', () => {
    const busy = { busyMs: 16_000, others: [{ name: 'mysqld', processes: 1, pid: 41, cpuMs: 9_000 }] };
    const local = (run: RunModel) =>
      withResults(run, (result) => ({
        ...result,
        roundTrip: { cheapestMs: 0.1, handshakes: { shortestMs: 0.03, sameMachine: true } },
      }));
    expect(differing(local(on(before, {})), local(on(before, busy)))).toEqual([]);
  });

  it.each([
    ['Given to others by the hypervisor', { stealMs: 1_400 }],
    ['Kept by the control group’s limit', { throttledMs: 1_400 }],
    ['Frequency of the processors', { frequencyMhz: 2_000 }],
  ])('differs by more than a twentieth: %s', (what, use) => {
    expect(differing(on(before, { throttledMs: 0 }), on(before, { throttledMs: 0, ...use }))).toEqual([what]);
  });

  it('differs by more than a tenth of the fixed calculation, where the same program ran it', () => {
    expect(differing(on(before, {}), on(before, { calculationUs: 210 }))).toEqual([]);
    const slower = on(before, { calculationUs: 280 });
    expect(differing(on(before, {}), slower)).toEqual(['Fixed calculation']);
    const elsewhere = { ...slower, environment: { ...slower.environment, host: 'node 24.9.0' } };
    expect(rowOf(on(before, {}), elsewhere, 'Fixed calculation')).toBeUndefined();
  });

  it('is not called different because of a figure of only one run, which is shown', () => {
    const [old, now] = [on(before, { frequencyMhz: null, stealMs: null }), on(before, { frequencyMhz: 800 })];
    expect(differing(old, now)).toEqual([]);
    expect(rowOf(old, now, 'Frequency of the processors')).toMatchObject({ before: '–', after: '0.800\u00a0GHz' });
  });
});
