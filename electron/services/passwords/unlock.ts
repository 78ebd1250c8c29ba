import type { Passwords } from '#model/connections.ts';
import type { Asked } from '#protocol/ipc.ts';
import { connectionsIn } from '#workspace/connections/connection-passwords.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import { planExperiment } from '#workspace/library/plan-experiment.ts';
import { gatherPasswords } from './connection-passwords.ts';
import type { PasswordStore } from './password-store.ts';
import type { RememberedPasswords } from './remembered-passwords.ts';
import type { TrustQuestions } from './trust-questions.ts';

/**
 * Calls a function with the passwords of an experiment's connections. Returns what to ask first: whether the user
 * trusts an experiment that came from elsewhere, then for passwords that are missing.
 */
export type Unlock = <T>(
  yaml: string,
  typed: Passwords,
  action: (passwords: Passwords) => Promise<T>,
) => Promise<T | Asked>;

export const createUnlock =
  (
    connections: ConnectionStore,
    store: PasswordStore,
    remembered: RememberedPasswords,
    trust: Pick<TrustQuestions, 'questionOf'>,
  ): Unlock =>
  async (yaml, typed, action) => {
    const all = connections.list().connections;
    const { plan } = planExperiment(yaml, all);
    const question = plan && trust.questionOf(yaml, plan, all);
    if (question) return question;
    const { passwords, needs } = gatherPasswords(
      connectionsIn(plan?.experiment.targets ?? [], all),
      typed,
      store,
      remembered,
    );
    return needs.length > 0 ? { needs } : action(passwords);
  };
