import { errorText } from '#model/error-text.ts';
import type { Opened, RecentFile } from '#protocol/opened.ts';
import { openDraft, returnToUnsavedDraft } from '../builder/open-draft.ts';
import { attempt, request } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import { showToast } from '../ui/overlays/toast.tsx';

/** The last opened files outside of Dyno's folders, newest first. */
export const recentFiles = createStore<readonly RecentFile[]>([]);

export async function loadRecentFiles(): Promise<void> {
  recentFiles.set((await attempt('Could not list the recent files', () => request('files:recent', null))) ?? []);
}

export const reopenFile = ({ id, name }: RecentFile): Promise<unknown> =>
  attempt(`Could not open ${name}`, () => request('files:reopen', { id }));

export const chooseFile = (): Promise<unknown> =>
  attempt('Could not open the file', () => request('files:choose', null));

/** Opens files that were dropped onto the window. */
export async function openDropped(files: readonly File[]): Promise<void> {
  const result = await window.dyno.openDropped(files);
  if (!result.ok) showToast({ tone: 'error', title: 'Could not open the dropped file', text: errorText(result.error) });
}

/** Shows a file that was opened from outside of the window. It does not run anything. */
export async function showOpened(): Promise<void> {
  const opened = await attempt('Could not open it', () => request('files:opened', null));
  if (opened === null || opened.length === 0) return;
  const notes = opened.flatMap(show);
  if (notes.length > 0) showToast({ tone: 'info', title: 'Opened in the builder', text: textOf(notes) });
  await loadRecentFiles();
}

/** If several files are opened at once, each but the last has its own toast, which restores it. */
const textOf = (notes: readonly string[]): string =>
  notes.length === 1
    ? (notes[0] ?? '')
    : `This is the last of ${notes.length} files. The others are set aside, and no file is saved yet. ${notes.at(-1) ?? ''}`;

/** Returns a remark for the user about an opened experiment, or undefined. */
function show(opened: Opened): readonly string[] {
  switch (opened.kind) {
    case 'run':
      goTo({ page: 'run', runId: opened.runId });
      return [];
    case 'problem':
      showToast({ tone: 'error', title: `Could not open ${opened.name}`, text: errorText(opened.error) });
      return [];
    case 'experiment': {
      const { id, origin, text, note, first } = opened;
      if (id !== null && returnToUnsavedDraft(id)) return [];
      openDraft({ id, origin, text, isUnsaved: id === null, section: first });
      return note === null ? [] : [note];
    }
  }
}
