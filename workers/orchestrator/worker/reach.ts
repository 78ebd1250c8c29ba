import { configThrough, type Endpoint } from '#engine-api/config.ts';
import { openTunnel } from '#tunnels/open-tunnel.ts';
import type { Tunnel } from '#tunnels/tunnel.ts';
import { type ConfiguredTarget, catalogEntry } from './targets.ts';

/** A target whose server can be reached as its configuration says; through its tunnel, where it has one. */
export interface ReachedTarget extends ConfiguredTarget {
  /** Open until it is disposed of; null: there is none. */
  readonly tunnel: Tunnel | null;
  /** The address to which connections to an endpoint of the target go. */
  instead(of: Endpoint): Endpoint;
}

/** Opens the target's tunnel, where it has one, and sends its connections there. Throws what openTunnel throws. */
export async function reachTarget(
  engine: string,
  target: ConfiguredTarget,
  signal: AbortSignal,
): Promise<ReachedTarget> {
  if (target.plannedTunnel === null) return { ...target, tunnel: null, instead: (of) => of };
  const tunnel = await openTunnel(target.plannedTunnel, signal);
  const { instead } = tunnel;
  const config = configThrough(catalogEntry(engine).config, target.config, instead);
  return { ...target, tunnel, instead, config };
}
