import { draft } from '../builder/draft/draft-store.ts';
import { toggleYaml } from '../builder/outline/outline-store.ts';
import { adviseOnDraft, runDraft, saveDraft } from '../builder/run-draft.ts';
import { saveForm } from '../connections/connection-actions.ts';
import { editConnection, newConnection } from '../connections/open-connection.ts';
import { openHelp } from '../help/help-store.ts';
import { compareChange } from '../library/compare-change/change-file.ts';
import { importFromServer } from '../library/import-statements/import-statements-dialog.tsx';
import { importExperiment, newExperiment, openExperiment } from '../library/library-actions.ts';
import { gallery, library } from '../library/library-store.ts';
import { testMySql } from '../library/test-sql/own-sql.ts';
import {
  cancelRun,
  endAll,
  exportJournal,
  exportReport,
  importRun,
  pauseRun,
  printReport,
} from '../runs/run-actions.ts';
import { compareWith } from '../runs/ticked-runs.ts';
import { adviseOnRun } from '../state/advice.ts';
import { attempt } from '../state/bridge.ts';
import { connections } from '../state/connections.ts';
import { liveRun } from '../state/live-run.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { createStore } from '../state/store.ts';
import { toggleTheme } from '../state/theme.ts';
import { modKey } from '../ui/text/mod-key.ts';
import { chooseFile, recentFiles, reopenFile } from './opened-things.ts';
import { startTour } from './tour/tour-store.ts';

interface WindowCommand {
  readonly id: string;
  readonly label: string;
  readonly keys?: string;
  readonly run: () => void;
}

export const paletteOpen = createStore(false);
export const helpOpen = createStore(false);

function showHistoryOf(runId: string): void {
  const run = runs.get()?.find(({ id }) => id === runId);
  if (run) goTo({ page: 'history', experiment: run.name });
}

/** Commands for the live run, and for the run on screen. */
function runCommands(): readonly WindowCommand[] {
  const live = liveRun(runProgress.get());
  const here = currentPage.get();
  const shown = here.page === 'run' ? here.runId : null;
  return [
    ...(live
      ? [
          {
            id: 'pauseRun',
            label: live.paused ? 'Continue the run' : 'Pause the run',
            run: () => void pauseRun(live.runId, !live.paused),
          },
          { id: 'cancelRun', label: 'Cancel the run', run: () => void cancelRun(live.runId) },
          {
            id: 'endAll',
            label: 'End all work now, on all targets',
            keys: `${modKey} Shift .`,
            run: () => void endAll(),
          },
        ]
      : []),
    ...(shown === null
      ? []
      : [
          {
            id: 'history',
            label: 'Show the history of this experiment',
            run: () => showHistoryOf(shown),
          },
          {
            id: 'compareRun',
            label: 'Compare this run with another one',
            run: () => compareWith(shown),
          },
          {
            id: 'advise',
            label: 'Advise on the experiment of this run: faster indexes, texts and settings',
            run: () => void attempt('Could not read the experiment', () => adviseOnRun(shown)),
          },
          { id: 'exportReport', label: 'Export the report', run: () => void exportReport(shown) },
          {
            id: 'printReport',
            label: 'Print the report',
            keys: `${modKey} P`,
            run: () => void printReport(shown),
          },
          { id: 'exportJournal', label: 'Export the run file', run: () => void exportJournal(shown) },
        ]),
  ];
}

