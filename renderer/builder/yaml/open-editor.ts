import type { Diagnostic } from '#model/text/diagnostic.ts';
import { setText } from '../draft/draft-store.ts';

/** The editor on screen, as the form and the list of problems know it: without what it is made of. */
interface OpenEditor {
  replace(text: string): void;
  show(problem: Diagnostic): void;
}

let editor: OpenEditor | null = null;

/** Notes which editor is on screen; null: none. */
export function setOpenEditor(opened: OpenEditor | null): void {
  editor = opened;
}

/** Changes the draft's text from outside the editor, as one undo step. */
export function replaceText(text: string): void {
  if (editor) editor.replace(text);
  else setText(text);
}

/** Moves the editor's cursor to a problem and shows it. */
export const showProblem = (problem: Diagnostic): void => editor?.show(problem);
