import type { LoadHostUse, TrialResult } from '#protocol/measurement.ts';

/** Load hosts that start further apart than this, ms, did not measure the same seconds. */
export const mostSkewMs = 100;

/** A load host over the trials of a cell. */
interface HostOverTrials {
  readonly name: string;
  /** True if the host's own process was the limit in at least one trial. */
  readonly clientSaturated: boolean;
  /** Mean over all its successful calls, ms; null without any. */
  readonly meanServiceMs: number | null;
}

/** Each load host of these trials; empty if the machine that ran Dyno made all of the load. */
export const loadHostsOf = (results: readonly TrialResult[]): readonly HostOverTrials[] =>
  [
    ...Map.groupBy(
      results.flatMap(({ loadHosts = [] }) => loadHosts),
      ({ name }) => name,
    ),
  ].map(([name, uses]) => ({
    name,
    clientSaturated: uses.some((one) => one.clientSaturated),
    meanServiceMs: meanServiceMs(uses),
  }));

function meanServiceMs(uses: readonly LoadHostUse[]): number | null {
  const served = uses.filter((one) => one.meanServiceMs !== null && one.calls > 0);
  const calls = served.reduce((sum, one) => sum + one.calls, 0);
  return calls === 0 ? null : served.reduce((sum, one) => sum + (one.meanServiceMs ?? 0) * one.calls, 0) / calls;
}

/** The least time between the starts of a trial's workers: the measured time minus the error of the clocks. */
export const sureSkewMs = ({ loadHosts = [] }: TrialResult): number =>
  Math.max(0, ...loadHosts.map(({ beganAfterMs, clockErrorMs }) => beganAfterMs - (clockErrorMs ?? 0)));

/** The load hosts that were saturated and those with time to spare, as a sentence; null if all are alike. */
export function saturatedHostsText(results: readonly TrialResult[]): string | null {
  const hosts = loadHostsOf(results);
  const names = (saturated: boolean) =>
    hosts.flatMap((one) => (one.clientSaturated === saturated ? one.name : [])).join(', ');
  return names(true) === '' || names(false) === ''
    ? null
    : `Client-bound: ${names(true)}; with time to spare: ${names(false)}.`;
}
