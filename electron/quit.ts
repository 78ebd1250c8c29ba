import { app, type BrowserWindow, dialog } from 'electron';
import { endAllWorkers } from '#orchestrator/worker/fork.ts';

/** What must end before the app may quit. */
export interface Closable {
  /** Names of the live runs. */
  liveRuns(): readonly string[];
  /** Names of the experiments and the connection with unsaved changes; null while no page has told them. */
  unsaved(): readonly string[] | null;
  /** Forgets the unsaved changes, which are saved by now or which the user chose to lose. */
  forgetUnsaved(): void;
  /** Cancels live runs, waits until their journals are closed, and releases the managed servers. */
  close(): Promise<void>;
}

/** The app waits no longer for a run to stop; its journal then counts as interrupted and can be resumed. */
const patienceMs = 15_000;

/** Makes closing the window quit the app, after a question if a run is live or changes are unsaved. */
export function guardQuit(window: BrowserWindow, closable: Closable): void {
  let closing = false;
  const leave = async () => {
    if (closing) return;
    closing = true;
    const exit = () => void endAllWorkers().finally(() => app.exit(0));
    const timer = setTimeout(exit, patienceMs);
    try {
      await closable.close();
    } catch (thrown) {
      console.error('While closing:', thrown);
    }
    clearTimeout(timer);
    exit();
  };

  let asking = false;
  const askAndLeave = async () => {
    const unsaved = closable.unsaved();
    const question = questionOf(closable.liveRuns(), unsaved ?? []);
    if (question !== null && !(await confirmed(window, question))) return;
    // A page that has not told yet may not have brought back what the last one left: the next start does.
    if (unsaved !== null) closable.forgetUnsaved();
    await leave();
  };
  window.on('close', (event) => {
    event.preventDefault();
    if (asking) return;
    asking = true;
    void askAndLeave().finally(() => {
      asking = false;
    });
  });
  // A signal quits without a question; unsaved experiments are there again at the next start.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave());
}

interface Question {
  readonly message: string;
  readonly detail: string;
  readonly stay: string;
  readonly go: string;
}

function questionOf(live: readonly string[], unsaved: readonly string[]): Question | null {
  const changes = unsaved.length === 0 ? null : `The changes of “${unsaved.join('”, “')}” are not saved.`;
  if (live.length > 0)
    return {
      message: `Dyno is still running “${live.join('”, “')}”.`,
      detail: [
        'Trials that are done are kept either way; a cancelled run can be resumed later.',
        ...(changes ? [`${changes} Quitting loses them.`] : []),
      ].join('\n\n'),
      stay: 'Keep Running',
      go: 'Cancel Run and Quit',
    };
  return changes === null
    ? null
    : { message: changes, detail: 'Quitting loses them.', stay: 'Keep Editing', go: 'Quit Without Saving' };
}

async function confirmed(window: BrowserWindow, { message, detail, stay, go }: Question): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message,
    detail,
    buttons: [stay, go],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
