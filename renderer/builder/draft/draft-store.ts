import type { Checked, LibraryEntry } from '#contract/ipc.ts';
import { request } from '../../state/bridge.ts';
import { createStore } from '../../state/store.ts';

/** The experiment in the builder: its text is the one truth, form and YAML are two views of it. */
export interface ExperimentDraft {
  /** Differs between any two drafts opened in this window. */
  readonly key: number;
  /** Null until it is first saved. */
  readonly id: string | null;
  readonly origin: LibraryEntry['origin'];
  /** The file's line end; here lines end with \n alone. */
  readonly lineEnd: '\n' | '\r\n';
  readonly savedText: string;
  readonly text: string;
  /** The shell's opinion of `checkedText`, which may be a little behind `text`. */
  readonly checked: Checked | null;
  readonly checkedText: string | null;
}

export const draft = createStore<ExperimentDraft | null>(null);

/** There is something to save. */
export const isDirty = (d: ExperimentDraft): boolean => hasChanges(d) || d.id === null;

/** There is work that would be lost. */
export const hasChanges = (d: ExperimentDraft): boolean => d.text !== d.savedText;

const checkDelayMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Checks the draft's text once typing rests, or now. */
export function scheduleCheck(delayMs = checkDelayMs): void {
  clearTimeout(timer);
  timer = setTimeout(() => void check(), delayMs);
}

async function check(): Promise<void> {
  const now = draft.get();
  if (!now) return;
  try {
    const checked = await request('experiments:check', { text: now.text });
    draft.update((d) => (d?.key === now.key && d.text === now.text ? { ...d, checked, checkedText: now.text } : d));
  } catch {
    // The text stays editable; the next keystroke tries again.
  }
}

/** The text as the editor now has it. */
export function setText(text: string): void {
  draft.update((d) => (d === null || d.text === text ? d : { ...d, text }));
  scheduleCheck();
}
