import { isDeepStrictEqual } from 'node:util';
import { findBuiltIn } from '#engines/catalog.ts';
import type { CheckReport, ConnectionDraft, Passwords, SavedConnection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { type CheckTarget, checkTarget } from '#orchestrator/check/check-connection.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import type { Home } from '#platform/paths.ts';
import type { Tested } from '#protocol/ipc.ts';
import { noteCheck } from '#workspace/connections/connection-checks.ts';
import { savedFrom } from '#workspace/connections/connection-draft.ts';
import type { ConnectionStore } from '#workspace/connections/connections.ts';
import { unconfirmed } from '#workspace/connections/production-hosts.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { CommandConsent } from '../passwords/command-consent.ts';
import { asConnection, gatherPasswords } from '../passwords/connection-passwords.ts';
import type { PasswordStore } from '../passwords/password-store.ts';
import type { RememberedPasswords } from '../passwords/remembered-passwords.ts';
import { requireNoRun } from '../require-no-run.ts';
import { createRunningTests } from '../running-tests.ts';

interface ConnectionTests {
  readonly handlers: Pick<Handlers, 'connections:test' | 'connections:clean' | 'connections:cancelTest'>;
  /** Cancels running tests, because no page shows them. */
  cancelAll(): void;
  /** Cancels running tests and resolves when they have cleaned up. */
  close(): Promise<void>;
}

/** Runs tests of connections and built-in targets. `liveRun` returns the name of the run that measures now, if any. */
export function createConnectionTests(
  home: Home,
  connections: ConnectionStore,
  store: PasswordStore,
  remembered: RememberedPasswords,
  commands: CommandConsent,
  liveRun: () => string | null,
  send: Send,
): ConnectionTests {
  const tests = createRunningTests();

  /** The target of a test, and the saved connection that its result belongs to. */
  const checkOf = (tested: Tested, typed: Passwords): CheckTarget & { readonly savedAs: string | null } => {
    if ('builtIn' in tested) {
      const entry = findBuiltIn(tested.builtIn);
      if (!entry) throw new DynoError('badInput', `There is no built-in target “${tested.builtIn}”.`);
      return { target: tested.builtIn, engine: entry.descriptor.id, savedAs: null };
    }
    if ('id' in tested) return { connection: connections.get(tested.id), passwords: typed, savedAs: tested.id };
    const { draft } = tested;
    const connection = asConnection(draft);
    const own = Object.fromEntries(
      Object.entries(draft.passwords).flatMap(([field, one]) => (one.typed ? [[field, one.typed]] : [])),
    );
    const saved = connections.list().connections.find(({ id }) => id === draft.id);
    return {
      connection,
      passwords: { ...typed, [connection.id]: { ...own, ...typed[connection.id] } },
      savedAs: saved && isAsSaved(draft, saved) ? saved.id : null,
    };
  };

  return {
    handlers: {
      'connections:test': async ({ testId, tested, passwords: typed }) => {
        requireNoRun(liveRun(), 'a test');
        const check = checkOf(tested, typed);
        if ('draft' in tested && 'connection' in check)
          await commands.require(
            check.connection,
            connections.list().connections.find(({ id }) => id === tested.draft.id) ?? null,
          );
        const { passwords, needs } =
          'connection' in check
            ? gatherPasswords([check.connection], check.passwords, store, remembered)
            : { passwords: {}, needs: [] };
        if (needs.length > 0) return { needs };
        const report = await tests.run(testId, 'This test is going on already.', (signal) =>
          checkTarget({
            home,
            check: 'connection' in check ? { ...check, passwords } : check,
            signal,
            onChange: (now) => send('connection:tested', { testId, report: now }),
          }),
        );
        if (isRefused(report) && 'connection' in check) remembered.forget(check.connection.id);
        if (check.savedAs !== null) {
          noteCheck(home, check.savedAs, report);
          send('connections:changed', null);
        }
        return { report };
      },
      'connections:clean': async ({ id, drops, passwords: typed, confirmed }) => {
        const connection = connections.get(id);
        const toConfirm = drops ? unconfirmed([connection.name], [connection], confirmed) : [];
        if (toConfirm.length > 0) return { toConfirm };
        const { passwords, needs } = gatherPasswords([connection], typed, store, remembered);
        if (needs.length > 0) return { needs };
        const target = { connection, passwords };
        const report = await tests.run(`clean ${id}`, 'This server is being cleaned already.', (signal) =>
          cleanTarget({ home, target, drops, confirmed, signal, onActivity: () => {} }),
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

/** True if a draft equals the saved connection, but for its colour, and has no typed password. */
function isAsSaved(draft: ConnectionDraft, { id: _id, ...saved }: SavedConnection): boolean {
  const typed = Object.values(draft.passwords).some(({ place, typed: text }) => place === 'stored' && text);
  return !typed && isDeepStrictEqual({ ...savedFrom(draft), hue: saved.hue }, saved);
}
