import type { PasswordNeed, Passwords } from '#model/connections.ts';
import { connectionsIn } from '#workspace/connections/connection-passwords.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import { planExperiment } from '#workspace/library/plan-experiment.ts';
import { gatherPasswords } from './connection-passwords.ts';
import type { PasswordStore } from './password-store.ts';
import type { RememberedPasswords } from './remembered-passwords.ts';

/** Calls a function with the passwords of an experiment's connections; if some are missing, returns which. */
export type Unlock = <T>(
  yaml: string,
  typed: Passwords,
  action: (passwords: Passwords) => Promise<T>,
) => Promise<T | { readonly needs: readonly PasswordNeed[] }>;

export const createUnlock =
  (connections: ConnectionStore, store: PasswordStore, remembered: RememberedPasswords): Unlock =>
  async (yaml, typed, action) => {
    const all = connections.list().connections;
    const targets = planExperiment(yaml, all).plan?.experiment.targets ?? [];
    const { passwords, needs } = gatherPasswords(connectionsIn(targets, all), typed, store, remembered);
    return needs.length > 0 ? { needs } : action(passwords);
  };
