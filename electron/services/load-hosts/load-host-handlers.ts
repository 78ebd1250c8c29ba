import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DynoError, toErrorData } from '#model/error.ts';
import type { LoadHostEntry } from '#model/load-host-check.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { checkLoadHost, coordinatorKey } from '#orchestrator/check/check-load-host.ts';
import type { Home } from '#platform/paths.ts';
import { forgetHostCheck, lastHostCheck, noteHostCheck } from '#workspace/load-hosts/load-host-checks.ts';
import { loadHosts, removeLoadHost, requireLoadHosts, saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import type { Handlers, Send } from '../../ipc.ts';
import type { UseConsent } from '../passwords/use-consent.ts';
import { requireNoRun } from '../require-no-run.ts';
import { createRunningTests } from '../running-tests.ts';

interface LoadHostServices {
  readonly handlers: Pick<Handlers, Extract<keyof Handlers, `hosts:${string}`>>;
  /** Cancels running tests, because no page shows them. */
  cancelAll(): void;
  /** Cancels running tests and resolves when they have cleaned up. */
  close(): Promise<void>;
}

/** The page's load hosts, and their tests. `liveRun` returns the name of the current run, or null. */
export function createLoadHostServices(
  home: Home,
  uses: Pick<UseConsent, 'loadHost'>,
  liveRun: () => string | null,
  send: Send,
): LoadHostServices {
  const deleted = new Map<string, SavedLoadHost>();
  const tests = createRunningTests();
  const entryOf = (host: SavedLoadHost): LoadHostEntry => ({ host, lastCheck: lastHostCheck(home, host.name) });
  const changed = <T>(value: T): T => {
    send('hosts:changed', null);
    return value;
  };
  const isSaved = (host: SavedLoadHost): boolean => {
    try {
      return loadHosts(home).some((one) => isDeepStrictEqual(one, host));
    } catch {
      return false; // Their file cannot be read.
    }
  };

  return {
    handlers: {
      'hosts:list': () => {
        try {
          return { hosts: loadHosts(home).map(entryOf), problem: null };
        } catch (thrown) {
          return { hosts: [], problem: toErrorData(thrown).message };
        }
      },
      'hosts:key': () => coordinatorKey(home),
      'hosts:save': async ({ host, before }) => {
        if (!isSaved(host)) {
          await uses.loadHost(host);
          saveLoadHost(home, host, before ?? '');
          for (const name of [host.name, ...(before === null ? [] : [before])]) forgetHostCheck(home, name);
        }
        return changed(entryOf(host));
      },
      'hosts:delete': ({ name }) => {
        const [host] = requireLoadHosts(home, [name]);
        removeLoadHost(home, name);
        const undo = randomUUID();
        if (host) deleted.set(undo, host);
        return changed({ undo });
      },
      'hosts:restore': ({ undo }) => {
        const host = deleted.get(undo);
        if (!host) throw new DynoError('badInput', 'This load host cannot be brought back any more.');
        saveLoadHost(home, host, '');
        deleted.delete(undo);
        return changed(entryOf(host));
      },
      'hosts:test': async ({ testId, host }) => {
        requireNoRun(liveRun(), 'a test');
        if (!isSaved(host)) await uses.loadHost(host);
        const report = await tests.run(testId, 'This test is going on already.', (signal) =>
          checkLoadHost({ home, host, signal, onChange: (now) => send('host:tested', { testId, report: now }) }),
        );
        if (isSaved(host)) {
          noteHostCheck(home, host.name, report);
          send('hosts:changed', null);
        }
        return { report };
      },
      'hosts:cancelTest': ({ testId }) => tests.cancel(testId),
    },
    cancelAll: tests.cancelAll,
    close: tests.close,
  };
}
