import type { RunProgress } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';

/** The desktop's signals for a run that nobody watches. */
export interface Desktop {
  /** Shows progress on the window's button in the taskbar: 0…1, null while unknown. */
  showProgress(fraction: number | null, paused: boolean): void;
  hideProgress(): void;
  /** Keeps the machine from going to sleep; returns what permits it again. */
  keepAwake(): () => void;
  /** True while the user works in the window. */
  isFocused(): boolean;
  notify(title: string, body: string, onPress: () => void): void;
}

/** The part of a run that is watched here. */
interface WatchedRun {
  readonly id: string;
  readonly plan: { readonly experiment: { readonly name: string } };
  on(event: 'progress', listener: (progress: RunProgress) => void): () => void;
  on(event: 'record', listener: (record: JournalRecord) => void): () => void;
}

/** A shorter run ends before its user has turned away. */
const notifiedFromMs = 20_000;

/**
 * Follows a run on the desktop: no sleep while it measures, progress in the taskbar, and a notification at its end if
 * it was long and its user is elsewhere. Returns what ends that; call it once the run has ended, however it did.
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
    // Whoever cancels a run knows that it has ended.
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
