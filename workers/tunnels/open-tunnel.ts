import type { Endpoint } from '#engine-api/config.ts';
import type { Ssh } from '#model/ssh.ts';
import { openSocksTunnel } from './socks-tunnel.ts';
import type { OpenSocks } from './socks5.ts';
import { openSshTunnel } from './ssh-tunnel.ts';
import type { Tunnel } from './tunnel.ts';

/** A tunnel to these servers that is not open yet. It may hold the proxy's password. */
export type PlannedTunnel = { readonly endpoints: readonly Endpoint[] } & (
  | { readonly kind: 'ssh'; readonly ssh: Ssh }
  | { readonly kind: 'socks'; readonly socks: OpenSocks }
);

/** Opens it. Throws what {@link openSshTunnel} and {@link openSocksTunnel} throw. */
export const openTunnel = (planned: PlannedTunnel, signal: AbortSignal): Promise<Tunnel> =>
  planned.kind === 'ssh'
    ? openSshTunnel(planned.ssh, planned.endpoints, signal)
    : openSocksTunnel(planned.socks, planned.endpoints, signal);
