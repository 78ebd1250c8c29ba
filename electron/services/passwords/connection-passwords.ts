import {
  type Connection,
  type ConnectionDraft,
  commandOf,
  type PasswordNeed,
  type Passwords,
} from '#model/connections.ts';
import { placeOf, savedFrom } from '#workspace/connections/connection-draft.ts';
import { missingPasswords } from '#workspace/connections/connection-passwords.ts';
import type { PasswordStore } from './password-store.ts';
import type { RememberedPasswords } from './remembered-passwords.ts';

/** Passwords for a run or test: the typed ones, else the stored or remembered ones; and the needs that remain. */
export function gatherPasswords(
  connections: readonly Connection[],
  typed: Passwords,
  store: PasswordStore,
  remembered: RememberedPasswords,
): { readonly passwords: Passwords; readonly needs: readonly PasswordNeed[] } {
  const passwords = Object.fromEntries(
    connections.map((connection) => [
      connection.id,
      { ...knownOf(connection, store, remembered), ...typed[connection.id] },
    ]),
  );
  return { passwords, needs: missingPasswords(connections, passwords, process.env) };
}

const knownOf = (
  connection: Connection,
  store: PasswordStore,
  remembered: RememberedPasswords,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(connection.passwords).flatMap(([field, place]) => {
      if (commandOf(place) !== null) return [];
      const found = (place === 'stored' ? store : remembered).open(connection.id, field, placeOf(connection));
      return found === null ? [] : [[field, found]];
    }),
  );

/** Fields whose password should be stored, but is neither typed nor stored for this server; the user must type it. */
export function unstored(draft: ConnectionDraft, store: PasswordStore): readonly string[] {
  return Object.entries(draft.passwords).flatMap(([field, { place, typed }]) =>
    place === 'stored' &&
    (typed === null || typed === '') &&
    !(draft.id !== null && store.has(draft.id, field, placeOf(asConnection(draft))))
      ? [field]
      : [],
  );
}

/** The connection that saving a draft would make. */
export const asConnection = (draft: ConnectionDraft): Connection => ({ id: draft.id ?? 'draft', ...savedFrom(draft) });
