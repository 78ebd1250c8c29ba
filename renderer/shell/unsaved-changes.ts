import { draft, hasChanges, nameOf } from '../builder/draft/draft-store.ts';
import { draftsSetAside } from '../builder/open-draft.ts';
import { formsSetAside, openForm, unsavedForms } from '../connections/open-form.ts';
import { request } from '../state/bridge.ts';

/** The names of unsaved experiments, including those set aside, and of the unsaved connection in its form. */
export function unsavedNames(): readonly string[] {
  const now = draft.get();
  const experiments = [...draftsSetAside.get(), ...(now && hasChanges(now) ? [now] : [])];
  const forms = unsavedForms();
  return [...experiments.map(nameOf), ...forms.map(({ before, form }) => before.name || form.name || 'New connection')];
}

/**
 * Sends the main process the names of all unsaved work that would be lost if the window closed, now and after every
 * change.
 */
export function reportUnsavedChanges(): void {
  let sent = '';
  const tell = () => {
    const names = unsavedNames();
    const now = JSON.stringify(names);
    if (now === sent) return;
    sent = now;
    // If this message fails, the app quits without asking. The next change sends it again.
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
