import { request } from '../bridge.ts';
import { openForm, hasChanges as wouldLose } from '../connections/form-store.ts';
import { draft, hasChanges } from './draft-store.ts';
import { readRaw, textOf } from './form/form-model.ts';

/** Name of what would be lost with the window: the experiment in the builder, else the connection in its form. */
function unsavedName(): string | null {
  const now = draft.get();
  if (now && hasChanges(now)) return textOf(readRaw(now.savedText)?.name).slice(0, 100) || 'New experiment';
  const open = openForm.get();
  return open && wouldLose(open) ? open.before.name || 'New connection' : null;
}

/** Lets the shell know what would be lost with the window, whenever that changes; at once, for the shell may remember an earlier page. */
export function tellUnsaved(): void {
  let told: string | null | undefined;
  const tell = () => {
    const name = unsavedName();
    if (name === told) return;
    told = name;
    // Only the question before quitting would be missing; the next change tries again.
    request('app:unsaved', { name }).catch(() => {
      told = undefined;
    });
  };
  draft.subscribe(tell);
  openForm.subscribe(tell);
  tell();
}
