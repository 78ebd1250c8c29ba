import { openAdvise } from '../state/advice.ts';
import { attempt, request } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { startRun } from '../state/start-run.ts';
import { createStore, once } from '../state/store.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { draft, isDirty } from './draft/draft-store.ts';

/** True while the draft is saved or its run starts, so that a second press does not create a second file or run. */
export const saving = createStore(false);
export const starting = createStore(false);

/** Saves the draft in the user's library. A gallery experiment becomes a new file. */
export const saveDraft = (): Promise<unknown> =>
  once(saving, async () => {
    const now = draft.get();
    if (!now || !isDirty(now)) return;
    const text = now.text.replaceAll('\n', now.lineEnd);
    const entry = await attempt('Could not save', () => request('experiments:save', { id: now.id, text }));
    if (!entry) return;
    draft.update((d) => (d?.key === now.key ? { ...d, id: entry.id, origin: entry.origin, savedText: now.text } : d));
    showToast({ tone: 'info', title: `Saved “${entry.name}”` });
  });

/** Opens the dialog that finds faster variants of the draft's statements, saved or not. */
export function adviseOnDraft(): void {
  const now = draft.get();
  if (now) openAdvise(now.text);
}

/** Runs the draft's text, saved or not. */
export const runDraft = (): Promise<unknown> =>
  once(starting, async () => {
    const now = draft.get();
    const started = now && (await startRun(now.text));
    if (started) goTo({ page: 'run', runId: started.runId });
  });
