import { median } from '#stats/intervals/summary.ts';
import { machineOf } from '../client/machine.ts';
import {
  clientWaited,
  compareMachineFacts,
  fixedCalculation,
  type MachineComparison,
  type MachineFacts,
} from '../compare/compare-machines.ts';

/** The machine in the runs before a change and in the runs after it. */
interface MachineChange {
  /** Speed of the processor after ÷ before, by the fixed calculation; null: unknown. */
  readonly speed: number | null;
  /** All figures of both sides that may explain a change; without the fixed calculation, whose ratio is `speed`. */
  readonly differences: readonly MachineComparison[];
  readonly calculation: MachineComparison | null;
}

/** A wait for a processor explains a change only if it changed by this much (share of the time). */
const mostWaited = 0.05;

/** Compares the machine of the runs before a change with that of the runs after it. Neither list is empty. */
export function machineChange(before: readonly MachineFacts[], after: readonly MachineFacts[]): MachineChange {
  const [last, first] = [before.at(-1)!, after[0]!];
  const [old, now] = [joined(before, last), joined(after, first)];
  const all = compareMachineFacts(old, now);
  // A machine that changed at this run, and not for one run alone, differs beside the change and over all runs.
  const beside = new Set(compareMachineFacts(last, first).flatMap(({ what, differs }) => (differs ? [what] : [])));
  const [waitedBefore, waitedAfter] = [old.use.waited, now.use.waited];
  const waitsMore = waitedBefore !== null && waitedAfter !== null && Math.abs(waitedAfter - waitedBefore) > mostWaited;
  const differences = all.filter(
    ({ what, differs }) =>
      differs && beside.has(what) && what !== fixedCalculation && (what !== clientWaited || waitsMore),
  );
  const calculation = all.find(({ what }) => what === fixedCalculation) ?? null;
  const [slow, fast] = [old.use.machine?.calculationUs, now.use.machine?.calculationUs];
  return {
    speed: calculation !== null && slow !== undefined && fast !== undefined && fast > 0 ? slow / fast : null,
    differences,
    calculation,
  };
}

/** The machine of several runs together: hardware and calibrations of the run beside the change, and its use in all. */
function joined(runs: readonly MachineFacts[], { environment, calibration }: MachineFacts): MachineFacts {
  const machines = runs.flatMap(({ use }) => (use.machine === null ? [] : [use.machine]));
  const waits = runs.flatMap(({ use }) => (use.waited === null ? [] : [use.waited]));
  const machine = machineOf(machines.map((one) => ({ machine: one })));
  return {
    environment,
    // A round trip is also the server's.
    calibration: calibration.filter(({ kind }) => kind !== 'roundTrip'),
    use: {
      // One run beside a program that slowed it down is no change of the machine.
      machine: machine && { ...machine, calculationUs: median(machines.map(({ calculationUs }) => calculationUs)) },
      waited: waits.length === 0 ? null : median(waits),
      mayHaveServer: runs.some(({ use }) => use.mayHaveServer),
    },
  };
}

/**
 * Speed of the processor in each run by the fixed calculation, relative to the median of all runs by the same kind of
 * program, because Electron and Node compile the calculation differently. Null: unknown.
 */
export function machineSpeeds(runs: readonly MachineFacts[]): readonly (number | null)[] {
  const runtimeOf = ({ environment }: MachineFacts) => environment.host;
  const usual = new Map(
    [...Map.groupBy(runs, runtimeOf)].map(([host, same]) => [
      host,
      median(same.flatMap(({ use }) => use.machine?.calculationUs ?? [])),
    ]),
  );
  return runs.map((run) => {
    const own = run.use.machine?.calculationUs;
    return own === undefined || own <= 0 ? null : usual.get(runtimeOf(run))! / own;
  });
}
