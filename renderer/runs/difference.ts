import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { isMapping } from '#model/is-mapping.ts';
import { leavesOf } from '#model/leaves.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { longestTitle } from '#protocol/run-annotation.ts';

/** A difference from the experiment of a run, as the user chooses it. */
export interface TypedDifference {
  readonly kind: 'value' | 'size' | 'target' | 'session' | 'server';
  /** The path of the value, or the engine of the parameter. */
  readonly key: string;
  /** The name of the parameter. */
  readonly name: string;
  readonly value: string;
}

/** A key of the file with a single value. */
interface FileKey {
  readonly key: string;
  readonly value: string;
}

/** Keys whose values are texts of their own, or have another kind of difference. */
const otherKeys: ReadonlySet<string> = new Set([
  ...['dyno', 'name', 'question', 'about', 'published', 'gallery', 'size', 'sizes', 'targets', 'session', 'server'],
  ...['statements', 'transactions', 'checks', 'setup', 'teardown', 'tables'],
]);

/** The keys of an experiment that can be given another value. */
export function keysOf(text: string): readonly FileKey[] {
  const { value } = readYaml(text);
  if (!isMapping(value)) return [];
  const all = Object.entries(value).filter(([key]) => !otherKeys.has(key));
  return all.flatMap(([key, inner]) =>
    leavesOf(inner, [key]).flatMap((leaf): readonly FileKey[] =>
      leaf.path.some((step) => typeof step === 'number')
        ? []
        : [{ key: formatPath(leaf.path), value: String(leaf.value ?? '') }],
    ),
  );
}

/** The sizes of an experiment, other than the one that it has. */
export function sizesOf(text: string): readonly string[] {
  const { value } = readYaml(text);
  return isMapping(value) && isMapping(value.sizes)
    ? Object.keys(value.sizes).filter((name) => name !== value.size)
    : [];
}

/** The assignment (`--set`) that makes the difference; null while it is not complete. */
export function assignmentOf({ kind, key, name, value }: TypedDifference, text: string): string | null {
  const written = value.trim();
  if (written === '') return null;
  switch (kind) {
    case 'value':
      return key.trim() === '' ? null : `${key.trim()}=${written}`;
    case 'size':
      return `size=${written}`;
    case 'target':
      return `targets=${JSON.stringify([...targetsOf(text), written])}`;
    case 'session':
    case 'server':
      return key === '' || name.trim() === ''
        ? null
        : `${formatPath([kind, key, name.trim()] satisfies Path)}=${written}`;
  }
}

const targetsOf = (text: string): readonly unknown[] => {
  const { value } = readYaml(text);
  return isMapping(value) && Array.isArray(value.targets) ? value.targets : [];
};

/** The experiment with the difference, or the reason why there is none. */
export function withDifference(
  text: string,
  assignment: string,
): { readonly text: string; readonly problem: null } | { readonly text: null; readonly problem: string } {
  try {
    const changed = applyOverrides(readYaml(text), [assignment]).text;
    return changed === text
      ? { text: null, problem: 'The experiment has this value already.' }
      : { text: changed, problem: null };
  } catch (thrown) {
    return { text: null, problem: errorText(toErrorData(thrown)) };
  }
}

/** The title of the run with the difference, on one line. */
export function titleOfDifference({ kind, key, name, value }: TypedDifference): string {
  const what = kind === 'target' ? 'with' : kind === 'size' ? 'size' : kind === 'value' ? key.trim() : name.trim();
  return `${what} ${value.trim()}`.replaceAll(/\s+/g, ' ').slice(0, longestTitle).trim();
}
