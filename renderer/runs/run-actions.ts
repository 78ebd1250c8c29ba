import type { AnnotationChange } from '#protocol/run-annotation.ts';
import { attempt, request } from '../state/bridge.ts';
import { chosenCompare } from '../state/chosen-baselines.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { askForReport } from '../state/report-question.ts';
import { runs } from '../state/runs.ts';
import { showDeleted } from '../state/undo-toasts.ts';
import { focusAfterRemoval } from '../ui/controls/focus-after-removal.ts';
import { showToast } from '../ui/overlays/toast.tsx';

export async function pauseRun(runId: string, paused: boolean): Promise<void> {
  await attempt(paused ? 'Could not pause the run' : 'Could not continue the run', () =>
    request('runs:pause', { runId, paused }),
  );
}

export async function cancelRun(runId: string): Promise<void> {
  await attempt('Could not cancel the run', () => request('runs:cancel', { runId }));
}

/** Ends all work on all targets within two seconds. */
export async function endAll(): Promise<void> {
  await attempt('Could not end all work', () => request('runs:endAll', null));
}

export async function deleteRun(runId: string, name: string): Promise<void> {
  const moveFocus = focusAfterRemoval();
  const isBaseline = runs.get()?.find(({ id }) => id === runId)?.isBaseline ?? false;
  const deleted = await attempt('Could not delete the run', () => request('runs:delete', { runId }));
  if (!deleted) return;
  moveFocus();
  const here = currentPage.get();
  const isShown = here.page === 'run' ? here.runId === runId : here.page === 'compare' && here.runIds.includes(runId);
  if (isShown) goTo({ page: 'runs' });
  showDeleted(`Deleted the run of “${name}”${isBaseline ? ', its baseline' : ''}`, () =>
    request('runs:restore', { undo: deleted.undo }),
  );
}

export async function importRun(): Promise<void> {
  const entry = await attempt('Could not import the run file', () => request('runs:import', null));
  if (entry) goTo({ page: 'run', runId: entry.id });
}

/** Asks what the report contains, and prints it by the system's dialog. */
export async function printReport(runId: string): Promise<void> {
  const answer = await askForReport(runId, 'print');
  if (answer === null) return;
  const compare = chosenCompare(runId);
  await attempt('Could not print the report', () =>
    request('runs:printReport', { runId, ...answer.choices, ...(compare && { compare }) }),
  );
}

/** Asks what the report contains, and saves it. */
export async function exportReport(runId: string): Promise<void> {
  const answer = await askForReport(runId, 'save');
  if (answer === null) return;
  const { choices, format } = answer;
  const compare = chosenCompare(runId);
  const done = await attempt('Could not export the report', () =>
    request('runs:exportReport', { runId, format, ...choices, ...(compare && { compare }) }),
  );
  if (!done?.saved) return;
  const open = () => void attempt('Could not open the report', () => request('runs:openReport', { runId }));
  showToast({ tone: 'info', title: 'Report saved', action: { label: 'Open', run: open } });
}

export async function exportJournal(runId: string): Promise<void> {
  const done = await attempt('Could not export the run file', () => request('runs:exportJournal', { runId }));
  if (done?.saved) showToast({ tone: 'info', title: 'Run file saved' });
}

/** Changes the user's title, note or tags of a run, or pins it as the baseline of its experiment. */
export const annotateRun = (runId: string, change: AnnotationChange): Promise<unknown> =>
  attempt('Could not change the run', () => request('runs:annotate', { runId, change }));
