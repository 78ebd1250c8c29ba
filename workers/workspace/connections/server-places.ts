import { realpathSync, statSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import type { EngineConfig } from '#engine-api/config.ts';
import { type CatalogEntry, findEngine } from '#engines/catalog.ts';
import type { Connection } from '#model/connections.ts';
import type { Tunnelled } from '#model/tunnel.ts';
import { configOf } from './connection-draft.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** A server as a connection, or a target of a file, writes it. */
export type WrittenServer = Pick<Connection, 'engine'> &
  Tunnelled & { readonly values: Readonly<Record<string, unknown>> };

/** Ways to compare names in addition to their spelling. */
export interface KnownNames {
  /** Values of `${env:NAME}`. */
  readonly variables: Variables;
  /** The addresses of a host's name, or the hosts and ports of a DNS record (SRV). Absent names are not known. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
}

/** Names as written, with this process' variables. */
export const asWritten: KnownNames = { variables: process.env, addresses: new Map() };

/** One of a server's addresses. */
interface NetPlace {
  /** Names and addresses of its host, in normalised spelling. */
  readonly hosts: readonly string[];
  /** Null if the address has none, so any port may be meant. */
  readonly port: number | null;
}

/** The places of a server. */
interface ServerPlaces {
  readonly engine: string;
  readonly net: readonly NetPlace[];
  /** Sockets and data files of this machine, in normalised spelling. */
  readonly files: readonly string[];
}

/** Represents this machine, however it is named. */
const here = 'this machine';
const ownNames: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'ip6-localhost',
  '',
  '.',
  '(local)',
]);

/**
 * A host in normalised spelling: names in lower case without a final dot, IPv4 addresses (in any base, or within IPv6)
 * as four numbers, and all names of this machine as one word.
 */
export function plainHost(host: string): string {
  const bare = host
    .trim()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .toLowerCase();
  const text = fourNumbers(urlHost(bare)).replace(/\.$/, '');
  return isHere(text) ? here : text;
}

