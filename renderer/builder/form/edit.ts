import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { errorText } from '../../ui/text/error-text.ts';
import { draft } from '../draft/draft-store.ts';
import type { KeyPath } from '../draft/raw-experiment.ts';
import { replaceText } from '../yaml/open-editor.ts';

/**
 * Sets a value in the file's text, in its chosen size if that has the key. Comments stay; undefined removes the key.
 */
export const edit = (path: KeyPath, value: unknown): void =>
  editText((text) => setIn(text, placeInSize(readYaml(text).value, path), value));

/** Sets several values as `edit` does, in one undo step. */
export const editAll = (changes: readonly { readonly path: KeyPath; readonly value: unknown }[]): void =>
  editText((text) =>
    changes.reduce(
      (changed, { path, value }) => setIn(changed, placeInSize(readYaml(changed).value, path), value),
      text,
    ),
  );

/** Changes the file's text in one undo step. A toast shows an error of `change`. */
export function editText(change: (text: string) => string): void {
  const text = draft.get()?.text;
  if (text === undefined) return;
  try {
    replaceText(change(text));
  } catch (thrown) {
    showToast({ tone: 'error', title: 'The form cannot change this', text: errorText(toErrorData(thrown)) });
  }
}
