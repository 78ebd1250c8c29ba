import type { LiveHost, RunModel } from '#analysis/run-model/run-model.ts';

/**
 * The load hosts of the current trial, or else of the last trial that had any. The spread of their starts is known only
 * for finished trials. Empty if all load comes from this machine.
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
