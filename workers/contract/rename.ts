import { isMapping } from './check-shape.ts';
import { renameKey, setIn } from './edit-experiment.ts';
import type { Path } from './path-text.ts';
import { readYaml } from './yaml-source.ts';

/**
 * An experiment's text with one of its tables renamed, wherever the file names it: in sizes, references, parameters and, as {name}, texts.
 * Throws DynoError('badInput') if the text is not YAML.
 */
export function renameTable(text: string, old: string, name: string): string {
  const named = namedIn(readYaml(text).value, [], old, name);
  return renameIn(
    'tables',
    named.reduce((changed, { path, to }) => setIn(changed, path, to), text),
    old,
    name,
  );
}

/** An experiment's text with one of its checks renamed, in sizes, too. Throws as renameTable does. */
export const renameCheck = (text: string, old: string, name: string): string => renameIn('checks', text, old, name);

/**
 * An experiment's text with one of its statements, transactions or scenarios renamed, wherever the file names it: in sizes, steps, and captured
 * parameters. Throws as renameTable does.
 */
export function renameStatement(text: string, old: string, name: string): string {
  const steps = stepsIn(readYaml(text).value, [], old);
  const named = steps.reduce((changed, path) => setIn(changed, path, name), text);
  return (['statements', 'transactions', 'scenarios'] as const).reduce(
    (changed, part) => renameIn(part, changed, old, name),
    named,
  );
}

/** Where a file names a statement or transaction: as a step, or as what a value is captured from. */
function stepsIn(value: unknown, path: Path, old: string): readonly Path[] {
  if (Array.isArray(value)) {
    const isSteps = path.at(-1) === 'steps' || path.at(-1) === 'otherwise';
    return value.flatMap((item: unknown, i) =>
      isSteps && item === old ? [[...path, i]] : stepsIn(item, [...path, i], old),
    );
  }
  if (!isMapping(value)) return [];
  const within = Object.entries(value).flatMap(([key, inner]) => stepsIn(inner, [...path, key], old));
  return value.type === 'captured' && value.from === old ? [...within, [...path, 'from']] : within;
}

interface Named {
  readonly path: Path;
  readonly to: string;
}

function namedIn(value: unknown, path: Path, old: string, name: string): readonly Named[] {
  if (typeof value === 'string') {
    const to = value.replaceAll(`{${old}}`, `{${name}}`);
    return to === value ? [] : [{ path, to }];
  }
  if (Array.isArray(value)) return value.flatMap((item: unknown, i) => namedIn(item, [...path, i], old, name));
  if (!isMapping(value)) return [];
  const within = Object.entries(value).flatMap(([key, inner]) => namedIn(inner, [...path, key], old, name));
  const leads = ['reference', 'key', 'newKey'].includes(String(value.type)) && value.table === old;
  return leads ? [...within, { path: [...path, 'table'], to: name }] : within;
}

type Part = 'tables' | 'checks' | 'statements' | 'transactions' | 'scenarios';

/** Of the file itself, and of its sizes. */
function renameIn(part: Part, text: string, old: string, name: string): string {
  const experiment = readYaml(text).value;
  const sizes = isMapping(experiment) && isMapping(experiment.sizes) ? Object.entries(experiment.sizes) : [];
  return [{ path: [], holder: experiment }, ...sizes.map(([size, holder]) => ({ path: ['sizes', size], holder }))]
    .filter(({ holder }) => isMapping(holder) && isMapping(holder[part]) && Object.hasOwn(holder[part], old))
    .reduce((changed, { path }) => renameKey(changed, [...path, part], old, name), text);
}
