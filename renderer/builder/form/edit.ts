import { setIn } from '#contract/experiment-file.ts';
import { draft } from '../draft-store.ts';
import { replaceText } from '../yaml-editor.tsx';
import type { Path } from './form-model.ts';

/** Sets a value in the file's text, keeping comments and layout; undefined removes the key. */
export function edit(path: Path, value: unknown): void {
  const text = draft.get()?.text;
  if (text !== undefined) replaceText(setIn(text, [...path], value));
}
