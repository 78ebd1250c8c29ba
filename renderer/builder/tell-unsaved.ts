import { request } from '../bridge.ts';
import { draft, hasChanges } from './draft-store.ts';
import { readRaw, textOf } from './form/form-model.ts';

/** Lets the shell know what would be lost with the window, whenever that changes; at once, for the shell may remember an earlier page. */
export function tellUnsaved(): void {
  let told: boolean | null = null;
  const tell = () => {
    const now = draft.get();
    const unsaved = now !== null && hasChanges(now);
    if (unsaved === told) return;
    told = unsaved;
    const name = unsaved ? textOf(readRaw(now.savedText)?.name).slice(0, 100) || 'New experiment' : null;
    // Only the question before quitting would be missing; the next change tries again.
    request('app:unsaved', { name }).catch(() => {
      told = null;
    });
  };
  draft.subscribe(tell);
  tell();
}
