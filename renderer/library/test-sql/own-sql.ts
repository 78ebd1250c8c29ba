import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import { createStore } from '../../state/store.ts';

/** True while the dialog “Test my SQL” is open. */
export const testSqlOpen = createStore(false);
export const testMySql = (): void => testSqlOpen.set(true);

/** The load of the experiment, and the weights of its statements that are not 1. */
export interface HowHard {
  readonly connections: number;
  readonly seconds: number;
  readonly repeats: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** A table that Dyno makes from the script. */
export interface FoundTable {
  readonly name: string;
  readonly columns: number;
  readonly indexes: number;
}

/** A statement of the script as the experiment has it. */
export interface FoundStatement {
  readonly name: string;
  readonly text: string;
  /** The parameters with the kinds of their values. */
  readonly parameters: readonly { readonly name: string; readonly from: string }[];
}

const entriesOf = (value: unknown): readonly (readonly [string, Readonly<Record<string, unknown>>])[] =>
  Object.entries(isMapping(value) ? value : {}).flatMap(([name, one]) =>
    isMapping(one) ? [[name, one] as const] : [],
  );

/** The tables and statements in the text of an experiment. */
export function foundIn(text: string): {
  readonly tables: readonly FoundTable[];
  readonly statements: readonly FoundStatement[];
} {
  const { value } = readYaml(text);
  if (!isMapping(value)) return { tables: [], statements: [] };
  return {
    tables: entriesOf(value.tables).map(([name, { columns, indexes }]) => ({
      name,
      columns: entriesOf(columns).length,
      indexes: Array.isArray(indexes) ? indexes.length : 0,
    })),
    statements: entriesOf(value.statements).map(([name, { text: own, parameters }]) => ({
      name,
      text: String(own),
      parameters: entriesOf(parameters).map(([parameter, spec]) => ({ name: parameter, from: sourceText(spec) })),
    })),
  };
}

/** The source of a parameter's values, in words. */
function sourceText(spec: Readonly<Record<string, unknown>>): string {
  switch (spec.type) {
    case 'key':
      return `a key of ${String(spec.table ?? 'the table')}`;
    case 'newKey':
      return `a new key of ${String(spec.table ?? 'the table')}`;
    case 'reference':
      return `a key of ${String(spec.table ?? 'another table')}`;
    case 'query':
      return 'a value of the column';
    case 'oneOf':
      return Array.isArray(spec.values) ? `one of ${spec.values.join(', ')}` : 'one of a list';
    case 'integer':
      return spec.min === undefined ? 'a whole number' : `${String(spec.min)} to ${String(spec.max)}`;
    default:
      return `a random ${String(spec.type)}`;
  }
}

/** The experiment with these servers and this load. */
export function withLoad(
  text: string,
  targets: readonly string[],
  { connections, seconds, repeats, weights }: HowHard,
): string {
  const changes: readonly (readonly [readonly (string | number)[], unknown])[] = [
    [['name'], 'My SQL'],
    [['workload', 'connections'], connections],
    [['targets'], targets],
    [['measure', 'until', 'seconds'], seconds],
    [['measure', 'repeats'], repeats],
    ...Object.entries(weights).map(([name, weight]) => [['statements', name, 'weight'], weight] as const),
  ];
  return changes.reduce((file, [path, value]) => setIn(file, path, value), readYaml(text)).text;
}
