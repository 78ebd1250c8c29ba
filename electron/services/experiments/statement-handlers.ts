import { DynoError } from '#model/error.ts';
import { keptOnServer, ownTablesOf, tableFactsOf, toldStatementsOf } from '#orchestrator/try/ask-target.ts';
import { tryOnce } from '#orchestrator/try/try-once.ts';
import type { Home } from '#platform/paths.ts';
import type { ScriptDrafts } from '#workspace/library/script-drafts.ts';
import type { Handlers } from '../../ipc.ts';
import type { Unlock } from '../passwords/unlock.ts';
import { requireNoRun } from '../require-no-run.ts';

type StatementChannel = Extract<keyof Handlers, `statements:${string}`>;

interface StatementTries {
  readonly handlers: Pick<Handlers, StatementChannel>;
  cancelAll(): void;
  /** Cancels, and resolves when the statements are rolled back and their tables dropped. */
  close(): Promise<void>;
}

/**
 * Tries statements and reads tables for the page, one request at a time. `liveRun` returns the name of the current run,
 * or null.
 */
export function createStatementTries(
  home: Home,
  unlock: Unlock,
  liveRun: () => string | null,
  scripts: ScriptDrafts,
): StatementTries {
  let current: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;

  async function alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    requireNoRun(liveRun(), 'this');
    if (current)
      throw new DynoError('badInput', 'A statement is being tried already.', { hint: 'Wait for it, or stop it.' });
    const stop = new AbortController();
    const ended = work(stop.signal);
    current = { stop, ended };
    try {
      return await ended;
    } finally {
      current = null;
    }
  }

  const onActivity = () => {};
  const cancelAll = () => current?.stop.abort();
  return {
    handlers: {
      'statements:draft': async ({ script, engine, rows }) => ({ draft: await scripts.pasted(script, engine, rows) }),
      'statements:try': ({ text, target, item, ...answers }) =>
        unlock(text, answers, async (experiment, all) => ({
          reports: await alone((signal) =>
            tryOnce({
              ...{ home, experiment },
              ...(target !== null && { target }),
              ...(item !== null && { items: [item] }),
              passwords: all,
              confirmed: answers.confirmed,
              signal,
              onActivity,
            }),
          ),
        })),
      'statements:tables': ({ text, target, passwords }) =>
        unlock(text, { passwords }, async (experiment, all) => ({
          tables: await alone((signal) =>
            ownTablesOf({ home, experiment, target, passwords: all, signal, onActivity }),
          ),
        })),
      'statements:kept': ({ text, target, passwords }) =>
        unlock(text, { passwords }, async (experiment, all) => ({
          statements: await alone((signal) =>
            keptOnServer({ home, experiment, target, passwords: all, signal, onActivity }),
          ),
        })),
      'statements:import': ({ text, target, passwords }) =>
        unlock(text, { passwords }, (experiment, all) =>
          alone((signal) => toldStatementsOf({ home, experiment, target, passwords: all, signal, onActivity })),
        ),
      'statements:importTables': ({ text, target, passwords }) =>
        unlock(text, { passwords }, async (experiment, all) => ({
          facts: await alone((signal) =>
            tableFactsOf({ home, experiment, target, passwords: all, signal, onActivity }),
          ),
        })),
      'statements:cancel': () => cancelAll(),
    },
    cancelAll,
    async close() {
      cancelAll();
      await current?.ended.catch(() => {});
    },
  };
}
