import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Mapping } from '#experiment/schema/changes.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { allTables, datasetName } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { AdvisedWork } from './candidate.ts';

/** The name of the statement that inserts into a table on trial. */
export const probeName = (table: string): string => `probe-insert-${table}`;

/** The share of the calls that each probe makes beside those of the file. */
const probeShare = 0.2;

/** An insert of Dyno into a table to which no statement of the file writes: it measures the cost of an index. */
export interface WriteProbe {
  readonly table: string;
  /** The statement; null: there is none. */
  readonly statement: Mapping | null;
  /** The reason, as a sentence, why there is none; null: there is one. */
  readonly whyNot: string | null;
}

/** The inserts into these tables. `file`: the data of the file, whose columns are the values to insert. */
export function writeProbes(
  { experiment, descriptor, statements }: AdvisedWork,
  file: Mapping,
  tables: readonly string[],
): readonly WriteProbe[] {
  const written = new Set(
    statements.flatMap(({ shape }) => (shape && shape.verb !== 'select' ? shape.tables.slice(0, 1) : [])),
  );
  const sum = [...weightsOf(experiment).values()].reduce((all, weight) => all + weight, 0);
  const weight = Number((sum * probeShare).toPrecision(3));
  return [...new Set(tables)]
    .filter((table) => !written.has(table))
    .map((table): WriteProbe => {
      if (experiment.scenarios !== undefined)
        return { table, statement: null, whyNot: 'The file runs scenarios, beside which no statement runs.' };
      const found = probeFor(file, table, descriptor, experiment);
      return typeof found === 'string'
        ? { table, statement: null, whyNot: found }
        : { table, statement: { ...found, weight }, whyNot: null };
    });
}

/** The statement, or the reason, as a sentence, why there is none. */
function probeFor(
  file: Mapping,
  table: string,
  { statements, label }: EngineDescriptor,
  experiment: AdvisedWork['experiment'],
): Mapping | string {
  const dataset = allTables(experiment)[table];
  const own = datasetName(experiment.dataset) === table ? file.dataset : isMapping(file.tables) && file.tables[table];
  if (dataset === undefined || !isMapping(own) || !isMapping(own.columns)) return 'The file does not name its columns.';
  const { key, indexes = [] } = dataset;
  if (key === undefined) return 'The table has no key.';
  if (indexes.some(({ unique }) => unique)) return 'Made-up values could collide in its unique index.';
  const columns = Object.keys(dataset.columns);
  const parameters = { ...own.columns, [key]: { type: 'newKey', table } };
  switch (statements?.language) {
    case 'sql':
      return {
        text: `INSERT INTO {${table}} (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})`,
        parameters,
      };
    case 'json': {
      const document = Object.fromEntries(columns.map((name) => [name === key ? '_id' : name, `$${name}`]));
      return { text: JSON.stringify({ insert: `{${table}}`, documents: [document] }), parameters };
    }
    default:
      return `Dyno makes up no insert in the language of ${label}.`;
  }
}
