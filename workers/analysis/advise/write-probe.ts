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

/**
 * Statements that insert a row into the tables to which no statement of the file writes, so that the cost of an index
 * to writes is measured. `file`: the data of the file, whose columns are the values to insert. Empty: the file writes
 * to them, or runs scenarios, or a row cannot be made up.
 */
export function writeProbes(
  { experiment, descriptor, statements }: AdvisedWork,
  file: Mapping,
  tables: readonly string[],
): Mapping {
  if (experiment.scenarios !== undefined) return {};
  const written = new Set(
    statements.flatMap(({ shape }) => (shape && shape.verb !== 'select' ? shape.tables.slice(0, 1) : [])),
  );
  const sum = [...weightsOf(experiment).values()].reduce((all, weight) => all + weight, 0);
  return Object.fromEntries(
    [...new Set(tables)]
      .filter((table) => !written.has(table))
      .flatMap((table) => {
        const probe = probeFor(file, table, descriptor, experiment);
        return probe ? [[probeName(table), { ...probe, weight: Number((sum * probeShare).toPrecision(3)) }]] : [];
      }),
  );
}

function probeFor(
  file: Mapping,
  table: string,
  { statements }: EngineDescriptor,
  experiment: AdvisedWork['experiment'],
): Mapping | null {
  const dataset = allTables(experiment)[table];
  const own = datasetName(experiment.dataset) === table ? file.dataset : isMapping(file.tables) && file.tables[table];
  if (dataset === undefined || !isMapping(own) || !isMapping(own.columns)) return null;
  const { key, indexes = [] } = dataset;
  // Made-up values of a unique index could collide.
  if (key === undefined || indexes.some(({ unique }) => unique)) return null;
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
      return null;
  }
}
