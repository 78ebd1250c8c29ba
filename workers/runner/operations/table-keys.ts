import type { ColumnVector } from '#model/batch/batch.ts';
import { columnType, keyIndex } from '#model/dataset/columns.ts';
import type { ColumnType, Dataset } from '#model/dataset/dataset.ts';
import { datasetName, datasetTable } from '#model/dataset/tables.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { LoadedTables } from '#protocol/messages.ts';
import { createGenerator, type Generator } from '../generator/generator.ts';
import { CallRandom } from '../workload/call-random.ts';
import { createKeyChoice, type KeyChoice, rankOf } from '../workload/key-choice.ts';
import { workingRows } from '../workload/working-set.ts';

/** A parameter's type and its value in a call. A repeated call gets the same value. */
export interface KeyMaker {
  readonly type: ColumnType;
  make(call: number): ColumnVector;
}

/** Keys of the tables that statements name; `table` undefined: the dataset's. */
export interface TableKeys {
  /** Keys of rows that were loaded. `seed` differs by parameter and trial. */
  loaded(table: string | undefined, keyDistribution: Settings['keyDistribution'] | undefined, seed: number): KeyMaker;
  /** Keys of rows that do not exist yet: each call of each parameter has its own key. */
  fresh(table: string | undefined): KeyMaker;
  /**
   * True if keys are chosen among rows that calls insert. Then these calls have to be made in order, when they are run.
   */
  readonly followInserts: boolean;
}

const latestLane = 398;

/**
 * Calls are numbered from `firstCall` on over all workers. With k fresh keys of a table among the parameters, call c
 * takes the rows loaded + (c − firstCall) · k … + k − 1: none comes twice, and the numbers of calls that insert nothing
 * are not used. A call before the first one is no call of the trial, but an example: its keys are those of loaded rows.
 *
 * The latest rows (YCSB's distribution of that name) are those for which earlier calls of this worker had fresh keys,
 * and then the loaded ones. The last `connections` of these rows are left out, because their inserts may still be
 * running. If an insert takes longer than this many other inserts, its key may be drawn before its row exists.
 */
export function createTableKeys(
  tables: LoadedTables,
  settings: Pick<Settings, 'keyDistribution' | 'workingSet'>,
  firstCall: number,
  connections = 1,
): TableKeys {
  const sources = new Map<string, KeySource>();
  // A key without a table's name belongs to the dataset's table.
  const [ofDataset = datasetTable] = Object.keys(tables).filter((name) => name === datasetName(tables[name]?.dataset));
  function sourceOf(name: string = ofDataset): KeySource {
    const known = sources.get(name);
    if (known) return known;
    const made = keySource(name, tables);
    sources.set(name, made);
    return made;
  }
  /** Chooses among the rows that exist when a call is made. */
  function latest(source: KeySource, loaded: number, seed: number): Pick<KeyChoice, 'choose'> {
    source.isFollowed = true;
    const random = new CallRandom(seed, latestLane);
    return {
      choose(call, to, from) {
        random.begin(call);
        const { made, rows } = source;
        const before = rows + (call - firstCall) * source.fresh;
        // Only a repeated call has rows after it, and only a few of them.
        let known = made.length;
        while (known > 0 && made[known - 1]! >= before) known--;
        const there = Math.max(0, known - connections);
        const rank = rankOf(loaded + there, random);
        to[from] = rank < there ? made[there - 1 - rank]! : loaded - 1 - (rank - there);
      },
    };
  }

  return {
    get followInserts() {
      return [...sources.values()].some(({ isFollowed, fresh }) => isFollowed && fresh > 0);
    },
    loaded(table, keyDistribution, seed) {
      const { type, generator, rows } = sourceOf(table);
      if (rows === 0) throw noKeys(table ?? ofDataset);
      const wanted = keyDistribution ?? settings.keyDistribution;
      const working = workingRows(rows, settings);
      const chosen = new Float64Array(1);
      const choice =
        wanted === 'latest' ? latest(sourceOf(table), working, seed) : createKeyChoice(wanted, working, seed);
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
          const number = Math.max(0, rows + (call - firstCall) * source.fresh + index);
          row[0] = number;
          // The key of a repeated call is already in the list.
          if (source.isFollowed && number > (source.made.at(-1) ?? -1)) source.made.push(number);
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
  /** The number of fresh keys of a call. */
  fresh: number;
  /**
   * True if the latest rows are drawn. Then the rows for which calls have had fresh keys so far are kept, ascending.
   */
  isFollowed: boolean;
  readonly made: number[];
}

function keySource(name: string, tables: LoadedTables): KeySource {
  const found = Object.hasOwn(tables, name) ? tables[name] : undefined;
  const index = found ? keyIndex(found.dataset) : null;
  if (!found || index === null) throw noKeys(name);
  const spec = Object.values(found.dataset.columns)[index]!;
  return {
    type: columnType(spec),
    generator: createGenerator(keyAlone(found.dataset)),
    rows: found.rows,
    fresh: 0,
    isFollowed: false,
    made: [],
  };
}

/** A dataset with the same keys and no costly columns, because its other columns are never made. */
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
