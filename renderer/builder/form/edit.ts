import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { draft } from '../draft/draft-store.ts';
import { type KeyPath, keepSource, recordAt, sourceOf } from '../draft/raw-experiment.ts';
import { replaceText } from '../yaml/open-editor.ts';
import { fieldAt } from './form-field.ts';
import { settingField } from './setting-fields.ts';

/** A value of the file that is set, or removed if it is undefined. */
export interface Change {
  readonly path: KeyPath;
  readonly value: unknown;
}

/** The keys that every file names, because they say what the experiment is about. */
const alwaysWritten: readonly string[] = ['workload.operation', 'dataset.rows'];

/** True if the file need not name the value, because it is the key's default. */
function isDefault(path: KeyPath, value: unknown): boolean {
  if (typeof value === 'object' || alwaysWritten.includes(path.join('.'))) return false;
  const [section, name = ''] = path;
  const field = section === 'workload' && path.length === 2 ? settingField(String(name)) : fieldAt(path);
  return field !== undefined && !field.required && field.hasDefault && field.defaultValue === String(value);
}

function changed(file: YamlSource, { path, value }: Change): YamlSource {
  const place = placeInSize(file.value, path);
  // In a size, the default may take the place of another value of the file.
  return put(file, place, place === path && isDefault(path, value) ? undefined : value);
}

/** Sets a value. A mapping that loses its last key is removed, too, if the file need not have it. */
function put(file: YamlSource, path: KeyPath, value: unknown): YamlSource {
  const above = path.slice(0, -1);
  const isLast = value === undefined && Object.keys(recordAt(file.value, above)).join() === String(path.at(-1));
  return isLast && above.length > 0 && !fieldAt(above).required
    ? put(file, above, undefined)
    : setIn(file, path, value);
}

/**
 * Sets a value in the file, or in the chosen size if the size has the key. Comments are kept. Undefined removes the
 * key, and so does its default.
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
