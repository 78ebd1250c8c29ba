import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { errorText } from '../../ui/text/error-text.ts';
import { draft } from '../draft/draft-store.ts';
import { type KeyPath, keepSource, sourceOf } from '../draft/raw-experiment.ts';
import { replaceText } from '../yaml/open-editor.ts';

interface Change {
  readonly path: KeyPath;
  readonly value: unknown;
}

const changed = (file: YamlSource, { path, value }: Change): YamlSource =>
  setIn(file, placeInSize(file.value, path), value);

/**
 * Sets a value in the file, or in the chosen size if the size has the key. Comments are kept. Undefined removes the
 * key.
 */
export const edit = (path: KeyPath, value: unknown): void => editFile((file) => changed(file, { path, value }));

/** Sets several values as `edit` does, in one undo step. */
export const editAll = (changes: readonly Change[]): void => editFile((file) => changes.reduce(changed, file));

/** Changes the file in one undo step. A toast shows an error of `change`. */
export function editFile(change: (file: YamlSource) => YamlSource): void {
  const text = draft.get()?.text;
  if (text === undefined) return;
  try {
    const result = change(sourceOf(text));
    keepSource(result);
    replaceText(result.text);
  } catch (thrown) {
    showToast({ tone: 'error', title: 'The form cannot change this', text: errorText(toErrorData(thrown)) });
  }
}
