import type { Opened, RecentFile } from '#protocol/opened.ts';
import { openDraft, returnToUnsavedDraft } from '../builder/open-draft.ts';
import { attempt, request } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import { errorText } from '../ui/error-text.ts';
import { showToast } from '../ui/toast.tsx';

/** Files outside of Dyno's folders that were opened last, newest first. */
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
  if (!result.ok) showToast({ tone: 'error', title: 'Could not open what was dropped', text: errorText(result.error) });
}

/** Shows what was opened from outside of the window. Runs nothing of it. */
export async function showOpened(): Promise<void> {
  const opened = await attempt('Could not open it', () => request('files:opened', null));
  if (opened === null || opened.length === 0) return;
  for (const one of opened) show(one);
  await loadRecentFiles();
}

function show(opened: Opened): void {
  switch (opened.kind) {
    case 'run':
      goTo({ page: 'run', runId: opened.runId });
      break;
    case 'problem':
      showToast({ tone: 'error', title: `Could not open ${opened.name}`, text: errorText(opened.error) });
      break;
    case 'experiment': {
      const { id, origin, text, note } = opened;
      if (id !== null && returnToUnsavedDraft(id)) break;
      openDraft({ id, origin, text });
      if (note !== null) showToast({ tone: 'info', title: 'Opened in the builder', text: note });
    }
  }
}
