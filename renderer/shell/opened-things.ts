import type { Opened, RecentFile } from '#protocol/opened.ts';
import { openDraft, returnToUnsavedDraft } from '../builder/open-draft.ts';
import { attempt, request } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { errorText } from '../ui/text/error-text.ts';
import { texts } from './text.ts';

/** Files outside of Dyno's folders that were opened last, newest first. */
export const recentFiles = createStore<readonly RecentFile[]>([]);

export async function loadRecentFiles(): Promise<void> {
  recentFiles.set((await attempt(texts.openedThings.couldNotListTheRecent, () => request('files:recent', null))) ?? []);
}

export const reopenFile = ({ id, name }: RecentFile): Promise<unknown> =>
  attempt(texts.openedThings.couldNotOpen(name), () => request('files:reopen', { id }));

export const chooseFile = (): Promise<unknown> =>
  attempt(texts.openedThings.couldNotOpenTheFile, () => request('files:choose', null));

/** Opens files that were dropped onto the window. */
export async function openDropped(files: readonly File[]): Promise<void> {
  const result = await window.dyno.openDropped(files);
  if (!result.ok)
    showToast({ tone: 'error', title: texts.openedThings.couldNotOpenWhatWas, text: errorText(result.error) });
}

/** Shows what was opened from outside of the window. Runs nothing of it. */
export async function showOpened(): Promise<void> {
  const opened = await attempt(texts.openedThings.couldNotOpenIt, () => request('files:opened', null));
  if (opened === null || opened.length === 0) return;
  const notes = opened.flatMap(show);
  if (notes.length > 0) showToast({ tone: 'info', title: texts.openedThings.openedInTheBuilder, text: textOf(notes) });
  await loadRecentFiles();
}

/** Several at once: each but the last has a toast of its own, which brings it back. */
const textOf = (notes: readonly string[]): string =>
  notes.length === 1 ? (notes[0] ?? '') : texts.openedThings.theLastOfFilesThe(notes.length, notes.at(-1) ?? '');

/** Returns what the user should know about an experiment, if anything. */
function show(opened: Opened): readonly string[] {
  switch (opened.kind) {
    case 'run':
      goTo({ page: 'run', runId: opened.runId });
      return [];
    case 'problem':
      showToast({ tone: 'error', title: texts.openedThings.couldNotOpen(opened.name), text: errorText(opened.error) });
      return [];
    case 'experiment': {
      const { id, origin, text, note, first } = opened;
      if (id !== null && returnToUnsavedDraft(id)) return [];
      openDraft({ id, origin, text, isUnsaved: id === null, section: first });
      return note === null ? [] : [note];
    }
  }
}
