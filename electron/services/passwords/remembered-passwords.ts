/**
 * Passwords that the user wants to be remembered until Dyno quits, each for one server. They exist only in this
 * process's memory: never in a file, and never sent to the page.
 */
export interface RememberedPasswords {
  put(connection: string, field: string, place: string, password: string): void;
  /** The password; null without one that was typed for this place. */
  open(connection: string, field: string, place: string): string | null;
  /** Forgets the passwords of a connection, for instance because its server refused them. */
  forget(connection: string): void;
}

export function createRememberedPasswords(): RememberedPasswords {
  const all = new Map<string, Map<string, { readonly place: string; readonly password: string }>>();
  return {
    put(connection, field, place, password) {
      const own = all.get(connection) ?? new Map();
      all.set(connection, own.set(field, { place, password }));
    },
    open(connection, field, place) {
      const found = all.get(connection)?.get(field);
      return found?.place === place ? found.password : null;
    },
    forget(connection) {
      all.delete(connection);
    },
  };
}
