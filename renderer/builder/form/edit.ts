import { toErrorData } from '#contract/error.ts';
import { setIn } from '#contract/experiment-file.ts';
import { placeInSize } from '#contract/sizes.ts';
import { readYaml } from '#contract/yaml-source.ts';
import { showToast } from '../../ui/toast.tsx';
import { draft } from '../draft-store.ts';
import { replaceText } from '../yaml-editor.tsx';
import type { Path } from './form-model.ts';

/** Sets a value in the file's text, in its chosen size where that has it, keeping comments and layout; undefined removes the key. What the form cannot change is told. */
export function edit(path: Path, value: unknown): void {
  const text = draft.get()?.text;
  if (text === undefined) return;
  try {
    replaceText(setIn(text, placeInSize(readYaml(text).value, path), value));
  } catch (thrown) {
    const { message, hint } = toErrorData(thrown);
    showToast({ tone: 'error', title: 'The form cannot change this', text: hint ? `${message} ${hint}` : message });
  }
}
