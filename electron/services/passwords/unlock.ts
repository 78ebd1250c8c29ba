import type { Passwords } from '#model/connections.ts';
import type { Answers, Asked } from '#protocol/ipc.ts';
import { connectionsIn } from '#workspace/connections/connection-passwords.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import { unconfirmed } from '#workspace/connections/production-hosts.ts';
import { planExperiment } from '#workspace/library/plan-experiment.ts';
import { gatherPasswords } from './connection-passwords.ts';
import type { PasswordStore } from './password-store.ts';
import type { RememberedPasswords } from './remembered-passwords.ts';
import type { TrustQuestions } from './trust-questions.ts';

/**
 * Calls a function with the passwords of an experiment's connections. Returns what to ask first: whether the user
 * trusts an experiment that came from elsewhere, then for the hosts of production connections, where the request can
 * have them (`confirmed`), then for passwords that are missing.
 */
export type Unlock = <T>(
  yaml: string,
  answers: Pick<Answers, 'passwords'> & Partial<Answers>,
  action: (passwords: Passwords) => Promise<T>,
) => Promise<T | Asked>;

export const createUnlock =
  (
    connections: ConnectionStore,
    store: PasswordStore,
    remembered: RememberedPasswords,
    trust: Pick<TrustQuestions, 'questionOf'>,
  ): Unlock =>
  async (yaml, { passwords: typed, confirmed }, action) => {
    const all = connections.list().connections;
    const { plan } = planExperiment(yaml, all);
    const question = plan && trust.questionOf(yaml, plan, all);
    if (question) return question;
    const toConfirm = confirmed === undefined ? [] : unconfirmed(plan?.experiment.targets ?? [], all, confirmed);
    if (toConfirm.length > 0) return { toConfirm };
    const { passwords, needs } = gatherPasswords(
      connectionsIn(plan?.experiment.targets ?? [], all),
      typed,
      store,
      remembered,
    );
    return needs.length > 0 ? { needs } : action(passwords);
  };
