import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { MachineUse, TrialResult } from '#protocol/measurement.ts';

/**
 * From this share of their time without a processor on, client processes measure the machine, too: a wait of a tenth is
 * as long as the differences that runs look for.
 */
export const starvedFrom = 0.1;
/** A smaller share of the processors' time makes nobody wait for a tenth of the time. */
const worthNaming = 0.05;

type Measured = Pick<TrialResult, 'health' | 'machine'>;

/**
 * The share (0…1) of their time for which the client processes of these trials were ready to run and had no processor;
 * null: a trial does not tell (only Linux reports it).
 */
export function waitedShare(results: readonly Measured[]): number | null {
  let waited = 0;
  let wall = 0;
  for (const { health } of results) {
    const noProcessorMs = health.pauses?.noProcessorMs ?? null;
    if (noProcessorMs === null || !health.processTime) return null;
    waited += noProcessorMs;
    wall += health.processTime.wallMs;
  }
  return wall > 0 ? Math.min(1, waited / wall) : null;
}

/** What used the machine during several trials, added up; null where none of them told. */
export function machineOf(results: readonly Measured[]): MachineUse | null {
  const all = results.flatMap(({ machine }) => machine ?? []);
  const [first] = all;
  if (first === undefined) return null;
  const sum = (of: (use: MachineUse) => number | null): number | null =>
    all.reduce<number | null>((total, use) => {
      const value = of(use);
      return total === null || value === null ? null : total + value;
    }, 0);
  const frequencies = all.flatMap(({ frequencyMhz }) => frequencyMhz ?? []);
  return {
    wallMs: sum(({ wallMs }) => wallMs)!,
    cores: first.cores,
    busyMs: sum(({ busyMs }) => busyMs)!,
    stealMs: sum(({ stealMs }) => stealMs),
    pressureMs: sum(({ pressureMs }) => pressureMs),
    throttledMs: sum(({ throttledMs }) => throttledMs),
    frequencyMhz: frequencies.length > 0 ? frequencies.reduce((a, b) => a + b, 0) / frequencies.length : null,
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
export const busyShare = ({ busyMs, wallMs, cores }: MachineUse): number =>
  wallMs > 0 ? Math.min(1, busyMs / (wallMs * cores)) : 0;

/** The share (0…1) of the processors' time that the hypervisor gave to others; null: not reported. */
export const stealShare = ({ stealMs, wallMs, cores }: MachineUse): number | null =>
  stealMs === null || wallMs === 0 ? null : Math.min(1, stealMs / (wallMs * cores));

/** Cores that one of the other programs used, on average. */
export const coresOf = (cpuMs: number, { wallMs }: MachineUse): number => (wallMs > 0 ? cpuMs / wallMs : 0);

/** What else ran, in sentences: only what is large enough to matter. */
export function machineText(use: MachineUse): string {
  const others = (use.others ?? []).filter(({ cpuMs }) => coresOf(cpuMs, use) >= worthNaming).slice(0, 3);
  const steal = stealShare(use) ?? 0;
  const throttled = use.throttledMs ?? 0;
  return [
    `The machine’s ${many(use.cores, 'processor')} ${use.cores === 1 ? 'was' : 'were'} busy for ${formatPercent(busyShare(use))} of the time.`,
    ...(others.length > 0
      ? [
          `Beside Dyno’s own processes ran ${others
            .map(
              ({ name, pid, processes, cpuMs }) =>
                `${name} (${processes === 1 ? `process ${pid}` : `${processes} processes`}, ${formatNumber(coresOf(cpuMs, use))} cores)`,
            )
            .join(', ')}.`,
        ]
      : []),
    ...(steal >= worthNaming ? [`The hypervisor gave ${formatPercent(steal)} of the processors’ time to others.`] : []),
    ...(throttled >= use.wallMs * worthNaming
      ? [`The limit of Dyno’s control group stopped its processes for ${formatMs(throttled)}.`]
      : []),
  ].join(' ');
}
