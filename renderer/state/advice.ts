import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { Events } from '#protocol/ipc.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { listen, request } from './bridge.ts';
import { goTo } from './navigation.ts';
import { withAnswers } from './passwords.ts';
import { createStore } from './store.ts';

/** The text of the experiment that the dialog *Advise* is about; null while the dialog is closed. */
export const adviseDialog = createStore<string | null>(null);

/** An advice that is being measured. */
interface Advising {
  readonly startedMs: number;
  readonly budgetSeconds: number;
  readonly step: Events['run:advising'] | null;
}
export const advising = createStore<Advising | null>(null);
/** The reason why the last advice failed. Null: it did not. */
export const adviceProblem = createStore<string | null>(null);

/** Opens the dialog, which shows an advice that is being measured already. */
export function openAdvise(text: string): void {
  adviceProblem.set(null);
  adviseDialog.set(text);
}

/** Opens the dialog for the experiment of a run. */
export async function adviseOnRun(runId: string): Promise<void> {
  const { text } = await request('runs:experiment', { runId });
  openAdvise(text);
}

/** Measures an advice, and shows its run at the end; if the dialog was closed meanwhile, a toast offers the run. */
export async function startAdvice(text: string, target: string | null, budgetSeconds: number): Promise<void> {
  if (advising.get() !== null) return;
  adviceProblem.set(null);
  advising.set({ startedMs: performance.now(), budgetSeconds, step: null });
  const stop = listen('run:advising', (step) => advising.update((now) => now && { ...now, step }));
  try {
    const done = await withAnswers((answers) => request('runs:advise', { text, target, budgetSeconds, ...answers }));
    if (done) show(done.runId);
  } catch (thrown) {
    const error = toErrorData(thrown);
    if (error.kind === 'cancelled') return;
    adviceProblem.set(errorText(error));
    if (adviseDialog.get() === null)
      showToast({ tone: 'error', title: 'The advice could not be measured', text: errorText(error) });
  } finally {
    stop();
    advising.set(null);
  }
}

function show(runId: string): void {
  const open = () => goTo({ page: 'run', runId });
  if (adviseDialog.get() === null) {
    showToast({ tone: 'info', title: 'The advice is measured', action: { label: 'Show it', run: open } });
    return;
  }
  adviseDialog.set(null);
  open();
}

/** An error means that the advice has just ended. */
export const cancelAdvice = (): void => void request('runs:cancelAdvice', null).catch(() => {});
