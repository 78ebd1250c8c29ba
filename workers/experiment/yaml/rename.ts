import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';
import { renameKey, setIn } from './edit-experiment.ts';
import { readYaml } from './yaml-source.ts';

/**
 * An experiment's text with one of its tables renamed everywhere: in sizes, references, parameters and, as {name}, in
 * texts. Throws DynoError('badInput') if the text is not YAML.
 */
export const renameTable = (text: string, old: string, name: string): string =>
  renameIn(
    'tables',
    withNames(text, (value, key, { type, table }) =>
      key === 'table' && table === old && ['reference', 'key', 'newKey'].includes(String(type))
        ? name
        : value.replaceAll(`{${old}}`, `{${name}}`),
    ),
    old,
    name,
  );

/** An experiment's text with one of its checks renamed everywhere, also in sizes. Throws as renameTable does. */
export const renameCheck = (text: string, old: string, name: string): string => renameIn('checks', text, old, name);

/** The text with a statement, transaction or scenario renamed wherever it is named. Throws as renameTable does. */
export function renameStatement(text: string, old: string, name: string): string {
  const named = withNames(text, (value, key, { type }) => {
    const isStep = key === 'steps' || key === 'otherwise';
    return value === old && (isStep || (key === 'from' && type === 'captured')) ? name : value;
  });
  return (['statements', 'transactions', 'scenarios'] as const).reduce(
    (changed, part) => renameIn(part, changed, old, name),
    named,
  );
}

/** The replacement of a text under `key` in `holder`, or in a list there; the same text if it contains no name. */
type Renaming = (text: string, key: string, holder: Readonly<Record<string, unknown>>) => string;

/** The file's text with every string in it renamed. */
function withNames(text: string, rename: Renaming): string {
  const changes = (value: unknown, path: Path, key: string, holder: Readonly<Record<string, unknown>>): Named[] => {
    if (typeof value === 'string') {
      const to = rename(value, key, holder);
      return to === value ? [] : [{ path, to }];
    }
    if (Array.isArray(value)) return value.flatMap((item: unknown, i) => changes(item, [...path, i], key, holder));
    if (!isMapping(value)) return [];
    return Object.entries(value).flatMap(([inner, item]) => changes(item, [...path, inner], inner, value));
  };
  return changes(readYaml(text).value, [], '', {}).reduce((changed, { path, to }) => setIn(changed, path, to), text);
}

interface Named {
  readonly path: Path;
  readonly to: string;
}

type Part = 'tables' | 'checks' | 'statements' | 'transactions' | 'scenarios';

/** Renames in the file itself and in its sizes. */
function renameIn(part: Part, text: string, old: string, name: string): string {
  const experiment = readYaml(text).value;
  const sizes = isMapping(experiment) && isMapping(experiment.sizes) ? Object.entries(experiment.sizes) : [];
  return [{ path: [], holder: experiment }, ...sizes.map(([size, holder]) => ({ path: ['sizes', size], holder }))]
    .filter(({ holder }) => isMapping(holder) && isMapping(holder[part]) && Object.hasOwn(holder[part], old))
    .reduce((changed, { path }) => renameKey(changed, [...path, part], old, name), text);
}
