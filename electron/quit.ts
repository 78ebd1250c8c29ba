import { app, type BrowserWindow, dialog } from 'electron';
import { endAllWorkers } from '#orchestrator/worker/fork.ts';
import { type Question, questionOf } from './quit-question.ts';

/** A task that must end before the app may quit. */
export interface Closable {
  /** Names of the live runs. */
  liveRuns(): readonly string[];
  /** Names of the experiments and the connection with unsaved changes; null before a page has reported them. */
  unsaved(): readonly string[] | null;
  /**
   * Names of the experiments and connections whose changes no file keeps, because they contain a secret in clear text.
   */
  unkept(): readonly string[];
  /** Discards the unsaved changes by the user's choice. */
  forgetUnsaved(): void;
  /** Cancels live runs, waits until their journals are closed, and releases the managed servers. */
  close(): Promise<void>;
}

/** The most time for a run to stop; after it, the journal counts as interrupted and can be resumed. */
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
    const question = questionOf(closable.liveRuns(), unsaved ?? [], closable.unkept());
    const answer = question === null ? 'go' : await answerTo(window, question);
    if (answer === 'stay') return;
    // The next start restores the drafts.
    if (answer === 'discard') closable.forgetUnsaved();
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
  // A signal quits without a question.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave());
}

async function answerTo(
  window: BrowserWindow,
  { message, detail, stay, go, discard }: Question,
): Promise<'stay' | 'go' | 'discard'> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message,
    detail,
    buttons: [stay, go, ...(discard === null ? [] : [discard])],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1 ? 'go' : response === 2 ? 'discard' : 'stay';
}
