import type { ColumnVector } from '#contract/batch.ts';
import type { ColumnSpec } from '#contract/column-specs.ts';
import { tableColumns } from '#contract/columns.ts';
import type { Column, Dataset } from '#contract/dataset.ts';
import { DynoError } from '#contract/error.ts';
import type { ParameterScope } from '#contract/statements.ts';
import type { StoredAs } from '#contract/stored-type.ts';
import { datasetTable } from '#contract/tables.ts';
import { CallRandom } from './call-random.ts';
import { createGenerator } from './generator.ts';
import { listVector } from './list-values.ts';
import { slice } from './slice.ts';
import type { KeyMaker, TableKeys } from './table-keys.ts';

/** Makes the values of a scope's parameters but for captured ones, each a vector of one value, in the order of `columns`. The same call gets the same ones again. */
export interface ScopeMaker {
  readonly columns: readonly Column[];
  make(call: number): readonly ColumnVector[];
}

const firstLane = 400;
/** Scopes have lanes of their own, so that equal parameters of two statements are not equal values. */
const lanesPerScope = 100;

/** `scope`: its number in the mix; `seed` differs by trial; `storedAs`: what parameters are sent as. */
export function createScopeMaker(
  { specs, lists }: ParameterScope,
  scope: number,
  seed: number,
  keys: TableKeys,
  storedAs: StoredAs,
): ScopeMaker {
  const entries = Object.entries(specs).filter(([, { type }]) => type !== 'captured');
  const own: Record<string, ColumnSpec> = {};
  for (const [name, spec] of entries)
    if (
      spec.type !== 'key' &&
      spec.type !== 'newKey' &&
      spec.type !== 'csv' &&
      spec.type !== 'query' &&
      spec.type !== 'captured'
    )
      own[name] = spec;
  const made = Object.keys(own);
  const dataset: Dataset = { rows: 1, seed: seed + scope, columns: own };
  const generator = made.length > 0 ? createGenerator(dataset, storedAs) : null;
  const ownColumns = tableColumns(dataset, storedAs);

  const makers = entries.map(([name, spec], index): { column: Column; make: MakeOne | null } => {
    const lane = firstLane + scope * lanesPerScope + index;
    if (spec.type === 'key' || spec.type === 'newKey') {
      const { table = datasetTable } = spec;
      const { type, make } = spec.type === 'key' ? keys.loaded(table, spec.keyChoice, seed + lane) : keys.fresh(table);
      return { column: { name, type, nullable: false }, make };
    }
    if (spec.type === 'csv' || spec.type === 'query') {
      const list = lists[name];
      if (!list || list.values.length === 0)
        throw new DynoError('badInput', `There are no values to draw the parameter ${name} from.`);
      const { vector, type } = listVector(list);
      const all = { rows: list.values.length, columns: [vector], laidOut: null };
      const random = new CallRandom(seed, lane);
      const make = (call: number): ColumnVector => {
        random.begin(call);
        return slice(all, random.below(all.rows), 1).columns[0]!;
      };
      return { column: { name, type, nullable: list.values.includes(null) }, make };
    }
    return { column: ownColumns[made.indexOf(name)]!, make: null };
  });
  return {
    columns: makers.map(({ column }) => column),
    make(call) {
      const row = generator?.fill(call, 1, null).columns;
      let next = 0;
      return makers.map(({ make }) => (make ? make(call) : row![next++]!));
    },
  };
}

type MakeOne = KeyMaker['make'];
