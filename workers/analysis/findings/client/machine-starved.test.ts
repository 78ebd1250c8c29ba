import { describe, expect, it } from 'vitest';
import type { MachineUse } from '#protocol/measurement.ts';
import { machineUseOf } from '../../run-model/journal-parts.fixture.ts';
import { type MadeRun, madeRun, onlyShown, outcomesOf, processTime } from '../shared/findings.fixture.ts';
import { machineStarved } from './machine-starved.ts';

const busyMachine = machineUseOf({
  busyMs: 19_800,
  pressureMs: 9_000,
  dynoMs: 3_000,
  managedServersMs: 1_700,
  others: [
    { name: 'stress', processes: 2, pid: 41, cpuMs: 15_000 },
    { name: 'cron', processes: 1, pid: 7, cpuMs: 100 },
  ],
});

/** A client that did almost no work, and waited for a processor for this part of 10 s. */
const waiting = (noProcessorMs: number | null, machine: MachineUse | null = busyMachine): MadeRun => ({
  trial: () => ({
    health: {
      processTime: processTime({}),
      pauses: { gcPauses: 0, gcLongestMs: 0, loopLongestMs: 50, noProcessorMs },
    },
    result: machine ? { machine } : {},
  }),
});
const caveats = (run: MadeRun) => madeRun(run).caveats.filter(({ title }) => title === 'Short of processors');

describe('machineStarved', () => {
  it("names the client's waiting time, and the other programs, in the finding and beside the number", () => {
    const shown = onlyShown(machineStarved, waiting(4_650));
    expect(shown).toMatchObject({ confidence: 'certain', explains: expect.closeTo(0.465, 3) as number, confirm: null });
    expect(shown.claim).toMatch(/46\.5\s% .*busy for 99\.0\s% .*stress \(2 processes, 1\.50? cores\)/);
    expect(shown.claim).toMatch(/Dyno’s own processes used 0\.300 cores, its managed servers 0\.170 cores\./);
    expect(shown.claim).not.toContain('cron');
    expect(shown.evidence).toContainEqual(
      expect.objectContaining({ label: 'Some process waited for a processor', value: 0.9 }),
    );
    expect(caveats(waiting(4_650))[0]).toMatchObject({
      severity: 'warning',
      text: expect.stringContaining('stress') as string,
    });
  });

  it('begins at a tenth of the time', () => {
    expect(onlyShown(machineStarved, waiting(1_000)).status).toBe('shown');
    expect(outcomesOf(machineStarved, waiting(990))[0]).toMatchObject({ status: 'notShown' });
    expect(caveats(waiting(990))).toEqual([]);
  });

  it('names the hypervisor and the control group where they took the time', () => {
    const { claim, evidence } = onlyShown(
      machineStarved,
      waiting(3_000, {
        ...busyMachine,
        busyMs: 13_800,
        others: [],
        stealMs: 6_000,
        throttledMs: 2_500,
        limitCores: 1.5,
      }),
    );
    expect(claim).toMatch(
      /hypervisor gave 30\.0\s% .*control group \(1\.50 cores\) kept 12\.5\s% of the processors’ time/,
    );
    expect(claim).not.toContain('Beside them');
    expect(evidence.map(({ label, value }) => [label, value])).toEqual(
      expect.arrayContaining([
        ['Given to others by the hypervisor', 0.3],
        ['Kept from Dyno by its control group’s limit', 0.125],
      ]),
    );
  });

  it('does not advise to end other work where most of the processors’ time was left', () => {
    const idle = { ...busyMachine, busyMs: 4_000, dynoMs: 2_000, managedServersMs: 1_000, others: [] };
    const shown = onlyShown(machineStarved, waiting(3_000, idle));
    expect(shown.claim).toContain('CPU affinity or a cgroup limit');
    expect(shown.advice).not.toContain('End what else');
    expect(onlyShown(machineStarved, waiting(3_000)).claim).not.toContain('CPU affinity or a cgroup limit');
  });

  it('does not advise to end other work where client and managed servers took the processors themselves', () => {
    const own = { ...busyMachine, busyMs: 19_000, dynoMs: 7_000, managedServersMs: 9_900, others: [] };
    const { advice } = onlyShown(machineStarved, waiting(3_000, own));
    expect(advice).not.toContain('End what else');
    expect(advice).toContain('The client and the managed servers');
  });

  it('claims the wait alone where nothing else was recorded', () => {
    const { claim, evidence } = onlyShown(machineStarved, waiting(3_000, null));
    expect(claim).toMatch(/30\.0\s% of their time\.$/);
    expect(evidence).toHaveLength(1);
  });

  it('cannot tell where the system does not, and says how busy the machine was', () => {
    expect(outcomesOf(machineStarved, waiting(null))[0]).toMatchObject({
      status: 'cannotTell',
      why: expect.stringMatching(/does not report.*busy for 99\.0/) as string,
    });
  });
});
