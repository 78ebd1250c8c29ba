import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { openDraft, returnToUnsavedDraft } from '../builder/open-draft.ts';
import { attempt, request } from '../state/bridge.ts';
import { newExperimentDefaults } from '../state/preferences.ts';
import { showDeleted } from '../state/undo-toasts.ts';
import { focusAfterRemoval } from '../ui/controls/focus-after-removal.ts';
import { maximumUsersText, newExperimentText, withDefaults } from './new-experiment.ts';

/** Opens an experiment in the builder, in `size` if given. An open draft of it with changes stays as it is. */
export async function openExperiment(
  entry: LibraryEntry,
  { size = null, section }: { readonly size?: string | null; readonly section?: 'workload' } = {},
): Promise<void> {
  if (returnToUnsavedDraft(entry.id)) return;
  const read = await attempt(`Could not open “${entry.name}”`, () => request('experiments:read', { id: entry.id }));
  if (!read) return;
  const text = size === null ? read.text : setIn(readYaml(read.text), ['size'], size).text;
  openDraft({ id: read.entry.id, origin: read.entry.origin, text, section });
}

const openNew = (text: string): void => openDraft({ id: null, origin: 'mine', text });

/** Opens a new experiment with the user's defaults. */
export const newExperiment = (): void => openNew(withDefaults(newExperimentText, newExperimentDefaults.get()));

/** Opens a new experiment that searches for the maximum number of users. */
export const findMaximumUsers = (): void => openNew(maximumUsersText);

/** Opens a copy as a new experiment. It gets a file when it is saved. */
export async function duplicateExperiment(entry: LibraryEntry): Promise<void> {
  const text = await attempt(`Could not copy “${entry.name}”`, async () => {
    const read = await request('experiments:read', { id: entry.id });
    return setIn(readYaml(read.text), ['name'], `${entry.name} (copy)`).text;
  });
  if (text !== null) openDraft({ id: null, origin: 'mine', text, isUnsaved: true });
}

export async function deleteExperiment(entry: LibraryEntry): Promise<void> {
  const moveFocus = focusAfterRemoval();
  const deleted = await attempt(`Could not delete “${entry.name}”`, () =>
    request('experiments:delete', { id: entry.id }),
  );
  if (!deleted) return;
  moveFocus();
  showDeleted(`Deleted “${entry.name}”`, () => request('experiments:restore', { undo: deleted.undo }));
}

export async function importExperiment(): Promise<void> {
  const entry = await attempt('Could not import the file', () => request('experiments:import', null));
  if (entry) await openExperiment(entry);
}

export async function exportExperiment(entry: LibraryEntry): Promise<void> {
  await attempt(`Could not export “${entry.name}”`, async () => {
    const { text } = await request('experiments:read', { id: entry.id });
    return request('experiments:export', { text, name: entry.name });
  });
}
