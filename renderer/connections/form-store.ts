import type { Connection, DraftOpinion } from '#model/connections.ts';
import { request } from '../bridge.ts';
import { appInfo } from '../shell/app-info.ts';
import { goTo } from '../shell/navigation.ts';
import { createStore } from '../store.ts';
import { showToast } from '../ui/toast.tsx';
import { connections } from './connections-store.ts';
import { type ConnectionForm, draftOf, emptyForm, formOf, sameContent } from './form-model.ts';

export interface OpenForm {
  readonly form: ConnectionForm;
  /** As it was opened or last saved. */
  readonly before: ConnectionForm;
  /** Fields that were touched; problems of the others wait until somebody wants to save or test. */
  readonly touched: ReadonlySet<string>;
  readonly showAll: boolean;
  readonly opinion: DraftOpinion | null;
}

/** The connection in the form; it outlives a look at another page. */
export const openForm = createStore<OpenForm | null>(null);

export const hasChanges = ({ form, before }: OpenForm): boolean => !sameContent(form, before);

let nextKey = 1;
const judgeDelayMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

function scheduleJudge(delayMs = judgeDelayMs): void {
  clearTimeout(timer);
  timer = setTimeout(() => void judge(), delayMs);
}

/** The shell's opinion of the form as it stands; null where it cannot be asked. */
export async function judge(): Promise<DraftOpinion | null> {
  const now = openForm.get();
  if (!now) return null;
  try {
    const opinion = await request('connections:judge', { draft: draftOf(now.form) });
    openForm.update((open) => (open?.form === now.form ? { ...open, opinion } : open));
    return opinion;
  } catch {
    // The form stays editable; the next keystroke asks again.
    return null;
  }
}

/** Changes the form; `touched` is the field that somebody has edited. */
export function change(next: (form: ConnectionForm) => ConnectionForm, touched?: string): void {
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

function show(form: ConnectionForm): void {
  const before = openForm.get();
  openForm.set({ form, before: form, touched: new Set(), showAll: false, opinion: null });
  scheduleJudge(0);
  goTo({ page: 'connection' });
  if (before && hasChanges(before))
    showToast({
      tone: 'info',
      title: 'Unsaved changes were set aside',
      stays: true,
      action: {
        label: 'Bring back',
        run: () => {
          openForm.set({ ...before, form: { ...before.form, revision: before.form.revision + 1 } });
          goTo({ page: 'connection' });
        },
      },
    });
}

/** An empty form, of the engine that is offered first. One that is open and not saved is shown as it stands. */
export function newConnection(): void {
  const open = openForm.get();
  if (open && open.form.id === null && hasChanges(open)) {
    goTo({ page: 'connection' });
    return;
  }
  const engine = offered()[0];
  if (engine) show(emptyForm(nextKey++, engine, canStore()));
}

/** Shows a saved connection; one that is open with changes is shown as it stands. */
export function editConnection(connection: Connection): void {
  const open = openForm.get();
  if (open?.form.id === connection.id && hasChanges(open)) {
    goTo({ page: 'connection' });
    return;
  }
  const engine = appInfo.get()?.engines.find(({ id }) => id === connection.engine);
  if (engine) show(formOf(nextKey++, connection, engine));
}

/** After saving: the form is the connection that it became. */
export function settleForm(connection: Connection): void {
  const engine = appInfo.get()?.engines.find(({ id }) => id === connection.engine);
  const open = openForm.get();
  if (!engine || !open) return;
  const form = formOf(open.form.key, connection, engine);
  openForm.set({ form, before: form, touched: new Set(), showAll: false, opinion: null });
  scheduleJudge(0);
}

/** Engines that have anything to connect to. */
export const offered = () =>
  (appInfo.get()?.engines ?? []).filter(({ config, reference }) => config.length > 0 && !reference);

export const canStore = (): boolean => connections.get()?.cannotStore === null;
