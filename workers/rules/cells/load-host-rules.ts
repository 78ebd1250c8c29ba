import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { hostShares, isLocalLoad, remoteHosts } from '#model/load-hosts.ts';
import { hasEmulatedNetwork } from '#model/settings/environment-settings.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { Plan } from '#protocol/plan.ts';

/** The reason why the load of a variant cannot come from its load hosts, as a sentence; null where it can. */
export function noLoadHostsText(engine: EngineDescriptor, settings: Settings): string | null {
  const { loadFrom, connections, operation, pooler } = settings;
  const shares = hostShares(loadFrom);
  const twice = shares.find(({ host }, i) => shares.findIndex((one) => one.host === host) < i);
  if (twice) return `loadFrom names ${twice.host} twice; a weight gives it a larger part: ${twice.host}*2.`;
  const weighed = shares.filter(({ weight }) => weight !== null).length;
  if (weighed > 0 && weighed < shares.length)
    return 'loadFrom has weights for some load hosts; give all of them one, or none for a split by calibration.';
  if (isLocalLoad(loadFrom)) return null;
  if (engine.inProcess && !engine.reference)
    return `${engine.label} works inside the client process, so that load hosts would have databases of their own.`;
  if (hasEmulatedNetwork(settings))
    return 'The network emulator runs on this machine, and delays no connection of another load host.';
  if (pooler !== 'none') return 'The pooler listens on this machine alone, where other load hosts do not reach it.';
  if (operation === 'copy' && shares.length > 1)
    return 'One cursor reads the table that is copied, so that one load host copies it.';
  return shares.length > connections
    ? `${shares.length} load hosts need at least as many connections, not ${connections}.`
    : null;
}

/** The load hosts of a plan beside the machine that runs Dyno. */
export const loadHostsOf = ({ variants }: Pick<Plan, 'variants'>): readonly string[] => [
  ...new Set(variants.flatMap(({ settings }) => remoteHosts(settings.loadFrom))),
];
