import { placeOf } from '#host/connection-draft.ts';
import { missingPasswords } from '#host/connection-passwords.ts';
import type { Connection, ConnectionDraft, PasswordNeed, Passwords } from '#model/connections.ts';
import type { PasswordStore } from './password-store.ts';

/** Passwords for a run or test: those that were typed, then those that are stored. What is still missing has to be asked for. */
export function gatherPasswords(
  connections: readonly Connection[],
  typed: Passwords,
  store: PasswordStore,
): { readonly passwords: Passwords; readonly needs: readonly PasswordNeed[] } {
  const passwords = Object.fromEntries(
    connections.map((connection) => [connection.id, { ...storedOf(connection, store), ...typed[connection.id] }]),
  );
  return { passwords, needs: missingPasswords(connections, passwords, process.env) };
}

const storedOf = (connection: Connection, store: PasswordStore): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(connection.passwords).flatMap(([field, place]) => {
      const found = place === 'stored' ? store.open(connection.id, field, placeOf(connection)) : null;
      return found === null ? [] : [[field, found]];
    }),
  );

/** Fields whose password is to be stored and is neither typed nor stored for this server: it has to be typed (again). */
export function unstored(draft: ConnectionDraft, store: PasswordStore): readonly string[] {
  return Object.entries(draft.passwords).flatMap(([field, { place, typed }]) =>
    place === 'stored' &&
    (typed === null || typed === '') &&
    !(draft.id !== null && store.has(draft.id, field, placeOf(asConnection(draft))))
      ? [field]
      : [],
  );
}

/** A draft as the connection it would become. */
export const asConnection = ({ id, name, engine, values, passwords }: ConnectionDraft): Connection => ({
  id: id ?? 'draft',
  name,
  engine,
  values,
  passwords: Object.fromEntries(Object.entries(passwords).map(([field, { place }]) => [field, place])),
});
