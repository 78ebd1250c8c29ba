import type { LibraryEntry } from '#protocol/ipc.ts';
import type { KeptDraft } from '#protocol/opened.ts';
import { goTo } from '../state/navigation.ts';
import { keepAside } from '../state/set-aside.ts';
import { createStore } from '../state/store.ts';
import { draft, type ExperimentDraft, hasChanges, nameOf, scheduleCheck } from './draft/draft-store.ts';
import type { SectionId } from './outline/sections.ts';
import { openedLevel, shownPart, shownSection } from './outline/shown-section.ts';

// This is the only file of the builder that other features import.

let nextKey = 1;

interface OpenedExperiment {
  /** Null until the experiment is first saved. */
  readonly id: string | null;
  readonly origin: LibraryEntry['origin'];
  readonly text: string;
  /** True for text that exists nowhere else in Dyno, such as a dropped file. All of it counts as unsaved. */
  readonly isUnsaved?: boolean;
  /** The section that the form shows. Default: the question. */
  readonly section?: SectionId | undefined;
}

/** Shows an experiment in the builder. The unsaved changes of the previous one are set aside. */
export function openDraft({
  id,
  origin,
  text: fileText,
  isUnsaved = false,
  section = 'question',
}: OpenedExperiment): void {
  const before = draft.get();
  const text = fileText.replaceAll(/\r\n?/g, '\n');
  draft.set({
    id,
    origin,
    lineEnd: fileText.includes('\r\n') ? '\r\n' : '\n',
    key: nextKey++,
    savedText: isUnsaved ? '' : text,
    text,
    checked: null,
    checkedText: null,
  });
  shownSection.set(section);
  openedLevel.set(null);
  // The workload is shown first if the experiment was made of statements.
  shownPart.set(section === 'workload' ? 'statements' : 'data');
  scheduleCheck(0);
  goTo({ page: 'builder' });
  // If the same file is opened again, the builder already shows it.
  if (before && hasChanges(before) && before.text !== text) setAside(before);
}

/**
 * Tells the builder that the window changed a file. If the builder shows the file, unsaved changes stay, and get the
 * same change.
 */
export function changeFile(id: string, text: string, change: (text: string) => string): void {
  const open = draft.get();
  if (open?.id !== id) return;
  const savedText = text.replaceAll(/\r\n?/g, '\n');
  draft.set({ ...open, key: nextKey++, savedText, text: hasChanges(open) ? change(open.text) : savedText });
  scheduleCheck(0);
}

/** Unsaved changes that were replaced by another experiment and can still be restored. */
export const draftsSetAside = createStore<readonly ExperimentDraft[]>([]);

function setAside(before: ExperimentDraft): void {
  draftsSetAside.update((all) => [...all, before]);
  keepAside(
    nameOf(before),
    () => {
      const now = draft.get();
      draft.set({ ...before, key: nextKey++ });
      goTo({ page: 'builder' });
      if (now && hasChanges(now)) setAside(now);
    },
    () => draftsSetAside.update((all) => all.filter((one) => one !== before)),
  );
}

/**
 * Opens an experiment with the unsaved changes of an earlier page or app, without showing the builder. Sets it aside if
 * an experiment is already open.
 */
export function restoreDraft(kept: KeptDraft): void {
  const restored: ExperimentDraft = { ...kept, checked: null, checkedText: null };
  nextKey = Math.max(nextKey, kept.key + 1);
  if (draft.get() !== null) {
    setAside(restored);
    return;
  }
  draft.set(restored);
  scheduleCheck(0);
}

/** Shows the builder if it has unsaved changes of this experiment. Returns true if it has. */
export function returnToUnsavedDraft(id: string): boolean {
  const open = draft.get();
  const isUnsaved = open?.id === id && hasChanges(open);
  if (isUnsaved) goTo({ page: 'builder' });
  return isUnsaved;
}
