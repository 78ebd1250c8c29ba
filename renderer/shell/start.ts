import { scheduleCheck } from '../builder/draft/draft-store.ts';
import { loadLibrary } from '../library/library-store.ts';
import { loadAppInfo } from '../state/app-info.ts';
import { listen } from '../state/bridge.ts';
import { loadConnections } from '../state/connections.ts';
import { liveRun } from '../state/live-run.ts';
import { readLoadHosts } from '../state/load-hosts.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { loadRuns, runProgress } from '../state/runs.ts';
import { closeErrors } from '../ui/overlays/toast.tsx';
import { keepDrafts, restoreDrafts } from './kept-drafts.ts';
import { loadRecentFiles, showOpened } from './opened-things.ts';
import { fetchPages } from './pages.ts';
import { reportUnsavedChanges } from './unsaved-changes.ts';

/** An error is about the page on which it appeared, or about the run that was live. */
function closeStaleErrors(): void {
  currentPage.subscribe(closeErrors);
  let live = liveRun(runProgress.get())?.runId;
  runProgress.subscribe(() => {
    const now = liveRun(runProgress.get())?.runId;
    if (now !== live) closeErrors();
    live = now;
  });
}

/** Loads what every page needs, then shows what a crash has left unsaved, and what Dyno was started to open. */
export async function start(): Promise<void> {
  closeStaleErrors();
  // A connection that the experiment in the builder names may have appeared or gone.
  listen('connections:changed', () => scheduleCheck());
  listen('run:chosen', ({ runId }) => goTo({ page: 'run', runId }));
  await Promise.all([loadAppInfo(), loadLibrary(), loadRuns(), loadConnections(), readLoadHosts(), loadRecentFiles()]);
  await restoreDrafts();
  reportUnsavedChanges();
  keepDrafts();
  listen('files:changed', () => void showOpened());
  await showOpened();
  fetchPages();
}
