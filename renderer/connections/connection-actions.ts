import type { Connection, ConnectionEntry } from '#model/connections.ts';
import { attempt, request } from '../state/bridge.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { createStore, once } from '../state/store.ts';
import { showDeleted } from '../state/undo-toasts.ts';
import { focusAfterRemoval } from '../ui/controls/focus-after-removal.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { draftOf, hasUnreadNumber, rememberedOf, testedContent } from './connection-form-model.ts';
import { judge, openForm, settleForm } from './open-form.ts';
import { forgetTest, startTest } from './test-store.ts';

/** True while the form is saved, so that a second press does not create a second connection. */
export const savingConnection = createStore(false);

/** The subject of tests of a form. */
export const formSubject = (key: number): string => `form ${key}`;

/** Saves the form and returns the connection. Returns null after a problem, which the form or a toast shows. */
export const saveForm = (): Promise<ConnectionEntry | null> =>
  once(savingConnection, async () => {
    if (!(await isSound())) return null;
    const now = openForm.get();
    if (!now) return null;
    const entry = await attempt('Could not save the connection', () =>
      request('connections:save', { draft: draftOf(now.form) }),
    );
    if (!entry) return null;
    const remembered = rememberedOf(now.form);
    if (Object.keys(remembered).length > 0)
      await request('connections:remember', { passwords: { [entry.id]: remembered } });
    if (openForm.get()?.form.key === now.form.key) settleForm(entry);
    showToast({ tone: 'info', title: `Saved “${entry.name}”` });
    return entry;
  });

/** Returns true if the form has no problems; otherwise it shows them. */
async function isSound(): Promise<boolean> {
  openForm.update((open) => open && { ...open, showAll: true });
  const opinion = await judge();
  const form = openForm.get()?.form;
  return (opinion === null || opinion.problems.length === 0) && !(form && hasUnreadNumber(form));
}

/** Tests the connection in the form, saved or not. */
export async function testForm(): Promise<void> {
  if (!(await isSound())) return;
  const now = openForm.get();
  if (now) await startTest(formSubject(now.form.key), { draft: draftOf(now.form) }, testedContent(now.form));
}

export async function saveAndTest(): Promise<void> {
  const typed = openForm.get()?.form;
  const entry = await saveForm();
  const now = openForm.get();
  if (!entry || !typed || now?.form.id !== entry.id) return;
  // A password with the source "ask" was just typed, so the test does not ask for it.
  const asked = Object.entries(draftOf(typed).passwords).filter(([, { place: from }]) => from === 'ask');
  const draftNow = draftOf(now.form);
  await startTest(
    formSubject(now.form.key),
    { draft: { ...draftNow, passwords: { ...draftNow.passwords, ...Object.fromEntries(asked) } } },
    testedContent(now.form),
  );
}

export async function duplicateConnection({ id, name }: Connection): Promise<void> {
  const copy = await attempt(`Could not copy “${name}”`, () => request('connections:duplicate', { id }));
  if (copy) showToast({ tone: 'info', title: `“${copy.name}” is a copy of “${name}”` });
}

export async function deleteConnection({ id, name }: Connection): Promise<void> {
  const moveFocus = focusAfterRemoval();
  const deleted = await attempt(`Could not delete “${name}”`, () => request('connections:delete', { id }));
  if (!deleted) return;
  moveFocus();
  const open = openForm.get();
  if (open?.form.id === id) {
    forgetTest(formSubject(open.form.key));
    openForm.set(null);
    if (currentPage.get().page === 'connection') goTo({ page: 'connections' });
  }
  showDeleted(`Deleted “${name}”`, () => request('connections:restore', { undo: deleted.undo }));
}