/** Commands of the palette, the shortcuts and the application menu, which sends these ids. */
export function commands(): readonly WindowCommand[] {
  const { page } = currentPage.get();
  const inBuilder = page === 'builder';
  return [
    ...(inBuilder
      ? [
          { id: 'run', label: 'Run this experiment', keys: `${modKey} Enter`, run: () => void runDraft() },
          { id: 'advise', label: 'Advise on this experiment: faster indexes, texts and settings', run: adviseOnDraft },
          { id: 'save', label: 'Save this experiment', keys: `${modKey} S`, run: () => void saveDraft() },
          { id: 'yaml', label: 'Show or hide the YAML', keys: `${modKey} Shift Y`, run: toggleYaml },
        ]
      : []),
    ...(page === 'connection'
      ? [{ id: 'save', label: 'Save this connection', keys: `${modKey} S`, run: () => void saveForm() }]
      : []),
    ...runCommands(),
    { id: 'home', label: 'Go home', run: () => goTo({ page: 'home' }) },
    { id: 'experiments', label: 'Go to experiments', run: () => goTo({ page: 'experiments' }) },
    ...(draft.get() && !inBuilder
      ? [{ id: 'builder', label: 'Go back to the builder', run: () => goTo({ page: 'builder' }) }]
      : []),
    { id: 'runs', label: 'Go to runs', run: () => goTo({ page: 'runs' }) },
    { id: 'connections', label: 'Go to connections', run: () => goTo({ page: 'connections' }) },
    { id: 'hosts', label: 'Go to load hosts', run: () => goTo({ page: 'hosts' }) },
    { id: 'settings', label: 'Settings', keys: `${modKey} ,`, run: () => goTo({ page: 'settings' }) },
    { id: 'new', label: 'New experiment', run: newExperiment },
    { id: 'testSql', label: 'Test my SQL', run: testMySql },
    { id: 'compareChange', label: 'Compare a change', run: compareChange },
    { id: 'fromServer', label: 'New experiment from the statements of a server', run: importFromServer },
    { id: 'newConnection', label: 'New connection', run: newConnection },
    { id: 'open', label: 'Open a file: experiment, run, SQL script or values', run: () => void chooseFile() },
    { id: 'import', label: 'Import an experiment file', run: () => void importExperiment() },
    { id: 'importRun', label: 'Import a run file', run: () => void importRun() },
    { id: 'theme', label: 'Switch between light and dark', run: toggleTheme },
    { id: 'palette', label: 'Command palette', keys: `${modKey} K`, run: () => paletteOpen.set(true) },
    { id: 'documentation', label: 'Documentation', keys: 'F1', run: () => openHelp('contents') },
    { id: 'tour', label: 'Tour of the window', run: startTour },
    { id: 'help', label: 'Keyboard shortcuts', keys: '?', run: () => helpOpen.set(true) },
    // The versions stand below the shortcuts.
    { id: 'about', label: 'About Dyno: versions and files', run: () => helpOpen.set(true) },
    ...(library.get() ?? []).map((entry) => ({
      id: `experiment:${entry.id}`,
      label: `Open experiment: ${entry.name}`,
      run: () => void openExperiment(entry),
    })),
    ...(gallery.get() ?? []).map((page) => ({
      id: `about:${page.id}`,
      label: `About experiment: ${page.name}`,
      run: () => goTo({ page: 'experiment', id: page.id }),
    })),
    ...recentFiles.get().map((file) => ({
      id: `file:${file.id}`,
      label: `Open file: ${file.name}`,
      run: () => void reopenFile(file),
    })),
    ...(connections.get()?.connections ?? []).map((entry) => ({
      id: `connection:${entry.id}`,
      label: `Edit connection: ${entry.name}`,
      run: () => editConnection(entry),
    })),
    ...[...new Set((runs.get() ?? []).map(({ name }) => name))]
      .filter((name) => name !== '')
      .map((name) => ({
        id: `history:${name}`,
        label: `History of experiment: ${name}`,
        run: () => goTo({ page: 'history', experiment: name }),
      })),
    ...(runs.get() ?? []).slice(0, 30).map((entry) => ({
      id: `run:${entry.id}`,
      label: `Open run: ${entry.name}, ${new Date(entry.startedAt).toLocaleString()}`,
      run: () => goTo({ page: 'run', runId: entry.id }),
    })),
  ];
}

export function runWindowCommand(id: string): void {
  commands()
    .find((command) => command.id === id)
    ?.run();
}
