import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import type { Home } from '../../workers/host/paths.ts';
import { openRuns } from '../../workers/host/runs.ts';
import type { Handlers, Send } from '../ipc.ts';
import type { Closable } from '../quit.ts';
import { appInfo } from './app-info.ts';
import { experimentHandlers } from './experiment-handlers.ts';
import { createFiles } from './files.ts';
import { createKnownRates } from './known-rates.ts';
import { createLiveRuns } from './live-runs.ts';
import { runHandlers } from './run-handlers.ts';
import { createWatches } from './watches.ts';

export interface Services extends Closable {
  readonly handlers: Handlers;
  /** Lets go of what only the page that is gone wanted. */
  forgetPage(): void;
}

/** Everything behind the window: the host's library and runs, put behind the page's requests. */
export function createServices(home: Home, window: BrowserWindow, send: Send): Services {
  const files = createFiles(window);
  const knownRates = createKnownRates(join(home.root, 'electron/rates.json'));
  const watches = createWatches(send);
  const live = createLiveRuns(home, knownRates, watches, send);
  let unsaved: string | null = null;
  return {
    handlers: {
      'app:info': () => appInfo(home),
      'app:unsaved': ({ name }) => {
        unsaved = name;
        return null;
      },
      ...experimentHandlers(home, files, knownRates, send),
      ...runHandlers(home, openRuns(home), live, watches, files, send),
      'files:save': async ({ name, format, data }) => ({
        saved: await files.save(name, format, format === 'png' ? Buffer.from(data, 'base64') : data),
      }),
    },
    unsaved: () => unsaved,
    forgetPage: watches.close,
    liveRuns: () => live.all().map((run) => run.plan.experiment.name),
    async close() {
      watches.close();
      await live.cancelAll();
    },
  };
}
