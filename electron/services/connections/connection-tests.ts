import { isDeepStrictEqual } from 'node:util';
import type { CheckReport, ConnectionDraft, Passwords, SavedConnection } from '#model/connections.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import type { Home } from '#platform/paths.ts';
import type { Tested } from '#protocol/ipc.ts';
import { noteCheck } from '#workspace/connections/connection-checks.ts';
import { savedFrom } from '#workspace/connections/connection-draft.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import { unconfirmed } from '#workspace/connections/production-hosts.ts';
import { builtInTarget, connectionsOf, type TrustedTarget, usersConnection } from '#workspace/trust/gate.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { CommandConsent } from '../passwords/command-consent.ts';
import { asConnection, gatherPasswords } from '../passwords/connection-passwords.ts';
import type { PasswordStore } from '../passwords/password-store.ts';
import type { RememberedPasswords } from '../passwords/remembered-passwords.ts';
import type { UseConsent } from '../passwords/use-consent.ts';
import { requireNoRun } from '../require-no-run.ts';
import { createRunningTests } from '../running-tests.ts';

interface ConnectionTests {
  readonly handlers: Pick<Handlers, 'connections:test' | 'connections:clean' | 'connections:cancelTest'>;
  /** Cancels running tests, because no page shows them. */
  cancelAll(): void;
  /** Cancels running tests and resolves when they have cleaned up. */
  close(): Promise<void>;
}

/** Runs tests of connections and built-in targets. `liveRun` returns the name of the current run, or null. */
export function createConnectionTests(
  home: Home,
  connections: ConnectionStore,
  store: PasswordStore,
  remembered: RememberedPasswords,
  commands: CommandConsent,
  uses: UseConsent,
  liveRun: () => string | null,
  send: Send,
): ConnectionTests {
  const tests = createRunningTests();

  /**
   * The target of a test, the typed passwords, and the saved connection that its result belongs to. Asks the user
   * before running a program of a draft, and before a draft uses this machine.
   */
  const targetOf = async (
    tested: Tested,
    typed: Passwords,
  ): Promise<{ readonly target: TrustedTarget; readonly typed: Passwords; readonly savedAs: string | null }> => {
    if ('builtIn' in tested) return { target: builtInTarget(tested.builtIn), typed: {}, savedAs: null };
    if ('id' in tested) return { target: usersConnection(connections.get(tested.id)), typed, savedAs: tested.id };
    const { draft } = tested;
    const connection = asConnection(draft);
    const own = Object.fromEntries(
      Object.entries(draft.passwords).flatMap(([field, one]) => (one.typed ? [[field, one.typed]] : [])),
    );
    const saved = connections.list().connections.find(({ id }) => id === draft.id) ?? null;
    await commands.require(connection, saved);
    await uses.connection(connection, saved);
    return {
      target: usersConnection(connection),
      typed: { ...typed, [connection.id]: { ...own, ...typed[connection.id] } },
      savedAs: saved && isAsSaved(draft, saved) ? saved.id : null,
    };
  };

  return {
    handlers: {
      'connections:test': async ({ testId, tested, passwords: given }) => {
        requireNoRun(liveRun(), 'a test');
        const { target, typed, savedAs } = await targetOf(tested, given);
        const { passwords, needs } = gatherPasswords(connectionsOf([target]), typed, store, remembered);
        if (needs.length > 0) return { needs };
        const report = await tests.run(testId, 'This test is going on already.', (signal) =>
          checkTarget({
            ...{ home, target, passwords, signal },
            onChange: (now) => send('connection:tested', { testId, report: now }),
          }),
        );
        if (isRefused(report) && target.connection) remembered.forget(target.connection.id);
        if (savedAs !== null) {
          noteCheck(home, savedAs, report);
          send('connections:changed', null);
        }
        return { report };
      },
      'connections:clean': async ({ id, drops, dropsUnsure, passwords: typed, confirmed }) => {
        const connection = connections.get(id);
        const toConfirm = drops ? unconfirmed([connection], connections.list().connections, confirmed) : [];
        if (toConfirm.length > 0) return { toConfirm };
        const { passwords, needs } = gatherPasswords([connection], typed, store, remembered);
        if (needs.length > 0) return { needs };
        const target = usersConnection(connection);
        const report = await tests.run(`clean ${id}`, 'This server is being cleaned already.', (signal) =>
          cleanTarget({ home, target, passwords, drops, dropsUnsure, confirmed, signal, onActivity: () => {} }),
        );
        return { report };
      },
      'connections:cancelTest': ({ testId }) => tests.cancel(testId),
    },
    cancelAll: tests.cancelAll,
    close: tests.close,
  };
}

/** True if the server refused the password. */
const isRefused = ({ steps }: CheckReport): boolean =>
  steps.some(({ step, error }) => step === 'login' && error?.kind === 'authentication');

/** True if a draft equals the saved connection, except for its colour, and has no typed password. */
function isAsSaved(draft: ConnectionDraft, { id: _id, ...saved }: SavedConnection): boolean {
  const typed = Object.values(draft.passwords).some(({ place, typed: text }) => place === 'stored' && text);
  return !typed && isDeepStrictEqual({ ...savedFrom(draft), hue: saved.hue }, saved);
}
