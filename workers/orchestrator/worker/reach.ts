import { configThrough, type Endpoint } from '#engine-api/config.ts';
import { openTunnel } from '#tunnels/open-tunnel.ts';
import type { Tunnel } from '#tunnels/tunnel.ts';
import { type ConfiguredTarget, catalogEntry } from './targets.ts';

/** A target whose server can be reached by its configuration, through its tunnel if it has one. */
export interface ReachedTarget extends ConfiguredTarget {
  /** The open tunnel, until it is disposed of; null without a tunnel. */
  readonly tunnel: Tunnel | null;
  /** The address to which connections to an endpoint of the target go. */
  instead(of: Endpoint): Endpoint;
}

/** Opens the target's tunnel, if it has one, and redirects its connections to it. Throws the errors of openTunnel. */
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
