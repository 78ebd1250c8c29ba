import { setIn } from '#experiment/experiment-file.ts';
import { placeInSize } from '#experiment/validate/sizes.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import { showToast } from '../../ui/toast.tsx';
import { draft } from '../draft-store.ts';
import { replaceText } from '../yaml-editor.tsx';
import type { Path } from './form-model.ts';

/** Sets a value in the file's text, in its chosen size where that has it, keeping comments and layout; undefined removes the key. */
export const edit = (path: Path, value: unknown): void =>
  editText((text) => setIn(text, placeInSize(readYaml(text).value, path), value));

/** Changes the file's text in one step. What cannot be changed is told. */
export function editText(change: (text: string) => string): void {
  const text = draft.get()?.text;
  if (text === undefined) return;
  try {
    replaceText(change(text));
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    showToast({ tone: 'error', title: 'The form cannot change this', text: hint ? `${message} ${hint}` : message });
  }
}
