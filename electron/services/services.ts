import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { Home } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { createPreviews } from '#workspace/library/previews.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import type { Handlers, Send } from '../ipc.ts';
import type { Closable } from '../quit.ts';
import { readAppInfo } from './app-info.ts';
import { connectionHandlers } from './connection-handlers.ts';
import { createConnectionTests } from './connection-tests.ts';
import { experimentHandlers } from './experiment-handlers.ts';
import { createFiles } from './files.ts';
import { createKnownRates } from './known-rates.ts';
import { createLiveRuns } from './live-runs.ts';
import { createPasswordStore } from './password-store.ts';
import { runHandlers } from './run-handlers.ts';
import { createStatementTries } from './statement-handlers.ts';
import { createUnlock } from './unlock.ts';
import { createWatches } from './watches.ts';

interface Services extends Closable {
  readonly handlers: Handlers;
  /** Ends the requests of a page that no longer exists. */
  forgetPage(): void;
}

/** Everything behind the window: the library, connections and runs that answer the page's requests. */
export function createServices(home: Home, window: BrowserWindow, send: Send): Services {
  const files = createFiles(window);
  const knownRates = createKnownRates(join(home.root, 'electron/rates.json'));
  const watches = createWatches(send);
  const connections = openConnectionStore(home);
  const passwords = createPasswordStore(join(home.root, 'electron/passwords.json'));
  const live = createLiveRuns(home, knownRates, watches, send);
  const liveRun = () => live.all()[0]?.plan.experiment.name ?? null;
  const unlock = createUnlock(connections, passwords);
  const tries = createStatementTries(home, unlock, liveRun);
  const tests = createConnectionTests(home, connections, passwords, liveRun, send);
  const previews = createPreviews();
  let unsaved: string | null = null;
  return {
    handlers: {
      'app:info': () => readAppInfo(home),
      'app:unsaved': ({ name }) => {
        unsaved = name;
      },
      ...experimentHandlers(home, connections, files, knownRates, previews, send),
      ...runHandlers(home, openRuns(home), live, unlock, watches, files, send),
      ...connectionHandlers(home, connections, passwords, send),
      ...tests.handlers,
      ...tries.handlers,
      'files:save': async ({ name, format, data }) => ({
        saved: await files.save(name, format, format === 'png' ? Buffer.from(data, 'base64') : data),
      }),
    },
    unsaved: () => unsaved,
    forgetPage() {
      watches.close();
      tests.cancelAll();
      tries.cancelAll();
    },
    liveRuns: () => live.all().map((run) => run.plan.experiment.name),
    async close() {
      watches.close();
      await Promise.all([live.cancelAll(), tests.close(), tries.close(), previews.close()]);
    },
  };
}
