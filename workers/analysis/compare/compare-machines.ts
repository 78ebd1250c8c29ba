import { formatBytes, formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import type { CalibrationEntry, MachineUse } from '#protocol/measurement.ts';
import { calibrationLabel, formatCalibrated } from '../client/calibration-text.ts';
import {
  busyShare,
  coresOf,
  formatFrequency,
  machineOf,
  pressureShare,
  starvedFrom,
  stealShare,
  throttledShare,
  waitedShare,
} from '../client/machine.ts';
import type { RunModel } from '../run-model/run-model.ts';

/** A figure of the client's machine in two runs. */
export interface MachineComparison {
  readonly what: string;
  /** The value as text; a dash if it is unknown. */
  readonly before: string;
  readonly after: string;
  /** True if the difference is large enough to explain why the runs differ. */
  readonly differs: boolean;
  /** The run whose machine was the slower one by this figure; null: the figure does not tell. */
  readonly slower: 'before' | 'after' | null;
}

/** Names of figures that a history judges by itself. */
export const clientWaited = 'Client waited for a processor';
export const fixedCalculation = 'Fixed calculation';

/** Comparisons look for differences of a tenth, so causes of this size are reported. */
const mostDifference = { calibration: 0.1, cores: 0.1, memory: 0.1 } as const;
/** Missing processor time and a slower clock reduce throughput in full. */
const mostLost = 0.05;

type Compared = Pick<RunModel, 'environment' | 'calibration' | 'trials' | 'targets'>;

/** The machine of a run, or of several runs one after the other. */
export interface MachineFacts extends Pick<RunModel, 'environment' | 'calibration'> {
  readonly use: MachineInUse;
}

/** The machine while all trials measured. */
interface MachineInUse {
  readonly machine: MachineUse | null;
  /** The share (0…1) of time in which the client waited for a processor; null: unknown. */
  readonly waited: number | null;
  /** Some connections end on this machine, at a server that Dyno does not manage. */
  readonly mayHaveServer: boolean;
}

/** The machine of a run, without its trials. */
export const machineFactsOf = (run: Compared): MachineFacts => ({
  environment: run.environment,
  calibration: run.calibration,
  use: usedIn(run),
});

/**
 * The machine of two runs, figure by figure; figures unknown in both runs are left out. If `differs` is true, the
 * machine may explain a difference between the runs.
 */
export const compareMachines = (before: Compared, after: Compared): readonly MachineComparison[] =>
  compareMachineFacts(machineFactsOf(before), machineFactsOf(after));

/** As compareMachines, by the facts of both sides. */
export function compareMachineFacts(before: MachineFacts, after: MachineFacts): readonly MachineComparison[] {
  return [...compareHardware(before, after), ...calibrations(before, after), ...figuresOfUse(before, after)];
}

/** The machine itself: processors, memory and system. */
export function compareHardware(
  { environment: old }: Pick<Compared, 'environment'>,
  { environment: now }: Pick<Compared, 'environment'>,
): readonly MachineComparison[] {
  const processors = ({ cpu, cores }: RunModel['environment']) => `${cpu}, ${cores} cores`;
  return [
    same('Processors', processors(old), processors(now)),
    {
      what: 'Memory',
      before: formatBytes(old.memoryBytes),
      after: formatBytes(now.memoryBytes),
      differs: isOff(old.memoryBytes, now.memoryBytes, mostDifference.memory),
      slower: null,
    },
    same('System', old.os, now.os),
  ];
}

const same = (what: string, before: string, after: string): MachineComparison => ({
  what,
  before,
  after,
  differs: before !== after,
  slower: null,
});

/** True if both figures are known and one exceeds the other by more than the share `most`. */
const isOff = (a: number | null, b: number | null, most: number): boolean =>
  a !== null && b !== null && a > 0 && b > 0 && Math.abs(a - b) > most * Math.max(a, b);

/** The calibrations of both runs, without their workloads. If both runs share one measurement, it is left out. */
const calibrations = (before: MachineFacts, after: MachineFacts): readonly MachineComparison[] =>
  before.calibration.flatMap((one) => {
    const other = after.calibration.find((entry) => isSameCalibration(one, entry));
    if (other === undefined || other.measuredAt === one.measuredAt) return [];
    return [
      {
        what: `Calibration: ${calibrationLabel(one)}`,
        before: formatCalibrated(one),
        after: formatCalibrated(other),
        // A disk is measured for a moment, in which others may use it, and many trials hardly need it.
        differs: one.kind !== 'storage' && isOff(one.perSecond, other.perSecond, mostDifference.calibration),
        slower: one.perSecond < other.perSecond ? 'before' : 'after',
      },
    ];
  });

const isSameCalibration = (a: CalibrationEntry, b: CalibrationEntry): boolean =>
  a.kind === b.kind && a.target === b.target && a.label === b.label;

/** The users of the machine during the trials, and the waits for processors. */
function figuresOfUse(before: MachineFacts, after: MachineFacts): readonly MachineComparison[] {
  const [old, now] = [before.use, after.use];
  const row = (
    what: string,
    of: (use: MachineInUse) => number | null,
    format: (value: number | null) => string,
    differs: (old: number, now: number) => boolean,
    slowerBy: 'more' | 'less' = 'more',
  ): readonly MachineComparison[] => {
    const [a, b] = [of(old), of(now)];
    if (a === null && b === null) return [];
    const areKnown = a !== null && b !== null;
    const slower = !areKnown || a === b ? null : a > b === (slowerBy === 'more') ? 'before' : 'after';
    return [{ what, before: format(a), after: format(b), differs: areKnown && differs(a, b), slower }];
  };
  const never = () => false;
  const byMore = (most: number) => (a: number, b: number) => Math.abs(a - b) > most;
  const mostCores = mostDifference.cores * (now.machine?.cores ?? 1);
  const of = (pick: (use: MachineUse) => number | null) => (use: MachineInUse) => use.machine && pick(use.machine);
  return [
    // A run with waits this long measured its machine, whatever the other run did.
    ...row(
      clientWaited,
      ({ waited }) => waited,
      formatPercent,
      (a, b) => Math.max(a, b) >= starvedFrom,
    ),
    ...row(
      'Other programs, cores',
      of(
        (use) =>
          use.others &&
          coresOf(
            use.others.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
            use,
          ),
      ),
      formatNumber,
      // The other programs may include a server of the user on this machine, whose work the change itself may increase.
      old.mayHaveServer || now.mayHaveServer ? never : byMore(mostCores),
    ),
    ...row('Given to others by the hypervisor', of(stealShare), formatPercent, byMore(mostLost)),
    ...row('Kept by the control group’s limit', of(throttledShare), formatPercent, byMore(mostLost)),
    ...row(
      'Frequency of the processors',
      of(({ frequencyMhz }) => frequencyMhz),
      (frequencyMhz) => formatFrequency({ frequencyMhz }),
      (a, b) => isOff(a, b, mostLost),
      'less',
    ),
    // Different hosts (Electron, Node) compile the calculation differently.
    ...(before.environment.host === after.environment.host
      ? row(
          fixedCalculation,
          of(({ calculationUs }) => calculationUs / 1_000),
          formatMs,
          (a, b) => isOff(a, b, mostDifference.calibration),
        )
      : []),
    // The change between the runs may also use more of the processors.
    ...row('Processors busy', of(busyShare), formatPercent, never),
    ...row('Any process waited for a processor', of(pressureShare), formatPercent, never),
  ];
}

function usedIn({ trials, targets }: Compared): MachineInUse {
  const results = trials.flatMap(({ result }) => result ?? []);
  const told = results.filter(({ health }) => health.pauses.noProcessorMs !== null);
  const isManaged = (name: string) =>
    targets.some(
      (target) => target.name === name && target.descriptor.builtIn.some(({ target: built }) => built === name),
    );
  return {
    machine: machineOf(results),
    waited: waitedShare(told),
    mayHaveServer: results.some(
      ({ roundTrip, target }) => roundTrip?.handshakes?.sameMachine === true && !isManaged(target),
    ),
  };
}

/**
 * The differences of the machine that may explain why the runs differ, as a sentence; null if there are none.
 * `isAlone`: nothing else changed between the runs.
 */
export function machineDifferenceText(all: readonly MachineComparison[], isAlone = true): string | null {
  const different = all.filter(({ differs }) => differs);
  if (different.length === 0) return null;
  const list = different.map(({ what, before, after }) =>
    before === after ? `${what}: ${before} in both` : `${what}: ${before} before, ${after} after`,
  );
  const machine = isAlone
    ? 'The machine may be the reason for what differs.'
    : 'The machine was in another state, too, and may be a part of the reason.';
  return `${machine} ${list.join('; ')}.`;
}
