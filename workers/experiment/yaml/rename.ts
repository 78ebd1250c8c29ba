import { isMapping } from '#model/is-mapping.ts';
import { type Leaf, leavesOf } from '#model/leaves.ts';
import { renameKey, setIn } from './edit-experiment.ts';
import type { YamlSource } from './yaml-source.ts';

/**
 * An experiment file with one of its tables renamed everywhere: in sizes, references, parameters and, as {name}, in
 * texts. Throws DynoError('badInput') if the text is not YAML.
 */
export const renameTable = (source: YamlSource, old: string, name: string): YamlSource =>
  renameIn(
    'tables',
    withNames(source, (value, { key, holder: { type, table } }) =>
      key === 'table' && table === old && ['reference', 'key', 'newKey'].includes(String(type))
        ? name
        : value.replaceAll(`{${old}}`, `{${name}}`),
    ),
    old,
    name,
  );

/** An experiment file with one of its checks renamed everywhere, also in sizes. Throws as renameTable does. */
export const renameCheck = (source: YamlSource, old: string, name: string): YamlSource =>
  renameIn('checks', source, old, name);

/** The file with a statement, transaction or scenario renamed wherever it is named. Throws as renameTable does. */
export function renameStatement(source: YamlSource, old: string, name: string): YamlSource {
  const named = withNames(source, (value, { key, holder: { type } }) => {
    const isStep = key === 'steps' || key === 'otherwise';
    return value === old && (isStep || (key === 'from' && type === 'captured')) ? name : value;
  });
  return (['statements', 'transactions', 'scenarios'] as const).reduce(
    (changed, part) => renameIn(part, changed, old, name),
    named,
  );
}

/** The file with every text in it replaced by what `rename` makes of it. */
const withNames = (source: YamlSource, rename: (text: string, leaf: Leaf) => string): YamlSource =>
  leavesOf(source.value).reduce((changed, leaf) => {
    const to = typeof leaf.value === 'string' ? rename(leaf.value, leaf) : leaf.value;
    return to === leaf.value ? changed : setIn(changed, leaf.path, to);
  }, source);

type Part = 'tables' | 'checks' | 'statements' | 'transactions' | 'scenarios';

/** Renames in the file itself and in its sizes. */
function renameIn(part: Part, source: YamlSource, old: string, name: string): YamlSource {
  const { value } = source;
  const sizes = isMapping(value) && isMapping(value.sizes) ? Object.entries(value.sizes) : [];
  return [{ path: [], holder: value }, ...sizes.map(([size, holder]) => ({ path: ['sizes', size], holder }))]
    .filter(({ holder }) => isMapping(holder) && isMapping(holder[part]) && Object.hasOwn(holder[part], old))
    .reduce((changed, { path }) => renameKey(changed, [...path, part], old, name), source);
}
