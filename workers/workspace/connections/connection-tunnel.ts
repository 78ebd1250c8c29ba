import type { Endpoint, EngineConfig } from '#engine-api/config.ts';
import type { CatalogEntry } from '#engines/catalog.ts';
import type { Connection, DraftProblem } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { sshProblems } from '#model/ssh.ts';

/** The servers to which an SSH tunnel of this target has to lead. Throws 'unsupported' where none can. */
export function tunnelledEndpoints(
  { descriptor, config }: Pick<CatalogEntry, 'descriptor' | 'config'>,
  parsed: EngineConfig,
): readonly Endpoint[] {
  if (!config.through)
    throw new DynoError(
      'unsupported',
      `${descriptor.label} uses no network that an SSH tunnel could take the place of.`,
    );
  // Throws where the driver cannot be sent elsewhere.
  config.through(parsed, (endpoint) => endpoint);
  const endpoints = config.endpoints(parsed).filter((one): one is Endpoint => one.port !== null);
  if (endpoints.length > 0) return endpoints;
  throw new DynoError('unsupported', `${config.describe(parsed).address} is not reached by TCP, as SSH tunnels are.`, {
    hint: 'Give host and port as the SSH host knows them, not a socket file.',
  });
}

/** What is wrong with a connection's SSH server; with `parsed`, also whether its engine can go through one. */
export function tunnelProblems(
  ssh: Connection['ssh'],
  entry: CatalogEntry,
  parsed: EngineConfig | null,
): readonly DraftProblem[] {
  if (ssh === undefined) return [];
  const problems = sshProblems(ssh).map(
    ({ part, message, hint }): DraftProblem => ({ field: `ssh.${part}`, message, hint }),
  );
  if (problems.length > 0 || parsed === null) return problems;
  try {
    tunnelledEndpoints(entry, parsed);
    return [];
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    return [{ field: 'ssh', message, hint }];
  }
}
