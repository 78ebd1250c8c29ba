import { draft, hasChanges } from '../builder/draft/draft-store.ts';
import { asText, readRaw } from '../builder/draft/raw-experiment.ts';
import { formHasChanges, openForm } from '../connections/open-form.ts';
import { request } from '../state/bridge.ts';

/** Name of the unsaved experiment in the builder, else of the unsaved connection in its form; null without either. */
function unsavedName(): string | null {
  const now = draft.get();
  if (now && hasChanges(now)) return asText(readRaw(now.savedText)?.name).slice(0, 100) || 'New experiment';
  const open = openForm.get();
  return open && formHasChanges(open) ? open.before.name || 'New connection' : null;
}

/**
 * Sends the main process the name of what closing the window would lose: now, since it may hold that of a page before,
 * and on every change.
 */
export function reportUnsavedChanges(): void {
  let sent: string | null | undefined;
  const tell = () => {
    const name = unsavedName();
    if (name === sent) return;
    sent = name;
    // Without this message the app quits without asking; the next change sends it again.
    request('app:unsaved', { name }).catch(() => {
      sent = undefined;
    });
  };
  draft.subscribe(tell);
  openForm.subscribe(tell);
  tell();
}
