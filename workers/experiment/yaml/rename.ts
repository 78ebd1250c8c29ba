import { isMap, isScalar } from 'yaml';
import { datasetName, datasetTable } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import { type Leaf, leavesOf } from '#model/leaves.ts';
import { changesIn } from '../schema/levels.ts';
import { renameKey, setIn } from './edit-experiment.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/**
 * An experiment file with one of its tables renamed everywhere: in sizes, levels, references, parameters and, as
 * {name}, in texts. Throws DynoError('badInput') if the text is not YAML.
 */
export const renameTable = (source: YamlSource, old: string, name: string): YamlSource =>
  renameIn('tables', renamedTexts(source, old, name), old, name);

/** The file in which parameters, references and texts name a table by its new name. */
const renamedTexts = (source: YamlSource, old: string, name: string): YamlSource =>
  withNames(source, (value, { key, holder: { type, table } }) =>
    key === 'table' && table === old && ['reference', 'key', 'newKey'].includes(String(type))
      ? name
      : value.replaceAll(`{${old}}`, `{${name}}`),
  );

/** An experiment file whose dataset is renamed, in parameters and, as {name}, in texts. Throws as renameTable does. */
export function renameDataset(source: YamlSource, name: string): YamlSource {
  const dataset = isMapping(source.value) && isMapping(source.value.dataset) ? source.value.dataset : {};
  const renamed = renamedTexts(source, datasetName(dataset), name);
  if (name === datasetTable) return setIn(renamed, ['dataset', 'name'], undefined);
  return (
    (dataset.name === undefined ? withFirstName(renamed, name) : null) ?? setIn(renamed, ['dataset', 'name'], name)
  );
}

/** The dataset's name above its other keys, as in all files; null if it has none. */
function withFirstName({ text, document }: YamlSource, name: string): YamlSource | null {
  const map = document.getIn(['dataset'], true);
  const key = isMap(map) ? map.items[0]?.key : undefined;
  if (!isMap(map) || !isScalar(key) || !key.range) return null;
  const [start] = key.range;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  const end = map.flow ? ', ' : `${text.includes('\r\n') ? '\r\n' : '\n'}${before}`;
  // A key behind an anchor or a tag is not alone in its line.
  return map.flow || before.trim() === ''
    ? readYaml(`${text.slice(0, start)}name: ${name}${end}${text.slice(start)}`)
    : null;
}

/** An experiment file with a check renamed everywhere, also in sizes and levels. Throws as renameTable does. */
export const renameCheck = (source: YamlSource, old: string, name: string): YamlSource =>
  renameIn('checks', source, old, name);

/** The file with a statement of setup renamed everywhere, and, as {name}, in texts. Throws as renameTable does. */
export const renameSetup = (source: YamlSource, old: string, name: string): YamlSource =>
  renameIn(
    'setup',
    withNames(source, (value) => value.replaceAll(`{${old}}`, `{${name}}`)),
    old,
    name,
  );

/** The file with a statement of teardown renamed everywhere. Throws as renameTable does. */
export const renameTeardown = (source: YamlSource, old: string, name: string): YamlSource =>
  renameIn('teardown', source, old, name);

/** The file with a statement, transaction or scenario renamed wherever it is named. Throws as renameTable does. */
export function renameStatement(source: YamlSource, old: string, name: string): YamlSource {
  const named = withNames(source, (value, { key, path: [section], holder: { type } }) => {
    const isStep = key === 'steps' || key === 'otherwise';
    const isJudged = (section === 'judge' && key === 'statement') || (section === 'goals' && key === 'of');
    return value === old && (isStep || isJudged || (key === 'from' && type === 'captured')) ? name : value;
  });
  return (['statements', 'transactions', 'scenarios'] as const).reduce(
    (changed, part) => renameIn(part, changed, old, name),
    named,
  );
}

/** The file with a level renamed, also in sizes, baselines and published values. Throws as renameTable does. */
export function renameLevel(source: YamlSource, factor: string, old: string, name: string): YamlSource {
  const named = withNames(source, (value, { key, path }) => {
    const isNamed = key === factor && ['baseline', 'explain', 'levels'].includes(String(path.at(-2)));
    return isNamed && value === old ? name : value;
  });
  const places = changesIn(isMapping(source.value) ? source.value : {})
    .map(({ at }) => at)
    .filter((at) => at.at(-3) === 'factors' && at.at(-2) === factor && at.at(-1) === old);
  return places.reduce((changed, at) => renameKey(changed, at.slice(0, -1), old, name), named);
}

/** The file with every text in it replaced by what `rename` makes of it. */
const withNames = (source: YamlSource, rename: (text: string, leaf: Leaf) => string): YamlSource =>
  leavesOf(source.value).reduce((changed, leaf) => {
    const to = typeof leaf.value === 'string' ? rename(leaf.value, leaf) : leaf.value;
    return to === leaf.value ? changed : setIn(changed, leaf.path, to);
  }, source);

type Part = 'tables' | 'setup' | 'teardown' | 'checks' | 'statements' | 'transactions' | 'scenarios';

/** Renames in the file itself, and in its sizes and levels. */
function renameIn(part: Part, source: YamlSource, old: string, name: string): YamlSource {
  const file = isMapping(source.value) ? source.value : {};
  return [{ change: file, at: [] }, ...changesIn(file)]
    .filter(({ change }) => isMapping(change[part]) && Object.hasOwn(change[part], old))
    .reduce((changed, { at }) => renameKey(changed, [...at, part], old, name), source);
}
