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
  /** Of rows that were loaded; `seed` differs by parameter and trial. */
  loaded(table: string, keyChoice: Settings['keyChoice'] | undefined, seed: number): KeyMaker;
  /** Of rows that are not there yet: each call of each parameter has one of its own. */
  fresh(table: string): KeyMaker;
}

/**
 * Calls are numbered from `firstCall` on over all workers. With k fresh keys of a table among the parameters, call c takes the rows
 * loaded + (c − firstCall) · k … + k − 1: none comes twice, and numbers whose call inserts nothing are left out.
 */
export function createTableKeys(
  tables: LoadedTables,
  settings: Pick<Settings, 'keyChoice' | 'workingSet'>,
  firstCall: number,
): TableKeys {
  const sources = new Map<string, KeySource>();
  function sourceOf(name: string): KeySource {
    const known = sources.get(name);
    if (known) return known;
    const made = keySource(name, tables);
    sources.set(name, made);
    return made;
  }
  return {
    loaded(table, keyChoice, seed) {
      const { type, generator, rows } = sourceOf(table);
      if (rows === 0) throw noKeys(table);
      const choice = createKeyChoice(keyChoice ?? settings.keyChoice, workingRows(rows, settings), seed);
      const chosen = new Float64Array(1);
      return {
        type,
        make(call) {
          choice.choose(call, chosen, 0, 1);
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
}

function keySource(name: string, tables: LoadedTables): KeySource {
  const found = Object.hasOwn(tables, name) ? tables[name] : undefined;
  const index = found ? keyIndex(found.dataset) : null;
  if (!found || index === null) throw noKeys(name);
  const spec = Object.values(found.dataset.columns)[index]!;
  return { type: columnType(spec), generator: createGenerator(keyAlone(found.dataset)), rows: found.rows, fresh: 0 };
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
