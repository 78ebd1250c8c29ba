import type { LibraryEntry } from '#contract/ipc.ts';
import { attempt, request } from '../bridge.ts';
import { goTo } from '../shell/navigation.ts';
import { showToast } from '../ui/toast.tsx';
import { draft, isDirty, scheduleCheck } from './draft-store.ts';

let nextKey = 1;

interface Opened {
  readonly id: string | null;
  readonly origin: LibraryEntry['origin'];
  readonly text: string;
}

/** Shows an experiment in the builder. Changes of the one before are set aside and can be brought back. */
export function openDraft(opened: Opened): void {
  const before = draft.get();
  draft.set({
    ...opened,
    key: nextKey++,
    savedText: opened.text,
    checked: null,
    checkedText: null,
  });
  scheduleCheck(0);
  goTo({ page: 'builder' });
  if (before && before.text !== before.savedText) {
    showToast({
      tone: 'info',
      title: 'Unsaved changes were set aside',
      action: {
        label: 'Bring back',
        run: () => {
          draft.set({ ...before, key: nextKey++ });
          goTo({ page: 'builder' });
        },
      },
    });
  }
}

/** Saves in the user's library; a gallery experiment becomes a file of the user's own. */
export async function saveDraft(): Promise<void> {
  const now = draft.get();
  if (!now || !isDirty(now)) return;
  const entry = await attempt('Could not save', () => request('experiments:save', { id: now.id, text: now.text }));
  if (!entry) return;
  draft.update((d) => (d?.key === now.key ? { ...d, id: entry.id, origin: entry.origin, savedText: now.text } : d));
  showToast({ tone: 'info', title: `Saved “${entry.name}”` });
}

/** Runs the text as it stands, saved or not. */
export async function runDraft(): Promise<void> {
  const now = draft.get();
  if (!now) return;
  const started = await attempt('Could not start the run', () => request('runs:start', { text: now.text }));
  if (started) goTo({ page: 'run', runId: started.runId });
}
