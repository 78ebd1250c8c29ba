import type { EngineConfig, LocalUseKind } from '#engine-api/config.ts';
import { localUsesOf } from '#engine-api/local-use.ts';
import { type CatalogEntry, findEngine } from '#engines/catalog.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { literalPattern } from '#model/text/literal-pattern.ts';
import { oneLine } from '#model/text/printable.ts';

/** Decides against which targets the agent drives load. */
export interface TargetRules {
  /**
   * Throws 'permission' for a target that the rules exclude. It judges the engine's reading of the configuration, and
   * not the coordinator's description of it.
   */
  check(engine: string, config: EngineConfig): void;
}

/**
 * `patterns`: the servers, “host:port” with * for any characters, or the path of a Unix socket; none allows every
 * server. `uses`: the uses of the agent's machine that targets may make; a target that makes another one is refused.
 * Throws 'badInput' for a pattern that names no server.
 */
export function targetRules(patterns: readonly string[], uses: readonly LocalUseKind[] = []): TargetRules {
  const allowed = patterns.map(patternOf);
  return {
    check(engine, config) {
      const entry = findEngine(engine);
      if (!entry) throw new DynoError('unsupported', `This agent has no engine “${engine.slice(0, 60)}”.`);
      if (entry.descriptor.reference) return; // The target reaches nothing.
      if (entry.descriptor.inProcess)
        throw new DynoError('permission', 'An agent drives load against servers, and makes no files of its own.');
      const parsed = ownReading(entry, config);
      for (const { field, kind, value, does } of localUsesOf(entry.descriptor.config, entry.config, parsed))
        if (!uses.includes(kind))
          throw new DynoError(
            'permission',
            `This agent does not let ${field} ${oneLine(value)} of a target ${verb[kind]}: it ${does}.`,
            {
              hint: `Where the agent’s machine is to allow it: dyno agent --allow ${kind}.`,
            },
          );
      if (allowed.length === 0) return;
      const elsewhere = entry.config.leadsElsewhere?.(parsed) ?? null;
      if (elsewhere !== null)
        throw new DynoError('permission', `This agent drives load against servers that it can check. ${elsewhere}`, {
          hint: `It was started with --targets ${patterns.join(' --targets ')}: name the servers by host and port.`,
        });
      for (const address of addressesOf(entry, parsed))
        if (!allowed.some((matches) => matches(address)))
          throw new DynoError('permission', `This agent drives no load against ${addressText(address)}.`, {
            hint: `It was started with --targets ${patterns.join(' --targets ')}.`,
          });
    },
  };
}

const verb: Readonly<Record<LocalUseKind, string>> = {
  file: 'name a file of its machine',
  code: 'load code of its machine',
  identity: 'log in as its machine',
};

/**
 * The engine's own reading of a configuration. The address that replaces the target's is the coordinator's own tunnel
 * or network emulator.
 */
function ownReading({ config: parser }: CatalogEntry, { via, readOnly: _, ...config }: EngineConfig): EngineConfig {
  if (via !== undefined)
    throw new DynoError('permission', 'An agent connects to a target’s own address, and to no other in its place.', {
      hint: 'Tunnels and the network emulator are on the machine that runs Dyno: let it drive the load by itself.',
    });
  try {
    return parser.parse(config);
  } catch (thrown) {
    throw new DynoError('permission', `The target cannot be read: ${toErrorData(thrown).message}`);
  }
}

/** The address of connections: a server, with a null port if the driver finds it, or the path of a socket. */
type Address = { readonly host: string; readonly port: number | null } | { readonly socket: string };

function addressesOf({ config: parser }: CatalogEntry, config: EngineConfig): readonly Address[] {
  const socket = parser.socketFile?.(config) ?? null;
  const found = socket !== null ? [{ socket }] : parser.endpoints(config);
  if (found.length > 0) return found;
  throw new DynoError('permission', 'The target has no address that this agent could check.');
}

/** An IPv6 address stands in brackets, as in patterns. */
const hostText = (host: string): string => (host.includes(':') ? `[${host}]` : host);
const addressText = (address: Address): string =>
  'socket' in address ? address.socket : `${hostText(address.host)}:${address.port ?? '*'}`;

/** Host and port are compared separately, so that no host's name passes for a host with a port. */
function patternOf(pattern: string): (address: Address) => boolean {
  if (pattern.startsWith('/')) {
    const path = starsOf(pattern, '');
    return (address) => 'socket' in address && path.test(address.socket);
  }
  const { host, port = '*' } = /^(?<host>\[[^\]]+\]|[^:[\]]+)(?::(?<port>[\d*]+))?$/.exec(pattern)?.groups ?? {};
  if (host === undefined)
    throw new DynoError('badInput', `--targets ${oneLine(pattern)} names no server.`, {
      hint: 'host:port, with * for any characters, or the path of a socket; an address of IPv6 in brackets: [::1]:5432.',
    });
  const [hosts, ports] = [starsOf(host, 'i'), starsOf(port, '')];
  return (address) =>
    !('socket' in address) &&
    /^[\w.:%-]+$/.test(address.host) && // one host, and no list of several
    hosts.test(hostText(address.host)) &&
    ports.test(String(address.port ?? '*'));
}

/** Text with * for any characters. */
const starsOf = (text: string, flags: string): RegExp =>
  new RegExp(`^${text.split('*').map(literalPattern).join('.*')}$`, flags);
