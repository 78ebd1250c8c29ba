import { isMapping } from './check-shape.ts';
import { renameKey, setIn } from './edit-experiment.ts';
import type { Path } from './path-text.ts';
import { readYaml } from './yaml-source.ts';

/**
 * An experiment's text with one of its tables renamed, wherever the file names it: in sizes, references, parameters and, as {name}, texts.
 * Throws DynoError('badInput') if the text is not YAML.
 */
export function renameTable(text: string, old: string, name: string): string {
  const { value } = readYaml(text);
  const named = namedIn(value, [], old, name).reduce((changed, { path, to }) => setIn(changed, path, to), text);
  return placesOf(value)
    .filter(({ tables }) => Object.hasOwn(tables, old))
    .reduce((changed, { path }) => renameKey(changed, path, old, name), named);
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

/** Mappings that have tables by their names. */
function placesOf(experiment: unknown) {
  if (!isMapping(experiment)) return [];
  const sizes = Object.entries(isMapping(experiment.sizes) ? experiment.sizes : {});
  return [
    { path: ['tables'], tables: experiment.tables },
    ...sizes.map(([size, change]) => ({
      path: ['sizes', size, 'tables'],
      tables: isMapping(change) ? change.tables : undefined,
    })),
  ].flatMap(({ path, tables }) => (isMapping(tables) ? [{ path, tables }] : []));
}
