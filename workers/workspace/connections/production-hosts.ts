import { findEngine } from '#engines/catalog.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import type { ToConfirm } from '#model/production.ts';
import { configOf } from './connection-draft.ts';
import { connectionsIn } from './connection-passwords.ts';

/** What is typed to confirm a production connection: its hosts, else its address, else its name. */
function hostText(connection: Connection): string {
  const entry = findEngine(connection.engine);
  const config = entry && configOf(entry, connection.values);
  if (!config) return connection.name;
  const hosts = [...new Set(entry.config.endpoints(config).map(({ host }) => host))];
  return hosts.length > 0 ? hosts.join(',') : entry.config.describe(config).address;
}

/** The production connections among these targets whose hosts were not typed. Case does not matter in host names. */
export function unconfirmed(
  targets: readonly unknown[],
  connections: readonly Connection[],
  confirmed: readonly string[],
): readonly ToConfirm[] {
  const typed = new Set(confirmed.map((text) => text.trim().toLowerCase()));
  return connectionsIn(targets, connections)
    .filter(({ production }) => production !== undefined)
    .map((connection) => ({ connection: connection.name, host: hostText(connection) }))
    .filter(({ host }) => !typed.has(host.toLowerCase()));
}

/** Throws 'notConfirmed' where a production connection among these targets was not confirmed by its host's name. */
export function requireConfirmed(...given: Parameters<typeof unconfirmed>): void {
  const missing = unconfirmed(...given);
  if (missing.length === 0) return;
  const names = missing.map(({ connection, host }) => `“${connection}” (${host})`).join(', ');
  throw new DynoError('notConfirmed', `Marked as production, and not confirmed: ${names}.`, {
    hint: `If it is meant, type the name of the host: ${missing.map(({ host }) => `--confirm ${host}`).join(' ')}`,
  });
}
