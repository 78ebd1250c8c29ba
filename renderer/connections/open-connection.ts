import type { Connection, ConnectionDraft } from '#model/connections.ts';
import { appInfo } from '../state/app-info.ts';
import { connections } from '../state/connections.ts';
import { goTo } from '../state/navigation.ts';
import { keepAside } from '../state/set-aside.ts';
import { type ConnectionFormState, emptyForm, formOf, restored } from './connection-form-model.ts';
import {
  canStore,
  formHasChanges,
  formsSetAside,
  type OpenForm,
  offered,
  openForm,
  scheduleJudge,
} from './open-form.ts';

// This is the only file of the connections that other features import.

let nextKey = 1;

function show(form: ConnectionFormState): void {
  const before = openForm.get();
  openForm.set({ form, before: form, touched: new Set(), showAll: false, opinion: null });
  scheduleJudge(0);
  goTo({ page: 'connection' });
  if (before && formHasChanges(before)) setAside(before);
}

function setAside(before: OpenForm): void {
  formsSetAside.update((all) => [...all, before]);
  keepAside(
    before.before.name || 'New connection',
    () => {
      const now = openForm.get();
      openForm.set({ ...before, form: { ...before.form, revision: before.form.revision + 1 } });
      goTo({ page: 'connection' });
      if (now && formHasChanges(now)) setAside(now);
    },
    () => formsSetAside.update((all) => all.filter((one) => one !== before)),
  );
}

/**
 * Opens the form with the unsaved changes of an earlier page or app, without the typed passwords and without showing
 * its page. Sets them aside if a form is already open.
 */
export function restoreForm(kept: ConnectionDraft): void {
  const engine = appInfo.get()?.engines.find(({ id }) => id === kept.engine);
  if (!engine) return;
  const saved = connections.get()?.connections.find(({ id }) => id === kept.id);
  const before = saved ? formOf(nextKey, saved, engine) : emptyForm(nextKey, engine, canStore());
  const form = restored(nextKey, kept, before, engine);
  nextKey++;
  const opened: OpenForm = { form, before, touched: new Set(), showAll: true, opinion: null };
  if (openForm.get() !== null) {
    // A typed password, which is not kept, may have been the only change.
    if (formHasChanges(opened)) setAside(opened);
    return;
  }
  openForm.set(opened);
  scheduleJudge(0);
}

/** Opens the form of a new connection for the first engine, or shows an open form of a new connection with changes. */
export function newConnection(): void {
  const open = openForm.get();
  if (open && open.form.id === null && formHasChanges(open)) {
    goTo({ page: 'connection' });
    return;
  }
  const engine = offered()[0];
  if (engine) show(emptyForm(nextKey++, engine, canStore()));
}

/** Opens the form of a saved connection, or shows its open form with changes. */
export function editConnection(connection: Connection): void {
  const open = openForm.get();
  if (open?.form.id === connection.id && formHasChanges(open)) {
    goTo({ page: 'connection' });
    return;
  }
  const engine = appInfo.get()?.engines.find(({ id }) => id === connection.engine);
  if (engine) show(formOf(nextKey++, connection, engine));
}
