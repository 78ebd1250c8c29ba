import type { ColumnVector } from '#contract/batch.ts';
import { columnType, keyIndex } from '#contract/columns.ts';
import type { ColumnType, Dataset } from '#contract/dataset.ts';
import { DynoError } from '#contract/error.ts';
import type { LoadedTables } from '#contract/messages.ts';
import type { Settings } from '#contract/settings.ts';
import { createGenerator, type Generator } from './generator.ts';
import { createKeyChoice } from './key-choice.ts';
import { workingRows } from './working-set.ts';

/** A parameter's type, and the one value that it has in a call: the same call gets the same one again. */
export interface KeyMaker {
  readonly type: ColumnType;
  make(call: number): ColumnVector;
}

/** Keys of the tables that statements name. */
export interface TableKeys {
  /** Of rows that were loaded (latest: or added since); `seed` differs by parameter and trial. */
  loaded(table: string, keyChoice: Settings['keyChoice'] | undefined, seed: number): KeyMaker;
  /** Of rows that are not there yet: each call of each parameter has one of its own. */
  fresh(table: string): KeyMaker;
}

/**
 * Calls are numbered from `firstCall` on over all workers. With k fresh keys of a table among the parameters, call c takes the rows
 * loaded + (c − firstCall) · k … + k − 1: none comes twice, and numbers whose call inserts nothing are left out. latest: the worker's own fresh keys
 * count as newest rows, but for the last `lag` of them. A row whose insert was overtaken or has failed may be among them: what reads it finds nothing.
 */
export function createTableKeys(
  tables: LoadedTables,
  settings: Pick<Settings, 'keyChoice' | 'workingSet'>,
  firstCall: number,
  lag = 0,
): TableKeys {
  const sources = new Map<string, KeySource>();
  function sourceOf(name: string): KeySource {
    const known = sources.get(name);
    if (known) return known;
    const made = keySource(name, tables, lag);
    sources.set(name, made);
    return made;
  }
  return {
    loaded(table, keyChoice, seed) {
      const source = sourceOf(table);
      const { type, generator, rows } = source;
      if (rows === 0) throw noKeys(table);
      const kind = keyChoice ?? settings.keyChoice;
      const choice = createKeyChoice(kind, workingRows(rows, settings), seed);
      const chosen = new Float64Array(1);
      return {
        type,
        make(call) {
          choice.choose(call, chosen, 0, 1);
          if (kind === 'latest') chosen[0] = source.added.back(call, workingRows(rows, settings), chosen[0]!);
          return generator.keys(chosen).columns[0]!;
        },
      };
    },
    fresh(table) {
      const source = sourceOf(table);
      const index = source.fresh++;
      const { type, generator, rows } = source;
      const row = new Float64Array(1);
      return {
        type,
        make(call) {
          row[0] = rows + (call - firstCall) * source.fresh + index;
          source.added.note(call, row[0]);
          return generator.keys(row).columns[0]!;
        },
      };
    },
  };
}

interface KeySource {
  readonly type: ColumnType;
  readonly generator: Generator;
  readonly rows: number;
  /** Fresh keys of one call. */
  fresh: number;
  readonly added: AddedRows;
}

/** The rows of the fresh keys that this worker has handed out so far, in the order of its calls. */
class AddedRows {
  readonly #calls: number[] = [];
  readonly #rows: number[] = [];
  readonly #lag: number;

  /** `lag`: the newest ones, whose calls may still be under way; they do not count. */
  constructor(lag: number) {
    this.#lag = lag;
  }

  /** One that is made anew is known. */
  note(call: number, row: number): void {
    if (row <= (this.#rows.at(-1) ?? -1)) return;
    this.#calls.push(call);
    this.#rows.push(row);
  }

  /** What a choice among the `rows` loaded ones, as far back from the newest of them, is from the newest that was added before a call. */
  back(call: number, rows: number, chosen: number): number {
    const distance = rows - 1 - chosen;
    const count = Math.max(0, this.#before(call) - this.#lag);
    return distance < count ? this.#rows[count - 1 - distance]! : chosen + count;
  }

  #before(call: number): number {
    let [low, high] = [0, this.#calls.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#calls[middle]! < call) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keySource(name: string, tables: LoadedTables, lag: number): KeySource {
  const found = Object.hasOwn(tables, name) ? tables[name] : undefined;
  const index = found ? keyIndex(found.dataset) : null;
  if (!found || index === null) throw noKeys(name);
  const spec = Object.values(found.dataset.columns)[index]!;
  return {
    type: columnType(spec),
    generator: createGenerator(keyAlone(found.dataset)),
    rows: found.rows,
    fresh: 0,
    added: new AddedRows(lag),
  };
}

/** The same keys, and other columns that cost nothing: what is made of them is never asked for. */
const keyAlone = (dataset: Dataset): Dataset => ({
  ...dataset,
  columns: Object.fromEntries(
    Object.entries(dataset.columns).map(([name, spec]) => [
      name,
      name === dataset.key ? spec : { type: 'boolean', trueShare: 0.5, nulls: 0 },
    ]),
  ),
});

const noKeys = (table: string): DynoError =>
  new DynoError('badInput', `There are no keys of {${table}} to draw a parameter from.`);
