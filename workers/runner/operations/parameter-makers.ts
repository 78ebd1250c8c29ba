import type { ColumnVector } from '#model/batch/batch.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset, Parameter } from '#model/dataset/dataset.ts';
import type { StoredAs } from '#model/dataset/stored-type.ts';
import { DynoError } from '#model/error.ts';
import type { ParameterScope } from '#model/statements/statements.ts';
import { createGenerator } from '../generator/generator.ts';
import { slice } from '../generator/slice.ts';
import { CallRandom } from '../workload/call-random.ts';
import { listVector } from './list-values.ts';
import type { KeyMaker, TableKeys } from './table-keys.ts';

/** The rows that a call draws from files and queries, by their sources. */
export type DrawnRows = ReadonlyMap<string, { readonly row: number }>;

/** Makes the values of a scope's parameters, except for captured ones. */
export interface ScopeMaker {
  readonly columns: readonly Parameter[];
  /** The rows that the scope itself draws; fill() draws them anew. */
  readonly drawn: DrawnRows;
  /**
   * Writes the values of a call into `to` from `start` on, as vectors of one value. A repeated call gets the same
   * values.
   */
  fill(call: number, to: ColumnVector[], start: number): void;
}

const firstLane = 400;
/** Scopes have their own lanes, so equal parameters of two statements get different values. */
const lanesPerScope = 100;

/** Draws the row of a source for each call. */
class RowDraw {
  row = 0;
  readonly #random: CallRandom;
  readonly #rows: number;

  constructor(random: CallRandom, rows: number) {
    this.#random = random;
    this.#rows = rows;
  }

  draw(call: number): void {
    this.#random.begin(call);
    this.row = this.#random.below(this.#rows);
  }
}

/**
 * `scope`: its number in the mix. `seed` differs by trial. `storedAs`: the types with which parameters are sent.
 * `around`: rows that the surrounding scopes have drawn, which its parameters from the same sources use.
 */
export function createScopeMaker(
  { specs, lists }: ParameterScope,
  scope: number,
  seed: number,
  keys: TableKeys,
  storedAs: StoredAs,
  around: DrawnRows = new Map(),
): ScopeMaker {
  const draws = new Map<string, RowDraw>();
  const own: Record<string, ColumnSpec> = {};
  /** Makers in the order of the parameters; null: the generator makes the value as one of the columns `own`. */
  const makers: ({ readonly column: Parameter; readonly make: KeyMaker['make'] } | null)[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const lane = firstLane + scope * lanesPerScope + makers.length;
    switch (spec.type) {
      case 'captured':
        break;
      case 'key':
      case 'newKey': {
        const { table } = spec;
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
        const { values, declared, source = name } = list;
        const { vector, type } = listVector(list);
        const all = { rows: values.length, columns: [vector] };
        const drawn = around.get(source) ?? draws.get(source) ?? new RowDraw(new CallRandom(seed, lane), all.rows);
        if (drawn instanceof RowDraw && !around.has(source)) draws.set(source, drawn);
        const make = (): ColumnVector => slice(all, drawn.row, 1).columns[0]!;
        const column = { name, type, nullable: values.includes(null), ...(declared !== undefined && { declared }) };
        makers.push({ column, make });
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
    drawn: draws,
    fill(call, to, start) {
      for (const one of draws.values()) one.draw(call);
      const row = generator?.fill(call, 1, null).columns;
      let made = 0;
      for (let i = 0; i < makers.length; i++) to[start + i] = makers[i]?.make(call) ?? row![made++]!;
    },
  };
}
