import type { RunProgress } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';

/** The desktop's signals for a run in the background. */
export interface Desktop {
  /** Shows progress on the window's button in the taskbar: 0…1, null while unknown. */
  showProgress(fraction: number | null, paused: boolean): void;
  hideProgress(): void;
  /** Keeps the machine awake; returns a function that allows sleep again. */
  keepAwake(): () => void;
  /** True while the user works in the window. */
  isFocused(): boolean;
  notify(title: string, body: string, onPress: () => void): void;
}

/** The part of a run that this module uses. */
interface WatchedRun {
  readonly id: string;
  readonly plan: { readonly experiment: { readonly name: string } };
  on(event: 'progress', listener: (progress: RunProgress) => void): () => void;
  on(event: 'record', listener: (record: JournalRecord) => void): () => void;
}

/** A shorter run ends before its user has turned away. */
const notifiedFromMs = 20_000;

/**
 * Follows a run on the desktop: no sleep while it measures, progress in the taskbar, and a notification at the end of a
 * long run if its user is elsewhere. Returns a function that ends this; call it after the run has ended in any way.
 */
export function attendRun(
  run: WatchedRun,
  desktop: Desktop,
  show: (runId: string) => void,
  now: () => number = () => performance.now(),
): () => void {
  const startedAt = now();
  const permitSleep = desktop.keepAwake();
  let end: 'complete' | 'cancelled' | null = null;
  let last: RunProgress | null = null;
  desktop.showProgress(null, false);
  const offs = [
    run.on('progress', (progress) => {
      if (progress.live) desktop.showProgress(progress.fraction, progress.paused);
      last = progress;
    }),
    run.on('record', (record) => {
      if (record.record === 'end') end = record.status;
    }),
  ];
  return () => {
    for (const off of offs) off();
    desktop.hideProgress();
    permitSleep();
    // A user who cancels a run needs no notification of its end.
    if (end === 'cancelled' || now() - startedAt < notifiedFromMs || desktop.isFocused()) return;
    const { name } = run.plan.experiment;
    const trials = last === null ? '' : ` ${trialsText(last)}`;
    if (end === 'complete')
      desktop.notify(`“${name}” is complete`, `Its results are there.${trials}`, () => show(run.id));
    else desktop.notify(`“${name}” has stopped`, `It can be resumed.${trials}`, () => show(run.id));
  };
}

const trialsText = ({ trialsDone }: RunProgress): string =>
  trialsDone === 1 ? 'One trial is done.' : `${trialsDone} trials are done.`;
