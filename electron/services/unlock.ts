import type { PasswordNeed, Passwords } from '#contract/connections.ts';
import { connectionsIn } from '../../workers/host/connection-passwords.ts';
import type { ConnectionStore } from '../../workers/host/connections.ts';
import { planExperiment } from '../../workers/host/plan-experiment.ts';
import { gatherPasswords } from './connection-passwords.ts';
import type { PasswordStore } from './password-store.ts';

/** Does something with the passwords of the connections that an experiment names; where some are missing, answers which. */
export type Unlock = <T>(
  yaml: string,
  typed: Passwords,
  action: (passwords: Passwords) => Promise<T>,
) => Promise<T | { readonly needs: readonly PasswordNeed[] }>;

export const createUnlock =
  (connections: ConnectionStore, store: PasswordStore): Unlock =>
  async (yaml, typed, action) => {
    const all = connections.list().connections;
    const targets = planExperiment(yaml, all).plan?.experiment.targets ?? [];
    const { passwords, needs } = gatherPasswords(connectionsIn(targets, all), typed, store);
    return needs.length > 0 ? { needs } : action(passwords);
  };
