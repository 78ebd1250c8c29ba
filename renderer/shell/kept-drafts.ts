import type { KeptDraft } from '#protocol/opened.ts';
import { draft, type ExperimentDraft, hasChanges } from '../builder/draft/draft-store.ts';
import { draftsSetAside, restoreDraft } from '../builder/open-draft.ts';
import { draftOf } from '../connections/connection-form-model.ts';
import { restoreForm } from '../connections/open-connection.ts';
import { formsSetAside, openForm, unsavedForms } from '../connections/open-form.ts';
import { attempt, request } from '../state/bridge.ts';
import { currentPage, goTo, type PageAddress } from '../state/navigation.ts';
import { showToast } from '../ui/overlays/toast.tsx';

const pauseMs = 300;
/** The longest time between two saves, for users who type without a pause. */
const mostMs = 2_000;

const toKept = ({ key, id, origin, lineEnd, savedText, text }: ExperimentDraft): KeptDraft => ({
  key,
  id,
  origin,
  lineEnd,
  savedText,
  text,
});

/** The experiments with unsaved changes. The open one comes last. */
function unsaved(): readonly ExperimentDraft[] {
  const now = draft.get();
  return [...draftsSetAside.get(), ...(now && hasChanges(now) ? [now] : [])].slice(-20);
}

/**
 * Sends unsaved experiments and connections to the main process after each pause in typing, so that they survive a
 * crash and quitting.
 */
export function keepDrafts(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitsSince: number | null = null;
  let sent = '';
  const send = () => {
    waitsSince = null;
    const drafts = unsaved().map(toKept);
    const connections = unsavedForms().map(({ form }) => draftOf(form));
    const now = JSON.stringify([drafts, connections]);
    if (now === sent) return;
    sent = now;
    request('drafts:keep', { drafts, connections }).catch(() => {
      // The next change sends them again.
      sent = '';
    });
  };
  const later = () => {
    clearTimeout(timer);
    const now = performance.now();
    waitsSince ??= now;
    timer = setTimeout(send, Math.max(0, Math.min(pauseMs, waitsSince + mostMs - now)));
  };
  draft.subscribe(later);
  draftsSetAside.subscribe(later);
  openForm.subscribe(later);
  formsSetAside.subscribe(later);
  later();
}

/** The open one was kept last. It is restored first, and the others are set aside in their order. */
const lastFirst = <T>(kept: readonly T[]): readonly T[] => [...kept.slice(-1), ...kept.slice(0, -1)];

/**
 * Restores the unsaved experiments and connections of an earlier page or app. Shows them if the user is still on
 * `startPage`, and takes nothing from a user who has already gone elsewhere.
 */
export async function restoreDrafts(startPage: PageAddress): Promise<void> {
  const [kept, forms] = await Promise.all([
    attempt('Could not read the unsaved changes', () => request('drafts:list', null)),
    attempt('Could not read the unsaved changes', () => request('drafts:connections', null)),
  ]);
  const drafts = kept ?? [];
  const connections = forms ?? [];
  if (drafts.length + connections.length === 0) return;
  const isWaiting = currentPage.get() === startPage;
  for (const one of lastFirst(connections)) restoreForm(one);
  for (const one of lastFirst(drafts)) restoreDraft(one);
  if (isWaiting) goTo({ page: drafts.length > 0 ? 'builder' : 'connection' });
  showToast({
    tone: 'info',
    title: 'Unsaved changes were restored',
    text: 'Dyno ended before they were saved. Typed passwords were not kept.',
  });
}
