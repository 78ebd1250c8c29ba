import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { shell } from 'electron';
import { DynoError } from '#model/error.ts';
import { requestEnd } from '#orchestrator/run/end-now.ts';
import { learnNodeVersions } from '#platform/node-program.ts';
import type { Home } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { createChecks } from '#workspace/library/checks.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { createPreviews } from '#workspace/library/previews.ts';
import { createRowFiles } from '#workspace/library/row-files.ts';
import { createScriptDrafts } from '#workspace/library/script-drafts.ts';
import { readDurations } from '#workspace/runs/known-durations.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { desktopOf } from '../desktop.ts';
import type { Handlers, Send } from '../ipc.ts';
import type { OpenWish } from '../open-wishes.ts';
import type { Closable } from '../quit.ts';
import { readAppInfo } from './app-info.ts';
import { connectionHandlers } from './connections/connection-handlers.ts';
import { createConnectionTests } from './connections/connection-tests.ts';
import { importHandlers } from './connections/import-handlers.ts';
import { createServerInstalls } from './connections/server-installs.ts';
import { experimentHandlers } from './experiments/experiment-handlers.ts';
import { createStatementTries } from './experiments/statement-handlers.ts';
import { createFiles } from './files/files.ts';
import { createKeptConnections } from './files/kept-connections.ts';
import { createKeptDrafts } from './files/kept-drafts.ts';
import { createOpenedFiles } from './files/opened-files.ts';
import { createRecentFiles } from './files/recent-files.ts';
import { createLoadHostServices } from './load-hosts/load-host-handlers.ts';
import { createCommandConsent } from './passwords/command-consent.ts';
import { createPasswordStore } from './passwords/password-store.ts';
import { createRememberedPasswords } from './passwords/remembered-passwords.ts';
import { createTrustQuestions } from './passwords/trust-questions.ts';
import { createUnlock } from './passwords/unlock.ts';
import { createUseConsent } from './passwords/use-consent.ts';
import { createLiveRuns } from './runs/live-runs.ts';
import { runHandlers } from './runs/run-handlers.ts';
import { createWatches } from './runs/watches.ts';

interface Services extends Closable {
  readonly handlers: Handlers;
  /** Opens files and links from outside the window; see opened-files.ts. */
  open(wishes: readonly OpenWish[]): Promise<void>;
  /** Ends the requests of a page that no longer exists. */
  forgetPage(): void;
}

/** Everything behind the window: the library, connections and runs for the page's requests. */
export function createServices(home: Home, window: BrowserWindow, send: Send): Services {
  const files = createFiles(window);
  const watches = createWatches(send);
  const connections = openConnectionStore(home);
  const passwords = createPasswordStore(join(home.root, 'electron/passwords.json'));
  const remembered = createRememberedPasswords();
  const forgetPassword = (target: string) => {
    const refused = connections.list().connections.find(({ name }) => name === target);
    if (refused) remembered.forget(refused.id);
  };
  const beingInstalled = () => installs.current();
  const live = createLiveRuns(home, watches, desktopOf(window), beingInstalled, forgetPassword, send);
  const liveRun = () => live.all()[0]?.plan.experiment.name ?? null;
  const library = openLibrary(home);
  const trust = openTrust(home, library);
  const questions = createTrustQuestions(trust);
  const gate = openGate(home, trust);
  const commands = createCommandConsent(window);
  const uses = createUseConsent(window, join(home.root, 'electron/agreed-uses.json'));
  const unlock = createUnlock(uses, connections, passwords, remembered, gate, questions);
  const scripts = createScriptDrafts();
  const tries = createStatementTries(home, unlock, liveRun, scripts);
  const tests = createConnectionTests(home, connections, passwords, remembered, commands, uses, liveRun, send);
  const previews = createPreviews(home.experiments);
  const rowFiles = createRowFiles(home.experiments);
  const checks = createChecks();
  const runs = openRuns(home);
  const recent = createRecentFiles(join(home.root, 'electron/recent.json'));
  const opened = createOpenedFiles(home, library, runs, trust, recent, send, files.chooseDialect, scripts);
  const drafts = createKeptDrafts(join(home.root, 'electron/drafts.json'));
  const keptConnections = createKeptConnections(join(home.root, 'electron/connection-drafts.json'));
  const installs = createServerInstalls(liveRun, send);
  const hosts = createLoadHostServices(home, uses, liveRun, send);
  const endAll = async () => {
    // Runs in terminals and other windows check for this lock.
    requestEnd(home);
    tests.cancelAll();
    tries.cancelAll();
    hosts.cancelAll();
    await live.endAll();
  };
  let unsaved: readonly string[] | null = null;
  // The page asks for these first. While it loads, this process has nothing else to do.
  void learnNodeVersions();
  void library.prepare();
  return {
    handlers: {
      'app:info': () => readAppInfo(home),
      'app:openHome': async () => {
        const problem = await shell.openPath(home.root);
        if (problem !== '') throw new DynoError('other', `${home.root} could not be opened: ${problem}`);
      },
      'app:unsaved': ({ names }) => {
        unsaved = names;
      },
      ...experimentHandlers(
        library,
        trust,
        questions,
        connections,
        files,
        () => readDurations(home),
        previews,
        rowFiles,
        checks,
        home.experiments,
        send,
      ),
      'history:of': async ({ experiment: name, size }) => ({
        history: await runs.historyText({ name, size, last: null, since: null }),
      }),
      'history:alike': async ({ runId }) => runs.alike(runId),
      ...runHandlers(home, runs, trust, live, unlock, watches, files, endAll, send),
      ...connectionHandlers(home, connections, passwords, remembered, commands, uses, send),
      ...importHandlers(connections, passwords, uses, files, send),
      ...tests.handlers,
      ...tries.handlers,
      ...installs.handlers,
      ...hosts.handlers,
      'drafts:keep': ({ drafts: all, connections: forms = [] }) => {
        drafts.keep(all);
        keptConnections.keep(forms);
      },
      'drafts:list': () => drafts.list(),
      'drafts:connections': () => keptConnections.list(),
      'files:opened': () => opened.take(),
      'files:choose': async () => {
        const file = await files.choose('any');
        if (file !== null) await opened.open([{ file }]);
      },
      'files:recent': () => recent.list(),
      'files:reopen': async ({ id }) => {
        const file = recent.pathOf(id);
        if (file !== null) await opened.open([{ file }]);
      },
      'files:save': async ({ name, format, data }) => ({
        saved: (await files.save(name, format, format === 'png' ? Buffer.from(data, 'base64') : data)) !== null,
      }),
    },
    open: opened.open,
    unsaved: () => unsaved,
    unkept: () => [...drafts.unkept(), ...keptConnections.unkept()],
    forgetUnsaved() {
      drafts.forget();
      keptConnections.forget();
    },
    forgetPage() {
      unsaved = null;
      watches.close();
      tests.cancelAll();
      tries.cancelAll();
      checks.cancelAll();
      hosts.cancelAll();
      installs.cancel();
    },
    liveRuns: () => live.all().map((run) => run.plan.experiment.name),
    async close() {
      watches.close();
      await Promise.all([
        ...[live.cancelAll(), tests.close(), tries.close()],
        ...[previews.close(), rowFiles.close(), scripts.close(), checks.close(), installs.close(), hosts.close()],
      ]);
    },
  };
}
