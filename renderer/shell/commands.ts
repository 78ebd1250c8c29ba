import { draft } from '../builder/draft/draft-store.ts';
import { toggleYaml } from '../builder/outline/outline-store.ts';
import { runDraft, saveDraft } from '../builder/run-draft.ts';
import { saveForm } from '../connections/connection-actions.ts';
import { editConnection, newConnection } from '../connections/open-connection.ts';
import { openHelp } from '../help/help-store.ts';
import { importExperiment, newExperiment, openExperiment } from '../library/library-actions.ts';
import { gallery, library } from '../library/library-store.ts';
import { cancelRun, endAll, exportJournal, exportReport, importRun, pauseRun } from '../runs/run-actions.ts';
import { compareWith } from '../runs/ticked-runs.ts';
import { connections } from '../state/connections.ts';
import { liveRun } from '../state/live-run.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { createStore } from '../state/store.ts';
import { toggleTheme } from '../state/theme.ts';
import { modKey } from '../ui/text/mod-key.ts';
import { chooseFile, recentFiles, reopenFile } from './opened-things.ts';
import { texts } from './text.ts';
import { startTour } from './tour/tour-store.ts';

interface WindowCommand {
  readonly id: string;
  readonly label: string;
  readonly keys?: string;
  readonly run: () => void;
}

export const paletteOpen = createStore(false);
export const helpOpen = createStore(false);

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
            label: live.paused ? texts.commands.continueTheRun : texts.commands.pauseTheRun,
            run: () => void pauseRun(live.runId, !live.paused),
          },
          { id: 'cancelRun', label: texts.commands.cancelTheRun, run: () => void cancelRun(live.runId) },
          {
            id: 'endAll',
            label: texts.commands.endEverythingNowOnAll,
            keys: `${modKey} Shift .`,
            run: () => void endAll(),
          },
        ]
      : []),
    ...(shown === null
      ? []
      : [
          {
            id: 'compareRun',
            label: texts.commands.compareThisRunWithAnother,
            run: () => compareWith(shown),
          },
          { id: 'exportReport', label: texts.commands.exportTheReport, run: () => void exportReport(shown, false) },
          {
            id: 'exportAnonymous',
            label: texts.commands.exportTheReportWithoutNames,
            run: () => void exportReport(shown, true),
          },
          { id: 'exportJournal', label: texts.commands.exportTheRunFile, run: () => void exportJournal(shown) },
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
          { id: 'run', label: texts.commands.runThisExperiment, keys: `${modKey} Enter`, run: () => void runDraft() },
          { id: 'save', label: texts.commands.saveThisExperiment, keys: `${modKey} S`, run: () => void saveDraft() },
          { id: 'yaml', label: texts.commands.showOrHideTheYaml, keys: texts.commands.shiftY(modKey), run: toggleYaml },
        ]
      : []),
    ...(page === 'connection'
      ? [{ id: 'save', label: texts.commands.saveThisConnection, keys: `${modKey} S`, run: () => void saveForm() }]
      : []),
    ...runCommands(),
    { id: 'home', label: texts.commands.goHome, run: () => goTo({ page: 'home' }) },
    { id: 'experiments', label: texts.commands.goToExperiments, run: () => goTo({ page: 'experiments' }) },
    ...(draft.get() && !inBuilder
      ? [{ id: 'builder', label: texts.commands.goBackToTheBuilder, run: () => goTo({ page: 'builder' }) }]
      : []),
    { id: 'runs', label: texts.commands.goToRuns, run: () => goTo({ page: 'runs' }) },
    { id: 'connections', label: texts.commands.goToConnections, run: () => goTo({ page: 'connections' }) },
    { id: 'hosts', label: texts.commands.goToLoadHosts, run: () => goTo({ page: 'hosts' }) },
    { id: 'new', label: texts.commands.newExperiment, run: newExperiment },
    { id: 'newConnection', label: texts.commands.newConnection, run: newConnection },
    { id: 'open', label: texts.commands.openAFileExperimentRun, run: () => void chooseFile() },
    { id: 'import', label: texts.commands.importAnExperimentFile, run: () => void importExperiment() },
    { id: 'importRun', label: texts.commands.importARunFile, run: () => void importRun() },
    { id: 'theme', label: texts.commands.switchBetweenLightAndDark, run: toggleTheme },
    { id: 'palette', label: texts.commands.commandPalette, keys: `${modKey} K`, run: () => paletteOpen.set(true) },
    { id: 'documentation', label: texts.commands.documentation, keys: 'F1', run: () => openHelp('contents') },
    { id: 'tour', label: texts.commands.tourOfTheWindow, run: startTour },
    { id: 'help', label: texts.commands.keyboardShortcuts, keys: '?', run: () => helpOpen.set(true) },
    // The versions stand below the shortcuts.
    { id: 'about', label: texts.commands.aboutDynoVersionsAndFiles, run: () => helpOpen.set(true) },
    ...(library.get() ?? []).map((entry) => ({
      id: `experiment:${entry.id}`,
      label: texts.commands.openExperiment(entry.name),
      run: () => void openExperiment(entry),
    })),
    ...(gallery.get() ?? []).map((page) => ({
      id: `about:${page.id}`,
      label: texts.commands.aboutExperiment(page.name),
      run: () => goTo({ page: 'experiment', id: page.id }),
    })),
    ...recentFiles.get().map((file) => ({
      id: `file:${file.id}`,
      label: texts.commands.openFile(file.name),
      run: () => void reopenFile(file),
    })),
    ...(connections.get()?.connections ?? []).map((entry) => ({
      id: `connection:${entry.id}`,
      label: texts.commands.editConnection(entry.name),
      run: () => editConnection(entry),
    })),
    ...(runs.get() ?? []).slice(0, 30).map((entry) => ({
      id: `run:${entry.id}`,
      label: texts.commands.openRunOf(entry.name, new Date(entry.startedAt).toLocaleString()),
      run: () => goTo({ page: 'run', runId: entry.id }),
    })),
  ];
}

export function runWindowCommand(id: string): void {
  commands()
    .find((command) => command.id === id)
    ?.run();
}
