import { findBuiltIn, findEngine } from '#engines/catalog.ts';
import type { TargetSpec } from '#experiment/schema/experiment.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { type ServerMark, strictest, type ToConfirm } from '#model/production.ts';
import type { Home } from '#platform/paths.ts';
import { isBuiltIn, writtenOut } from '#rules/targets/target-fields.ts';
import { configOf } from './connection-draft.ts';
import { lookUpServers } from './look-up-servers.ts';
import { connectionsToServer } from './server-identities.ts';
import { asWritten, isSamePlace, type KnownNames, placesOf, type WrittenServer } from './server-places.ts';

/** A target as an experiment names or writes it, or a connection that may be unsaved. */
type MarkedTarget = string | TargetSpec | Connection;

/** A production connection, with its mark. */
type ProductionConnection = Connection & { readonly production: NonNullable<Connection['production']> };

const isProduction = (connection: Connection): connection is ProductionConnection =>
  connection.production !== undefined;

/** The text to type to confirm a production connection: its hosts, or else its address, or else its name. */
function hostText(connection: Connection): string {
  const entry = findEngine(connection.engine);
  const config = entry && configOf(entry, connection.values);
  if (!config) return connection.name;
  const hosts = [...new Set(entry.config.endpoints(config).map(({ host }) => host))];
  return hosts.length > 0 ? hosts.join(',') : entry.config.describe(config).address;
}

/** True for a target that Dyno starts itself, which is nobody's production server. */
export function isDynosOwn(target: MarkedTarget): boolean {
  if (typeof target === 'string') return findBuiltIn(target) !== undefined;
  if (isConnection(target)) return false;
  const entry = findEngine(target.engine);
  return entry !== undefined && isBuiltIn(writtenOut(target), entry.descriptor);
}

const isConnection = (target: TargetSpec | Connection): target is Connection =>
  'values' in target && 'passwords' in target && typeof target.values === 'object';

/** The server of a target, or the connection that it is; null if Dyno starts it itself, or it is unknown. */
function serverOf(target: MarkedTarget, connections: readonly Connection[]): WrittenServer | Connection | null {
  if (isDynosOwn(target)) return null;
  if (typeof target === 'string') return connections.find(({ name }) => name === target) ?? null;
  if (isConnection(target)) return target;
  return findEngine(target.engine) ? { engine: target.engine, values: writtenOut(target) } : null;
}

/**
 * The production connections to whose server a target leads: the connection itself if it is marked, because its owner
 * has decided, otherwise all with the same address.
 */
function productionsAt(
  target: MarkedTarget,
  connections: readonly Connection[],
  known: KnownNames,
): readonly ProductionConnection[] {
  const server = serverOf(target, connections);
  if (!server) return [];
  const own = 'passwords' in server ? server : null;
  if (own && isProduction(own)) return [own];
  const places = placesOf(server, known);
  if (!places) return [];
  return connections.filter(isProduction).filter((one) => {
    const others = one.id === own?.id ? null : placesOf(one, known);
    return others !== null && isSamePlace(places, others);
  });
}

/** The protection of a target's server, by its address; null if no production connection leads to it. */
export function markOf(
  target: MarkedTarget,
  connections: readonly Connection[],
  known: KnownNames = asWritten,
): ServerMark | null {
  const found = productionsAt(target, connections, known);
  const [first] = found;
  if (!first) return null;
  const isItself = typeof target === 'string' ? target === first.name : 'id' in target && target.id === first.id;
  return isItself
    ? { production: first.production, of: [] }
    : { production: strictest(found.map(({ production }) => production)), of: found.map(({ name }) => name) };
}

/** Works like markOf(), but resolves the names of all hosts if their spelling shows no match. Never rejects. */
export async function markByAddress(
  target: MarkedTarget,
  connections: readonly Connection[],
  variables: KnownNames['variables'],
): Promise<ServerMark | null> {
  const spelled = markOf(target, connections, { variables, addresses: new Map() });
  const server = spelled ? null : serverOf(target, connections);
  const productions = connections.filter(isProduction);
  if (!server || productions.length === 0) return spelled;
  return markOf(target, connections, await lookUpServers([server, ...productions], variables));
}

/** The protection of a server that has reported its identity; null if no production connection has led to it. */
export function markByIdentity(
  home: Home,
  engine: string,
  identities: readonly string[],
  connections: readonly Connection[],
): ServerMark | null {
  const found = connectionsToServer(home, engine, identities, connections).filter(isProduction);
  return found.length === 0
    ? null
    : { production: strictest(found.map(({ production }) => production)), of: found.map(({ name }) => name) };
}

/** The production connections to which these targets lead and whose hosts were not typed, ignoring case. */
export function unconfirmed(
  targets: readonly MarkedTarget[],
  connections: readonly Connection[],
  confirmed: readonly string[],
): readonly ToConfirm[] {
  return notTyped(
    targets.flatMap((target) => productionsAt(target, connections, asWritten)),
    confirmed,
  );
}

function notTyped(found: readonly Connection[], confirmed: readonly string[]): readonly ToConfirm[] {
  const typed = new Set(confirmed.map((text) => text.trim().toLowerCase()));
  const byName = new Map(found.map((connection) => [connection.name, hostText(connection)]));
  return [...byName]
    .map(([connection, host]) => ({ connection, host }))
    .filter(({ host }) => !typed.has(host.toLowerCase()));
}

/** Throws 'notConfirmed' if a production connection of these targets was not confirmed by its host's name. */
export function requireConfirmed(...given: Parameters<typeof unconfirmed>): void {
  refuseUnconfirmed(unconfirmed(...given));
}

/** Throws 'notConfirmed' if a production connection of these names was not confirmed by its host's name. */
export function requireConfirmedNames(
  names: readonly string[],
  connections: readonly Connection[],
  confirmed: readonly string[],
): void {
  refuseUnconfirmed(
    notTyped(
      connections.filter(({ name }) => names.includes(name)),
      confirmed,
    ),
  );
}

function refuseUnconfirmed(missing: readonly ToConfirm[]): void {
  if (missing.length === 0) return;
  const names = missing.map(({ connection, host }) => `“${connection}” (${host})`).join(', ');
  throw new DynoError('notConfirmed', `Marked as production, and not confirmed: ${names}.`, {
    hint: `If it is meant, type the name of the host: ${missing.map(({ host }) => `--confirm ${host}`).join(' ')}`,
  });
}
