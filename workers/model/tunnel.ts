import { type Socks, socksText } from './socks.ts';
import { type Ssh, sshText } from './ssh.ts';

/** The tunnels between Dyno and a target's server: an SSH server, or a SOCKS proxy. */
export const tunnelKinds = ['ssh', 'socks'] as const;
/** One of them. */
export type TunnelKind = (typeof tunnelKinds)[number];

/** The tunnel of a connection; at most one of the two. Neither: the connection is direct. */
export interface Tunnelled {
  readonly ssh?: Ssh;
  readonly socks?: Socks;
}

/** The details of a target that name its tunnel (ConfigParser.describe uses none of these names). */
export const tunnelDetails = { ssh: 'SSH tunnel', socks: 'SOCKS proxy' } as const satisfies Record<TunnelKind, string>;

/** The names of the tunnels within a sentence. */
export const tunnelWords = {
  ssh: 'an SSH tunnel',
  socks: 'a SOCKS proxy',
} as const satisfies Record<TunnelKind, string>;

/** The address of a server, with its tunnel. */
export const throughTunnel = (address: string, { ssh, socks }: Tunnelled): string =>
  [
    address,
    ...(ssh === undefined ? [] : [`through SSH ${sshText(ssh)}`]),
    ...(socks === undefined ? [] : [`through SOCKS ${socksText(socks)}`]),
  ].join(' ');

/** The details of a target that describe its tunnel. */
export const tunnelDetailsOf = ({ ssh, socks }: Tunnelled): Readonly<Record<string, string>> => ({
  ...(ssh && { [tunnelDetails.ssh]: [sshText(ssh), ...(ssh.jump ? [`jump hosts ${ssh.jump}`] : [])].join(', ') }),
  ...(socks && { [tunnelDetails.socks]: socksText(socks) }),
});
