import { DynoError } from '#model/error.ts';
import { type TunnelKind, tunnelWords } from '#model/tunnel.ts';
import type { HostWorkers } from '../worker/clients.ts';
import { hostWorkersOf } from '../worker/host-workers.ts';
import type { ReachedTarget } from '../worker/reach.ts';
import type { TrialContext } from './trial-context.ts';

/**
 * Returns the target of a trial, and the load hosts of this many worker processes (undefined: all are on this machine).
 * Throws if a load host cannot be used, or does not reach the target.
 */
export async function clientHosts(
  { variant, control, loadHosts, signal }: TrialContext,
  processes: number,
): Promise<{ readonly hosts: readonly HostWorkers[] | undefined; readonly target: ReachedTarget }> {
  const { loadFrom } = variant.settings;
  const hosts = await hostWorkersOf({ loadFrom, processes }, loadHosts, signal);
  const target = await control.connect(signal);
  if (hosts && target.tunnel) throw tunnelled(target.tunnel.kind);
  return { hosts, target };
}

const tunnelled = (kind: TunnelKind): DynoError =>
  new DynoError(
    'unsupported',
    `This target is reached through ${tunnelWords[kind]} whose port is on this machine: no other load host reaches it.`,
    { hint: 'Give the load hosts a connection of its own, to an address that they reach.' },
  );
