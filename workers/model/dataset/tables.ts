import * as v from 'valibot';
import { isMapping } from '../is-mapping.ts';
import { identifier } from './column-parts.ts';
import { columnSchema, referableKinds } from './column-specs.ts';
import { type Dataset, mostColumns, tableEntries } from './dataset.ts';

/** The name that the dataset's table has in statements if the dataset has no name of its own; reserved for it. */
export const datasetTable = 'table';
/** The name of the dataset's table in statements. `dataset`: valid, or as the file has it. */
export const datasetName = (dataset: unknown): string =>
  isMapping(dataset) && typeof dataset.name === 'string' ? dataset.name : datasetTable;
/** One more table of an experiment: a dataset with at least one column. */
export const tableSchema = v.strictObject({
  ...tableEntries,
  columns: v.pipe(v.record(identifier, columnSchema), v.minEntries(1), v.maxEntries(mostColumns)),
});
/** The tables of an experiment besides the dataset's, by name. */
export const tablesSchema = v.pipe(
  v.record(identifier, tableSchema),
  v.maxEntries(50),
  v.description(
    'More tables that Dyno creates, fills and drops. Custom statements refer to them as {name}. Dyno creates them in this order, before the dataset’s own table.',
  ),
);
/** The tables of an experiment by name. */
export type Tables = Readonly<Record<string, Dataset>>;

interface WithTables {
  readonly dataset: Dataset;
  readonly tables?: Tables | undefined;
}

/** All tables of an experiment by their names in statements, in the order of their creation. */
export const allTables = ({ dataset, tables = {} }: WithTables): Tables => ({
  ...tables,
  ...(Object.keys(dataset.columns).length > 0 && { [datasetName(dataset)]: dataset }),
});

/**
 * The number of rows in all tables that an experiment creates, and the number of tables. Without tables: the dataset's
 * rows, which limit inserts.
 */
export function sizeOfTables(experiment: WithTables): { readonly rows: number; readonly tables: number } {
  const tables = Object.values(allTables(experiment));
  const rows = tables.length === 0 ? experiment.dataset.rows : tables.reduce((sum, table) => sum + table.rows, 0);
  return { rows, tables: tables.length };
}

type Mapping = Readonly<Record<string, unknown>>;
const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** The key, rows and seed of a table as a reference needs them; null if its key cannot be referenced. */
export function referredTable(table: unknown): Mapping | null {
  const { rows, key, seed = 1, columns } = mapping(table);
  const names = Object.keys(mapping(columns));
  const spec = mapping(columns)[String(key)];
  if (!isMapping(spec) || !(referableKinds as readonly unknown[]).includes(spec.type)) return null;
  return { rows, key: spec, position: names.indexOf(String(key)) + 1, seed };
}

/**
 * An experiment's data with the rows, key and seed of the referenced table in every reference, like a reference to a
 * table elsewhere. References to unknown tables stay as they are (table-rules.ts reports them).
 */
export function withReferences(experiment: unknown): unknown {
  if (!isMapping(experiment) || !isMapping(experiment.tables)) return experiment;
  const known = new Map<string, Mapping>();
  const tables = mapEntries(experiment.tables, (table, name) => {
    const written = writtenTable(table, known);
    const referred = referredTable(table);
    if (referred) known.set(name, referred);
    return written;
  });
  return {
    ...experiment,
    tables,
    ...('dataset' in experiment && { dataset: writtenTable(experiment.dataset, known) }),
    ...Object.fromEntries(
      (['statements', 'transactions', 'scenarios'] as const).flatMap((part) => {
        const owners = experiment[part];
        return isMapping(owners) ? [[part, mapEntries(owners, (owner) => writtenParameters(owner, known))]] : [];
      }),
    ),
  };
}

/** The parameters of a statement, transaction, scenario or block of steps. */
function writtenParameters(owner: unknown, known: ReadonlyMap<string, Mapping>): unknown {
  if (!isMapping(owner)) return owner;
  const within = (steps: unknown) =>
    Array.isArray(steps) ? steps.map((step: unknown) => writtenParameters(step, known)) : steps;
  return {
    ...owner,
    ...(isMapping(owner.parameters) && { parameters: mapEntries(owner.parameters, (spec) => writtenOut(spec, known)) }),
    ...('steps' in owner && { steps: within(owner.steps) }),
    ...('otherwise' in owner && { otherwise: within(owner.otherwise) }),
  };
}

const mapEntries = (entries: Mapping, change: (value: unknown, name: string) => unknown): Mapping =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, change(value, name)]));

const writtenTable = (table: unknown, known: ReadonlyMap<string, Mapping>): unknown =>
  isMapping(table) && isMapping(table.columns)
    ? { ...table, columns: mapEntries(table.columns, (spec) => writtenOut(spec, known)) }
    : table;

function writtenOut(spec: unknown, known: ReadonlyMap<string, Mapping>): unknown {
  if (!isMapping(spec)) return spec;
  if (isMapping(spec.fields)) return { ...spec, fields: mapEntries(spec.fields, (field) => writtenOut(field, known)) };
  if (spec.of !== undefined && spec.type === 'list') return { ...spec, of: writtenOut(spec.of, known) };
  return spec.type === 'reference' && typeof spec.table === 'string' ? { ...spec, ...known.get(spec.table) } : spec;
}

/** The same experiment with at most `most` rows per table, and with matching references. */
export function withRowsAtMost<E extends WithTables>(experiment: E, most: number): E {
  const fewer = (table: Dataset): Dataset => ({ ...table, rows: Math.min(table.rows, most) });
  const tables = Object.entries(experiment.tables ?? {}).map(([name, table]) => [name, fewer(table)]);
  // The type is still E, because only numbers of rows have changed.
  return withReferences({
    ...experiment,
    dataset: fewer(experiment.dataset),
    tables: Object.fromEntries(tables),
  }) as E;
}