/** A host as web addresses write it, with numbers of any base, and letters beyond ASCII. */
function urlHost(host: string): string {
  try {
    return new URL(`http://${host.includes(':') ? `[${host}]` : host}/`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return host;
  }
}

/** An address of IPv4 that is written within IPv6 (::ffff:7f00:1, 64:ff9b::7f00:1), as IPv4. */
function fourNumbers(host: string): string {
  const found = /^(?:::ffff:(?:0:)?|64:ff9b::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (!found) return host;
  const [high, low] = [found[1]!, found[2]!].map((part) => Number.parseInt(part, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isHere(host: string): boolean {
  if (ownNames.has(host) || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host)) return true;
  if (['::1', '::', '0.0.0.0', hostname().toLowerCase()].includes(host)) return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => plainAddress(address) === host));
}

const plainAddress = (address: string): string => fourNumbers(urlHost(address.replace(/%.*$/, '').toLowerCase()));

/** True for an address that another network may also have. Behind a tunnel, it belongs to another machine. */
const isRelative = (host: string): boolean =>
  host === here ||
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host) ||
  /^f[cde][0-9a-f]{2}:/.test(host);

/**
 * The places of a server that is written in this way; null if its values cannot be read, because a variable is unknown.
 */
export function placesOf(server: WrittenServer, known: KnownNames = asWritten): ServerPlaces | null {
  const read = readConfig(server, known);
  if (!read) return null;
  const { entry, config } = read;
  const { engine } = server;
  const socket = entry.config.socketFile?.(config) ?? null;
  if (socket !== null) {
    // Programs on this machine reach the same server by TCP, at a port that most socket names contain.
    const port = /\.(\d{1,5})$/.exec(socket)?.[1];
    return {
      engine,
      net: [{ hosts: [here], port: port === undefined ? null : Number(port) }],
      files: [fileKey(socket)],
    };
  }
  const endpoints = endpointsOf(entry, config, known);
  if (endpoints.length === 0) return { engine, net: [], files: [fileKey(entry.config.describe(config).address)] };
  return { engine, net: endpoints.flatMap((one) => reachedPlaces(one, server, known)), files: [] };
}

function readConfig({ engine, values }: WrittenServer, { variables }: KnownNames) {
  const entry = findEngine(engine);
  const config = entry && configOf(entry, filled(values, variables) as Readonly<Record<string, unknown>>);
  return entry && config ? { entry, config } : null;
}

type Written = { readonly host: string; readonly port: number | null };

function endpointsOf(
  { config: parser }: CatalogEntry,
  parsed: EngineConfig,
  { addresses }: KnownNames,
): readonly Written[] {
  const record = parser.hostsRecord?.(parsed) ?? null;
  const listed = record === null ? [] : (addresses.get(record) ?? []);
  return [
    ...parser.endpoints(parsed),
    ...listed.map((text) => {
      const [, host = '', port] = /^(.*):(\d+)$/.exec(text) ?? [];
      return { host, port: Number(port) };
    }),
  ];
}

/** The places of an endpoint, seen from this machine, and from the machine at the end of a tunnel. */
function reachedPlaces({ host, port }: Written, { ssh, socks }: Tunnelled, known: KnownNames): readonly NetPlace[] {
  const plain = plainHost(host);
  const end = ssh ?? socks;
  if (!end) return [{ hosts: namesOf(plain, known), port }];
  if (!isRelative(plain)) return [{ hosts: [plain], port }];
  const from = `${ssh ? 'ssh' : 'socks'} ${plainHost(end.host)} ${end.port ?? ''}`;
  return [
    { hosts: [`${from} ${plain}`], port },
    ...(plain === here ? [{ hosts: namesOf(plainHost(end.host), known), port }] : []),
  ];
}

const namesOf = (plain: string, { addresses }: KnownNames): readonly string[] => [
  ...new Set([plain, ...(addresses.get(plain) ?? []).map(plainHost)]),
];

/** Identifies an existing file, so that links and other paths to it are the same. */
function fileKey(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return ino > 0n ? `file ${dev} ${ino}` : `path ${realpathSync(path)}`;
  } catch {
    return `path ${path}`;
  }
}

/** True if the two are one server, as far as their addresses show. */
export function isSamePlace(a: ServerPlaces, b: ServerPlaces): boolean {
  const sameNet = a.net.some((one) =>
    b.net.some(
      (other) =>
        // A driver looks up a missing port, as for a named instance. The port of another engine is then no match.
        (one.port === other.port || ((one.port === null || other.port === null) && a.engine === b.engine)) &&
        one.hosts.some((host) => other.hosts.includes(host)),
    ),
  );
  return sameNet || (a.engine === b.engine && a.files.some((file) => b.files.includes(file)));
}

/** Names without an address anywhere (RFC 6761). */
const forDocuments = /(^|\.)(example|example\.(com|net|org)|invalid|test)$/;

/** Names whose addresses need a look-up: hosts of a server without a tunnel, ends of tunnels, and DNS records. */
export function namesToLookUp(
  server: WrittenServer,
  known: KnownNames,
): { readonly hosts: readonly string[]; readonly record: string | null } {
  const read = readConfig(server, known);
  if (!read) return { hosts: [], record: null };
  const { entry, config } = read;
  const record = entry.config.hostsRecord?.(config) ?? null;
  const { ssh, socks } = server;
  const end = ssh ?? socks;
  const plain = (end ? [end] : endpointsOf(entry, config, known)).map(({ host }) => plainHost(host));
  const isName = (host: string) =>
    /^[\p{L}\p{N}_.-]+$/u.test(host) && !/^[\d.]+$/.test(host) && !forDocuments.test(host);
  return { hosts: record === null || known.addresses.has(record) ? plain.filter(isName) : [], record };
}

/** Values with the known variables filled in. The parser checks the rest. */
function filled(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string')
    return value.replace(
      /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g,
      (reference, name: string) => variables[name] ?? reference,
    );
  if (Array.isArray(value)) return value.map((one) => filled(one, variables));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, variables)]));
  return value;
}
