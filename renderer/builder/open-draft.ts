import type { LibraryEntry } from '#protocol/ipc.ts';
import { goTo } from '../state/navigation.ts';
import { showSetAside } from '../state/undo-toasts.ts';
import { draft, hasChanges, scheduleCheck } from './draft/draft-store.ts';

// The one file of the builder that other features import.

let nextKey = 1;

interface OpenedExperiment {
  /** Null until the experiment is first saved. */
  readonly id: string | null;
  readonly origin: LibraryEntry['origin'];
  readonly text: string;
}

/** Shows an experiment in the builder. A toast offers to bring back the unsaved changes of the experiment before it. */
export function openDraft({ id, origin, text: fileText }: OpenedExperiment): void {
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
  if (before && hasChanges(before))
    showSetAside(() => {
      draft.set({ ...before, key: nextKey++ });
      goTo({ page: 'builder' });
    });
}

/** Shows the builder if it holds unsaved changes of this experiment; returns whether it does. */
export function returnToUnsavedDraft(id: string): boolean {
  const open = draft.get();
  const isUnsaved = open?.id === id && hasChanges(open);
  if (isUnsaved) goTo({ page: 'builder' });
  return isUnsaved;
}
