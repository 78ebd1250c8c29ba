import { draft, hasChanges, nameOf } from '../builder/draft/draft-store.ts';
import { draftsSetAside } from '../builder/open-draft.ts';
import { formsSetAside, openForm, unsavedForms } from '../connections/open-form.ts';
import { request } from '../state/bridge.ts';

/** Names of the unsaved experiments, those that were set aside included, and of the unsaved connection in its form. */
export function unsavedNames(): readonly string[] {
  const now = draft.get();
  const experiments = [...draftsSetAside.get(), ...(now && hasChanges(now) ? [now] : [])];
  const forms = unsavedForms();
  return [...experiments.map(nameOf), ...forms.map(({ before, form }) => before.name || form.name || 'New connection')];
}

/** Sends the main process the names of what closing the window would lose: now, and on every change. */
export function reportUnsavedChanges(): void {
  let sent = '';
  const tell = () => {
    const names = unsavedNames();
    const now = JSON.stringify(names);
    if (now === sent) return;
    sent = now;
    // If this message fails, the app quits without asking; the next change sends it again.
    request('app:unsaved', { names }).catch(() => {
      sent = '';
    });
  };
  draft.subscribe(tell);
  draftsSetAside.subscribe(tell);
  openForm.subscribe(tell);
  formsSetAside.subscribe(tell);
  tell();
}
