import type { Endpoint, EngineConfig } from '#engine-api/config.ts';
import type { CatalogEntry } from '#engines/catalog.ts';
import type { DraftProblem } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { socksProblems } from '#model/socks.ts';
import { sshProblems } from '#model/ssh.ts';
import type { Tunnelled } from '#model/tunnel.ts';

/** The servers to which a tunnel of this target must lead. Throws 'unsupported' if no tunnel can lead to them. */
export function tunnelledEndpoints(
  { descriptor, config }: Pick<CatalogEntry, 'descriptor' | 'config'>,
  parsed: EngineConfig,
): readonly Endpoint[] {
  if (!config.through)
    throw new DynoError(
      'unsupported',
      `${descriptor.label} uses no network that an SSH tunnel or a SOCKS proxy could take the place of.`,
    );
  // Throws if the driver cannot be redirected.
  config.through(parsed, (endpoint) => endpoint);
  const endpoints = config.endpoints(parsed).filter((one): one is Endpoint => one.port !== null);
  if (endpoints.length > 0) return endpoints;
  const { address } = config.describe(parsed);
  throw new DynoError('unsupported', `${address} is not reached by TCP, as SSH tunnels and SOCKS proxies need it.`, {
    hint: 'Give host and port as the SSH host or proxy knows them, not a socket file.',
  });
}

/** The problems of a connection's tunnel, without checking if its engine can use one. */
export const tunnelPartProblems = ({ ssh, socks }: Tunnelled): readonly DraftProblem[] => [
  ...(ssh ? sshProblems(ssh) : []).map(({ part, ...rest }) => ({ field: `ssh.${part}`, ...rest })),
  ...(socks ? socksProblems(socks) : []).map(({ part, ...rest }) => ({ field: `socks.${part}`, ...rest })),
  ...(ssh && socks ? [both] : []),
];

const both: DraftProblem = {
  field: 'socks',
  message: 'A connection goes through an SSH server or through a SOCKS proxy, not through both.',
  hint: 'To reach the SSH server through the proxy, write a ProxyCommand for it into ~/.ssh/config.',
};

/** The problems of a connection's tunnel; with `parsed`, also if its engine cannot use one. */
export function tunnelProblems(
  tunnelled: Tunnelled,
  entry: CatalogEntry,
  parsed: EngineConfig | null,
): readonly DraftProblem[] {
  const problems = tunnelPartProblems(tunnelled);
  const { ssh, socks } = tunnelled;
  if ((!ssh && !socks) || problems.length > 0 || parsed === null) return problems;
  try {
    tunnelledEndpoints(entry, parsed);
    return [];
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    return [{ field: ssh ? 'ssh' : 'socks', message, hint }];
  }
}
