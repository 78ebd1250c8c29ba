import type { Connection, DraftOpinion } from '#model/connections.ts';
import { appInfo } from '../state/app-info.ts';
import { request } from '../state/bridge.ts';
import { connections } from '../state/connections.ts';
import { createStore } from '../state/store.ts';
import { type ConnectionFormState, draftOf, formOf, sameContent } from './connection-form-model.ts';

export interface OpenForm {
  readonly form: ConnectionFormState;
  /** The form as it was opened or last saved. */
  readonly before: ConnectionFormState;
  /** The fields that the user has edited. Problems of other fields appear after Save or Test. */
  readonly touched: ReadonlySet<string>;
  readonly showAll: boolean;
  readonly opinion: DraftOpinion | null;
}

/** The open form, which stays open while another page is shown. */
export const openForm = createStore<OpenForm | null>(null);

/** Forms with unsaved changes that were replaced by another form and can still be restored. */
export const formsSetAside = createStore<readonly OpenForm[]>([]);

/** The forms with unsaved changes, the open one last. */
export function unsavedForms(): readonly OpenForm[] {
  const open = openForm.get();
  return [...formsSetAside.get(), ...(open && formHasChanges(open) ? [open] : [])].slice(-20);
}

export const formHasChanges = ({ form, before }: OpenForm): boolean => !sameContent(form, before);

const judgeDelayMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

export function scheduleJudge(delayMs = judgeDelayMs): void {
  clearTimeout(timer);
  timer = setTimeout(() => void judge(), delayMs);
}

/** The check of the form by the main process. Null if there is no answer. */
export async function judge(): Promise<DraftOpinion | null> {
  const now = openForm.get();
  if (!now) return null;
  try {
    const opinion = await request('connections:judge', { draft: draftOf(now.form) });
    openForm.update((open) => (open?.form === now.form ? { ...open, opinion } : open));
    return opinion;
  } catch {
    // The form stays usable. The next change repeats the check.
    return null;
  }
}

/** Changes the form. `touched` is the field that the user edited. */
export function change(next: (form: ConnectionFormState) => ConnectionFormState, touched?: string): void {
  openForm.update((open) =>
    open === null
      ? null
      : {
          ...open,
          form: next(open.form),
          touched: touched === undefined ? open.touched : new Set([...open.touched, touched]),
        },
  );
  scheduleJudge();
}

/** Replaces the form by the saved connection. */
export function settleForm(connection: Connection): void {
  const engine = appInfo.get()?.engines.find(({ id }) => id === connection.engine);
  const open = openForm.get();
  if (!engine || !open) return;
  const form = formOf(open.form.key, connection, engine);
  openForm.set({ form, before: form, touched: new Set(), showAll: false, opinion: null });
  scheduleJudge(0);
}

/** The engines for which users can create connections. */
export const offered = () =>
  (appInfo.get()?.engines ?? []).filter(({ config, reference }) => config.length > 0 && !reference);

export const canStore = (): boolean => connections.get()?.cannotStore === null;
