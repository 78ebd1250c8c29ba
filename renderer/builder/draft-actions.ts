import type { LibraryEntry } from '#protocol/ipc.ts';
import { attempt, request } from '../bridge.ts';
import { withPasswords } from '../connections/ask-passwords.ts';
import { wayToLiveRun } from '../runs/live-run.ts';
import { goTo } from '../shell/navigation.ts';
import { createStore, type Store } from '../store.ts';
import { showToast } from '../ui/toast.tsx';
import { draft, hasChanges, isDirty, scheduleCheck } from './draft-store.ts';
import { settleInput } from './settle-input.ts';

let nextKey = 1;

interface Opened {
  readonly id: string | null;
  readonly origin: LibraryEntry['origin'];
  readonly text: string;
}

/** Shows an experiment in the builder. Changes of the one before are set aside and can be brought back. */
export function openDraft({ id, origin, text: fileText }: Opened): void {
  const before = draft.get();
  const text = fileText.replaceAll(/\r\n?/g, '\n');
  draft.set({
    id,
    origin,
    lineEnd: fileText.includes('\r\n') ? '\r\n' : '\n',
    key: nextKey++,
    savedText: text,
    text,
    checked: null,
    checkedText: null,
  });
  scheduleCheck(0);
  goTo({ page: 'builder' });
  if (before && hasChanges(before)) {
    showToast({
      tone: 'info',
      title: 'Unsaved changes were set aside',
      stays: true,
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

/** Under way just now: a second press meanwhile is not a second file or run. */
export const saving = createStore(false);
export const starting = createStore(false);

async function once(busy: Store<boolean>, action: () => Promise<void>): Promise<void> {
  if (busy.get()) return;
  busy.set(true);
  try {
    await action();
  } finally {
    busy.set(false);
  }
}

/** Saves in the user's library; a gallery experiment becomes a file of the user's own. */
export const saveDraft = (): Promise<void> =>
  once(saving, async () => {
    settleInput();
    const now = draft.get();
    if (!now || !isDirty(now)) return;
    const text = now.text.replaceAll('\n', now.lineEnd);
    const entry = await attempt('Could not save', () => request('experiments:save', { id: now.id, text }));
    if (!entry) return;
    draft.update((d) => (d?.key === now.key ? { ...d, id: entry.id, origin: entry.origin, savedText: now.text } : d));
    showToast({ tone: 'info', title: `Saved “${entry.name}”` });
  });

/** Runs the text as it stands, saved or not. */
export const runDraft = (): Promise<void> =>
  once(starting, async () => {
    settleInput();
    const now = draft.get();
    if (!now) return;
    const start = () => withPasswords((passwords) => request('runs:start', { text: now.text, passwords }));
    const started = await attempt('Could not start the run', start, wayToLiveRun);
    if (started) goTo({ page: 'run', runId: started.runId });
  });
