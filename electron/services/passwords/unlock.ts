import type { Passwords } from '#model/connections.ts';
import type { Answers, Asked } from '#protocol/ipc.ts';
import { parseFile } from '#rules/parsed-file.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import { unconfirmed } from '#workspace/connections/production-hosts.ts';
import { connectionsOf, type Gate, markedAs, type TrustedExperiment } from '#workspace/trust/gate.ts';
import { gatherPasswords } from './connection-passwords.ts';
import type { PasswordStore } from './password-store.ts';
import type { RememberedPasswords } from './remembered-passwords.ts';
import type { TrustQuestions } from './trust-questions.ts';
import type { UseConsent } from './use-consent.ts';

/**
 * Calls a function with an experiment that the user trusts, and the passwords of its connections. Throws 'badInput'
 * where the experiment has no plan, and 'cancelled' where the user does not let its targets use this machine. Returns
 * what to ask first: whether the user trusts an experiment that came from elsewhere, then for the hosts of production
 * connections, where the request can have them (`confirmed`), then for passwords that are missing.
 */
export type Unlock = <T>(
  yaml: string,
  answers: Pick<Answers, 'passwords'> & Partial<Answers>,
  action: (experiment: TrustedExperiment, passwords: Passwords) => Promise<T>,
) => Promise<T | Asked>;

export const createUnlock =
  (
    uses: Pick<UseConsent, 'targets'>,
    saved: Pick<ConnectionStore, 'list'>,
    store: PasswordStore,
    remembered: RememberedPasswords,
    gate: Pick<Gate, 'experiment'>,
    questions: Pick<TrustQuestions, 'questionOf'>,
  ): Unlock =>
  async (yaml, { passwords: typed, confirmed }, action) => {
    const file = parseFile(yaml);
    const judged = gate.experiment({ file }, false);
    if ('foreign' in judged) return questions.questionOf(file, judged.foreign);
    const { trusted } = judged;
    await uses.targets(trusted.targets);
    const connections = connectionsOf(trusted.targets);
    const toConfirm =
      confirmed === undefined ? [] : unconfirmed(trusted.targets.map(markedAs), saved.list().connections, confirmed);
    if (toConfirm.length > 0) return { toConfirm };
    const { passwords, needs } = gatherPasswords(connections, typed, store, remembered);
    return needs.length > 0 ? { needs } : action(trusted, passwords);
  };
