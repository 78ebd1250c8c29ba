import { request } from '../bridge.ts';
import { draft, hasChanges } from './draft-store.ts';
import { readRaw, textOf } from './form/form-model.ts';

/** Lets the shell know what would be lost with the window, whenever that changes. */
export function tellUnsaved(): void {
  let told = false;
  draft.subscribe(() => {
    const now = draft.get();
    const unsaved = now !== null && hasChanges(now);
    if (unsaved === told) return;
    told = unsaved;
    const name = unsaved ? textOf(readRaw(now.savedText)?.name).slice(0, 100) || 'New experiment' : null;
    // Only the question before quitting would be missing.
    request('app:unsaved', { name }).catch(() => {
      told = !unsaved;
    });
  });
}
