import { app, type BrowserWindow, dialog } from 'electron';

/** What must be wound up before the app may go. */
export interface Closable {
  /** Names of the runs that are live. */
  liveRuns(): readonly string[];
  /** Cancels live runs, waits until their journals are closed, lets go of the embedded servers. */
  close(): Promise<void>;
}

/** A run that takes longer than this to stop is left to its journal: it shows as interrupted and can be resumed. */
const patienceMs = 15_000;

/** Closing the window quits the app; while a run is live, only after asking. */
export function guardQuit(window: BrowserWindow, closable: Closable): void {
  let closing = false;
  const leave = async () => {
    if (closing) return;
    closing = true;
    const timer = setTimeout(() => app.exit(0), patienceMs);
    try {
      await closable.close();
    } catch (thrown) {
      console.error('While closing:', thrown);
    }
    clearTimeout(timer);
    app.exit(0);
  };

  window.on('close', (event) => {
    event.preventDefault();
    void (async () => {
      const live = closable.liveRuns();
      if (live.length === 0 || (await confirmed(window, live))) await leave();
    })();
  });
  // Who sends a signal does not want to be asked.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave());
}

async function confirmed(window: BrowserWindow, live: readonly string[]): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `“${live.join('”, “')}” is still running.`,
    detail: 'Trials that are done are kept either way; a cancelled run can be resumed later.',
    buttons: ['Keep Running', 'Cancel Run and Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
