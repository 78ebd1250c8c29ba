import type { Checked, LibraryEntry } from '#protocol/ipc.ts';
import { request } from '../../state/bridge.ts';
import { createStore } from '../../state/store.ts';
import { asText, readRaw } from './raw-experiment.ts';

/** The experiment in the builder. Form and YAML editor are two views of its text. */
export interface ExperimentDraft {
  /** Unique per opened draft in this window. */
  readonly key: number;
  /** Null until the draft is first saved. */
  readonly id: string | null;
  readonly origin: LibraryEntry['origin'];
  /** Line end of the file. In `text` and `savedText` it is always \n. */
  readonly lineEnd: '\n' | '\r\n';
  readonly savedText: string;
  readonly text: string;
  /** The check of `checkedText` by the main process. The draft's text may be newer. */
  readonly checked: Checked | null;
  readonly checkedText: string | null;
}

export const draft = createStore<ExperimentDraft | null>(null);

/** True if the draft differs from its file, or has no file. */
export const isDirty = (d: ExperimentDraft): boolean => hasChanges(d) || d.id === null;

/** True if the draft has edits that are not saved. */
export const hasChanges = (d: ExperimentDraft): boolean => d.text !== d.savedText;

/** The name that the user sees: the saved one, or else the name in the text. */
export const nameOf = ({ savedText, text }: ExperimentDraft): string =>
  asText(readRaw(savedText || text)?.name).slice(0, 100) || 'New experiment';

const checkDelayMs = 250;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Checks the draft's text after a pause in typing of `delayMs`. */
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
    // The text stays editable. The next keystroke repeats the check.
  }
}

/** Stores the editor's text and schedules its check. */
export function setText(text: string): void {
  draft.update((d) => (d === null || d.text === text ? d : { ...d, text }));
  scheduleCheck();
}
