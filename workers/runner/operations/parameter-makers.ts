import type { ColumnVector } from '#model/batch/batch.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset, Parameter } from '#model/dataset/dataset.ts';
import type { StoredAs } from '#model/dataset/stored-type.ts';
import { datasetTable } from '#model/dataset/tables.ts';
import { DynoError } from '#model/error.ts';
import type { ParameterScope } from '#model/statements/statements.ts';
import { createGenerator } from '../generator/generator.ts';
import { slice } from '../generator/slice.ts';
import { CallRandom } from '../workload/call-random.ts';
import { listVector } from './list-values.ts';
import type { KeyMaker, TableKeys } from './table-keys.ts';

/** Makes the values of a scope's parameters, except for captured ones. */
export interface ScopeMaker {
  readonly columns: readonly Parameter[];
  /** Puts the values of a call into `to` from `start` on, as vectors of one value. A call always gets the same. */
  fill(call: number, to: ColumnVector[], start: number): void;
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
  const own: Record<string, ColumnSpec> = {};
  /** Makers in the order of the parameters; null: the generator makes it, as one of `own`. */
  const makers: ({ readonly column: Parameter; readonly make: KeyMaker['make'] } | null)[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const lane = firstLane + scope * lanesPerScope + makers.length;
    switch (spec.type) {
      case 'captured':
        break;
      case 'key':
      case 'newKey': {
        const { table = datasetTable } = spec;
        const { type, make } =
          spec.type === 'key' ? keys.loaded(table, spec.keyDistribution, seed + lane) : keys.fresh(table);
        makers.push({ column: { name, type, nullable: false }, make });
        break;
      }
      case 'csv':
      case 'query': {
        const list = lists[name];
        if (!list || list.values.length === 0)
          throw new DynoError('badInput', `There are no values to draw the parameter ${name} from.`);
        const { vector, type } = listVector(list);
        const all = { rows: list.values.length, columns: [vector] };
        const random = new CallRandom(seed, lane);
        const make = (call: number): ColumnVector => {
          random.begin(call);
          return slice(all, random.below(all.rows), 1).columns[0]!;
        };
        makers.push({ column: { name, type, nullable: list.values.includes(null) }, make });
        break;
      }
      default:
        own[name] = spec;
        makers.push(null);
    }
  }
  const dataset: Dataset = { rows: 1, seed: seed + scope, columns: own };
  const ownColumns = tableColumns(dataset, storedAs);
  const generator = ownColumns.length > 0 ? createGenerator(dataset, storedAs) : null;
  let next = 0;
  return {
    columns: makers.map((maker) => maker?.column ?? ownColumns[next++]!),
    fill(call, to, start) {
      const row = generator?.fill(call, 1, null).columns;
      let made = 0;
      for (let i = 0; i < makers.length; i++) to[start + i] = makers[i]?.make(call) ?? row![made++]!;
    },
  };
}
