import type { Diagnostic } from '#model/text/diagnostic.ts';
import { draft, setText } from '../draft/draft-store.ts';

/** The visible editor, as the form and the list of problems see it. The interface hides the editor's library. */
interface OpenEditor {
  replace(text: string): void;
  show(problem: Diagnostic): void;
}

let editor: OpenEditor | null = null;

/** Stores the visible editor. Null if none is visible. */
export function setOpenEditor(opened: OpenEditor | null): void {
  editor = opened;
}

/** A change of a draft's text while no editor was visible. */
interface OffScreenChange {
  readonly key: number;
  readonly before: string;
  readonly after: string;
}

let offScreen: readonly OffScreenChange[] = [];

/** Changes the draft's text from outside the editor, as one undo step. */
export function replaceText(text: string): void {
  const now = draft.get();
  if (editor) editor.replace(text);
  else if (now && now.text !== text) {
    offScreen = [...offScreen.filter(({ key }) => key === now.key), { key: now.key, before: now.text, after: text }];
    setText(text);
  }
}

/** The changes of a draft since an editor was last visible. The next editor adds them to its undo history. */
export function takeOffScreen(key: number): readonly OffScreenChange[] {
  const taken = offScreen.filter((one) => one.key === key);
  offScreen = [];
  return taken;
}

/** Moves the editor's cursor to a problem and scrolls to it. */
export const showProblem = (problem: Diagnostic): void => editor?.show(problem);
