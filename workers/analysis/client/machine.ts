import { formatNumber, formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { MachineUse, TrialResult } from '#protocol/measurement.ts';

/**
 * Above this share of time without a processor, the results also measure the client machine: a tenth is as large as the
 * differences that users look for.
 */
export const starvedFrom = 0.1;
/** Other programs below this share of the processors' time cannot delay Dyno by a tenth. */
const worthNaming = 0.05;

type Measured = Pick<TrialResult, 'health' | 'machine'>;

/** Clocks that are read one after the other differ by up to this much. */
const rounding = 1.02;
/** The system counts the time of processes and of processors in different ticks. */
const apart = 1.15;

/**
 * The share (0…1) of time in which the client processes of these trials were ready to run and had no processor; null if
 * a trial did not report it (only Linux does), or if the wait exceeds the running time.
 */
export function waitedShare(results: readonly Measured[]): number | null {
  let waited = 0;
  let wall = 0;
  for (const { health } of results) {
    const { noProcessorMs } = health.pauses;
    if (noProcessorMs === null) return null;
    waited += noProcessorMs;
    wall += health.processTime.wallMs;
  }
  return wall > 0 && waited <= wall * rounding ? Math.min(1, waited / wall) : null;
}

/**
 * Adds up the use of the machine during several trials; null if no trial recorded it. A part that exceeds its whole
 * becomes unknown.
 */
export function machineOf(results: readonly Pick<Measured, 'machine'>[]): MachineUse | null {
  const use = added(results);
  if (use === null) return null;
  const { busyMs, stealMs, dynoMs, managedServersMs, others } = use;
  const whole = use.wallMs * use.cores * rounding;
  const used = [dynoMs, managedServersMs, ...(others ?? []).map(({ cpuMs }) => cpuMs)];
  const usedMs = used.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
  return {
    ...use,
    stealMs: stealMs !== null && busyMs + stealMs > whole ? null : stealMs,
    ...(usedMs > busyMs * apart && { dynoMs: null, managedServersMs: null, others: null }),
  };
}

function added(results: readonly Pick<Measured, 'machine'>[]): MachineUse | null {
  const all = results.flatMap(({ machine }) => machine ?? []);
  const [first] = all;
  if (first === undefined) return null;
  const sum = (of: (use: MachineUse) => number | null): number | null =>
    all.reduce<number | null>((total, use) => {
      const value = of(use);
      return total === null || value === null ? null : total + value;
    }, 0);
  const limits = all.flatMap(({ limitCores }) => limitCores ?? []);
  const timed = all.filter(({ frequencyMhz }) => frequencyMhz !== null);
  const timedMs = timed.reduce((total, { wallMs }) => total + wallMs, 0);
  return {
    wallMs: sum(({ wallMs }) => wallMs)!,
    cores: first.cores,
    busyMs: sum(({ busyMs }) => busyMs)!,
    stealMs: sum(({ stealMs }) => stealMs),
    pressureMs: sum(({ pressureMs }) => pressureMs),
    throttledMs: sum(({ throttledMs }) => throttledMs),
    limitCores: limits.length > 0 ? Math.min(...limits) : null,
    // A longer trial weighs more.
    frequencyMhz:
      timedMs > 0
        ? timed.reduce((total, { frequencyMhz, wallMs }) => total + frequencyMhz! * wallMs, 0) / timedMs
        : null,
    calculationUs: sum(({ calculationUs }) => calculationUs)! / all.length,
    dynoMs: sum(({ dynoMs }) => dynoMs),
    managedServersMs: sum(({ managedServersMs }) => managedServersMs),
    others: all.some(({ others }) => others === null)
      ? null
      : [
          ...Map.groupBy(
            all.flatMap(({ others }) => others ?? []),
            ({ name }) => name,
          ).values(),
        ]
          .map((same) => {
            const most = same.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]!;
            return { ...most, cpuMs: same.reduce((total, { cpuMs }) => total + cpuMs, 0) };
          })
          .toSorted((a, b) => b.cpuMs - a.cpuMs),
  };
}

/** The share (0…1) of all processors' time that was used. */
export const busyShare = (use: MachineUse): number => shareOfProcessors(use.busyMs, use) ?? 0;

/** The share (0…1) of the processors' time that the hypervisor gave to others; null: not reported. */
export const stealShare = (use: MachineUse): number | null => shareOfProcessors(use.stealMs, use);

/** The share (0…1) of the processors' time that the control group's limit withheld from Dyno; null: not reported. */
export const throttledShare = (use: MachineUse): number | null => shareOfProcessors(use.throttledMs, use);

/** The share (0…1) of the time in which some process of the machine waited for a processor; null: not reported. */
export const pressureShare = ({ pressureMs, wallMs }: MachineUse): number | null =>
  pressureMs === null || wallMs === 0 ? null : Math.min(1, pressureMs / wallMs);

/** The share (0…1) of all processors' time that this processor time is; null: not reported. */
export const shareOfProcessors = (ms: number | null, { wallMs, cores }: MachineUse): number | null =>
  ms === null || wallMs === 0 ? null : Math.min(1, ms / (wallMs * cores));

/** Cores that one of the other programs used, on average. */
export const coresOf = (cpuMs: number, { wallMs }: MachineUse): number => (wallMs > 0 ? cpuMs / wallMs : 0);

/** "3.4 GHz"; a dash if unknown. */
export const formatFrequency = ({ frequencyMhz }: Pick<MachineUse, 'frequencyMhz'>): string =>
  frequencyMhz === null ? '–' : `${formatNumber(frequencyMhz / 1_000)}\u00a0GHz`;

/** "stress (2 processes, 1.5 cores), cron (process 7, 0.1 cores)": the programs with significant use; may be empty. */
export function otherPrograms(use: MachineUse): string {
  return (use.others ?? [])
    .filter(({ cpuMs }) => coresOf(cpuMs, use) >= worthNaming)
    .slice(0, 3)
    .map(
      ({ name, pid, processes, cpuMs }) =>
        `${name} (${processes === 1 ? `process ${pid}` : `${processes} processes`}, ${formatCores(cpuMs, use)})`,
    )
    .join(', ');
}

const formatCores = (cpuMs: number, use: MachineUse): string => `${formatNumber(coresOf(cpuMs, use))} cores`;

/** Describes in sentences the programs that used the machine; programs that used little are left out. */
export function machineText(use: MachineUse): string {
  const others = otherPrograms(use);
  const steal = stealShare(use) ?? 0;
  const throttled = throttledShare(use) ?? 0;
  const { dynoMs, managedServersMs } = use;
  return [
    `The machine’s ${many(use.cores, 'processor')} ${use.cores === 1 ? 'was' : 'were'} busy for ${formatPercent(busyShare(use))} of the time.`,
    ...(dynoMs === null || managedServersMs === null
      ? []
      : [
          `Dyno’s own processes used ${formatCores(dynoMs, use)}${managedServersMs > 0 ? `, its managed servers ${formatCores(managedServersMs, use)}` : ''}.`,
        ]),
    ...(others === '' ? [] : [`Beside them ran ${others}.`]),
    ...(steal >= worthNaming ? [`The hypervisor gave ${formatPercent(steal)} of the processors’ time to others.`] : []),
    ...(throttled >= worthNaming
      ? [
          `The limit of Dyno’s control group${use.limitCores === null ? '' : ` (${formatNumber(use.limitCores)} cores)`} kept ${formatPercent(throttled)} of the processors’ time from its processes.`,
        ]
      : []),
  ].join(' ');
}
