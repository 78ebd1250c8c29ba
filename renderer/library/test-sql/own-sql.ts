import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import { createStore } from '../../state/store.ts';
import type { NumberEntry } from '../../ui/controls/number-field.tsx';

/** True while the dialog “Test my SQL” is open. */
export const testSqlOpen = createStore(false);
/** The SQL in the dialog. It stays when the dialog is closed, until it becomes an experiment. */
export const typedSql = createStore('');
export const testMySql = (): void => testSqlOpen.set(true);

/** The load of the experiment as typed. The check of the experiment refuses a text that is not a number. */
export interface HowHard {
  readonly connections: NumberEntry;
  readonly seconds: NumberEntry;
  readonly repeats: NumberEntry;
  /** The weights that the user has typed, by statement. */
  readonly weights: Readonly<Record<string, NumberEntry>>;
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
  /** The weight in the draft. Null if transactions or scenarios decide how often the statement runs. */
  readonly weight: number | null;
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
  const isWeighed = value.transactions === undefined && value.scenarios === undefined;
  return {
    tables: entriesOf(value.tables).map(([name, { columns, indexes }]) => ({
      name,
      columns: entriesOf(columns).length,
      indexes: Array.isArray(indexes) ? indexes.length : 0,
    })),
    statements: entriesOf(value.statements).map(([name, { text: own, parameters, weight }]) => ({
      name,
      text: String(own),
      weight: isWeighed ? Number(weight ?? 1) : null,
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

/** The SQL of a dialog as the user has typed it and as Dyno has read it. */
interface TypedSql {
  readonly hasServer: boolean;
  readonly script: string;
  /** The sentence for an empty script. */
  readonly asksFor: string;
  readonly hasProblem: boolean;
  /** The script was read, and has no statement. */
  readonly isEmpty: boolean;
  readonly tables: readonly FoundTable[];
  /** Null: the field has no number that a table may have. */
  readonly rowCount: number | null;
}

/** The sentence about what the user has not given yet; null: nothing is missing. */
export function lacksText({
  hasServer,
  script,
  asksFor,
  hasProblem,
  isEmpty,
  tables,
  rowCount,
}: TypedSql): string | null {
  if (!hasServer) return 'Choose a server.';
  if (script.trim() === '') return asksFor;
  if (hasProblem) return 'The SQL could not be read.';
  if (isEmpty) return 'The SQL has no statement.';
  return tables.length > 0 && rowCount === null ? 'Enter the number of rows in each table.' : null;
}

/** The experiment with these servers and this load. Weights of statements that it does not have are left out. */
export function withLoad(
  text: string,
  targets: readonly string[],
  { connections, seconds, repeats, weights }: HowHard,
): string {
  const weighed = foundIn(text).statements.flatMap(({ name, weight }) => (weight === null ? [] : name));
  const changes: readonly (readonly [readonly (string | number)[], unknown])[] = [
    [['name'], 'My SQL'],
    [['workload', 'connections'], connections],
    [['targets'], targets],
    [['measure', 'until', 'seconds'], seconds],
    [['measure', 'repeats'], repeats],
    ...weighed.flatMap((name) =>
      weights[name] === undefined ? [] : [[['statements', name, 'weight'], weights[name]] as const],
    ),
  ];
  return changes.reduce((file, [path, value]) => setIn(file, path, value), readYaml(text)).text;
}
