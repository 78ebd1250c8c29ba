import type { KeptDraft } from '#protocol/opened.ts';
import { draft, type ExperimentDraft, hasChanges } from '../builder/draft/draft-store.ts';
import { draftsSetAside, restoreDraft } from '../builder/open-draft.ts';
import { attempt, request } from '../state/bridge.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { texts } from './text.ts';

const pauseMs = 300;
/** Who types on without a pause has the changes kept, too. */
const mostMs = 2_000;

const toKept = ({ key, id, origin, lineEnd, savedText, text }: ExperimentDraft): KeptDraft => ({
  key,
  id,
  origin,
  lineEnd,
  savedText,
  text,
});

/** The experiments with unsaved changes, the one in the builder last. */
function unsaved(): readonly ExperimentDraft[] {
  const now = draft.get();
  return [...draftsSetAside.get(), ...(now && hasChanges(now) ? [now] : [])].slice(-20);
}

/** Sends the main process the unsaved experiments after each pause in typing, so that a crash does not lose them. */
export function keepDrafts(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitsSince: number | null = null;
  let sent = '';
  const send = () => {
    waitsSince = null;
    const drafts = unsaved().map(toKept);
    const now = JSON.stringify(drafts);
    if (now === sent) return;
    sent = now;
    request('drafts:keep', { drafts }).catch(() => {
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
  later();
}

/** Shows the unsaved experiments that an earlier page or app could not save any more. */
export async function restoreDrafts(): Promise<void> {
  const kept = await attempt(texts.keptDrafts.couldNotReadTheUnsaved, () => request('drafts:list', null));
  for (const one of kept ?? []) restoreDraft(one);
  if (kept !== null && kept.length > 0)
    showToast({
      tone: 'info',
      title: texts.keptDrafts.unsavedChangesWereBroughtBack,
      text: texts.keptDrafts.dynoHadEndedBeforeThey,
    });
}
