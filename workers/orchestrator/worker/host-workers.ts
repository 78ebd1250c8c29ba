import type { OpenLoadHosts } from '#load-hosts/coordinator/open-load-hosts.ts';
import type { LoadHost } from '#load-hosts/load-host.ts';
import { hostShares, isLocalLoad, processesByHost } from '#model/load-hosts.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { HostWorkers } from './clients.ts';
import { measureNoopEngine } from './noop-rate.ts';

/** The rate of no-op calls that a load host's cores reach together, in calls/s; measured once. */
const reached = new WeakMap<LoadHost, number>();

/**
 * The load hosts of a variant with their worker processes, by weight or by calibration; undefined if all load comes
 * from this machine. Throws if a load host cannot be used.
 */
export async function hostWorkersOf(
  { loadFrom, processes }: Pick<Settings, 'loadFrom' | 'processes'>,
  open: OpenLoadHosts,
  signal: AbortSignal,
): Promise<readonly HostWorkers[] | undefined> {
  if (isLocalLoad(loadFrom)) return undefined;
  const shares = hostShares(loadFrom);
  const hosts = await open.use(
    shares.map(({ host }) => host),
    signal,
  );
  const weights: number[] = [];
  // The hosts are measured one after the other, because two hosts may share a machine or a network.
  for (const [i, host] of hosts.entries())
    weights.push(shares[i]?.weight ?? (await capacityOf(host, hosts.length, signal)));
  const counts = processesByHost(weights, Math.max(processes, hosts.length));
  return hosts.map((host, i) => ({ host, workers: counts[i] ?? 1 }));
}

async function capacityOf(host: LoadHost, hosts: number, signal: AbortSignal): Promise<number> {
  if (hosts === 1) return 1;
  const known = reached.get(host);
  if (known !== undefined) return known;
  const { perSecond } = await measureNoopEngine(signal, host);
  const all = Math.max(1, perSecond) * host.cores;
  reached.set(host, all);
  return all;
}
