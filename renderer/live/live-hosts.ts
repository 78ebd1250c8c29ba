import type { LiveHost, RunModel } from '#analysis/run-model/run-model.ts';

/**
 * The load hosts of the trial that measures, else of the last one that had any; how far apart they began is known of
 * trials that are over. Empty: all load comes from this machine.
 */
export function liveHosts({ trials }: Pick<RunModel, 'trials'>): readonly LiveHost[] {
  const withHosts = trials.filter(({ loadHosts }) => loadHosts.length > 0);
  const now = withHosts.find(({ phase, result }) => phase !== null && result === null);
  const over = withHosts.filter(({ result }) => result !== null).toSorted((a, b) => a.trial.number - b.trial.number);
  const beganAfter = (name: string) =>
    over
      .findLast(({ loadHosts }) => loadHosts.some((one) => one.name === name))
      ?.loadHosts.find((one) => one.name === name)?.beganAfterMs ?? null;
  const last = now ?? over.at(-1);
  return (last?.loadHosts ?? []).map((host) => ({ ...host, beganAfterMs: host.beganAfterMs ?? beganAfter(host.name) }));
}
