import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import { type Dataset, mostRows } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { type FileLock, isLocked, tryLock } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import type { FoundFiles } from '#protocol/journal.ts';
import type { StoredFacts, StoreRequest } from '#protocol/stored-rows.ts';
import { tooFewRows } from '#runner/rows/store-rows.ts';
import { rowFilePath } from '#workspace/library/list-files.ts';
import type { Control } from '../worker/control.ts';

/** The rows of files that fill the tables of a run, stored once for all its workers. Disposing of it deletes them. */
export interface RowStore extends Disposable {
  /**
   * The experiment whose tables have the paths of their stored rows. Reads each file once. `moreRows`: rows of the
   * dataset that a trial needs beyond its number. Throws 'badInput' as storeRows() does.
   */
  prepared(control: Control, experiment: Experiment, moreRows: number, signal: AbortSignal): Promise<Experiment>;
}

/** The parts of a table that the store reads. */
type Table = Pick<Dataset, 'from' | 'rows' | 'key' | 'columns'>;

/** `tag`: of the run. Deletes what killed runs of this home have left. */
export function openRowStore(home: Home, tag: string, { folder, files }: FoundFiles): RowStore {
  const own = join(home.state, `rows-${tag}`);
  const stored = new Map<string, Promise<{ readonly path: string; readonly facts: StoredFacts }>>();
  let lock: FileLock | null = null;
  let asked = 0;
  deleteLeft(home);

  /** Makes the folder on the first use. The lock shows that this process is alive. */
  function begin(): void {
    if (lock) return;
    lock = tryLock(`${own}.lock`);
    mkdirSync(own, { recursive: true, mode: 0o700 });
  }

  async function store(control: Control, table: Table, most: number, signal: AbortSignal) {
    const { from, key } = table;
    if (!from) return null;
    const columns = Object.fromEntries(
      Object.entries(table.columns).filter((entry): entry is [string, FileColumnSpec] => entry[1].type === 'file'),
    );
    const sha256 = files.find(({ file }) => file === from.file)?.sha256;
    if (sha256 === undefined) throw new DynoError('badInput', `The run has not found ${from.file}.`);
    const request = { from, sha256, columns, key: key !== undefined && columns[key] ? key : null, most };
    const id = JSON.stringify(request);
    begin();
    const path = rowFilePath(folder, from.file);
    const found = stored.get(id) ?? ask(control, { ...request, path, to: join(own, `${++asked}.rows`) }, signal);
    stored.set(id, found);
    const { facts } = await found.catch((thrown) => {
      // A cancelled trial must not be the answer for the next one.
      if (signal.aborted) stored.delete(id);
      throw thrown;
    });
    if (request.key !== null && facts.isWhole && facts.rows < table.rows)
      throw tooFewRows(from.file, facts.rows, table.rows);
    return found;
  }

  async function ask(control: Control, request: StoreRequest, signal: AbortSignal) {
    return { path: request.to, facts: await control.ask({ call: 'storeRows', store: request }, signal) };
  }

  return {
    async prepared(control, experiment, moreRows, signal) {
      const withRows = async <T extends Table>(table: T, most: number): Promise<T> => {
        const made = await store(control, table, Math.min(mostRows, most), signal);
        return made ? { ...table, stored: made.path } : table;
      };
      const { dataset, tables = {} } = experiment;
      if ([dataset, ...Object.values(tables)].every(({ from }) => from === undefined)) return experiment;
      const beside: Record<string, Dataset> = {};
      for (const [name, table] of Object.entries(tables)) beside[name] = await withRows(table, table.rows);
      return { ...experiment, dataset: await withRows(dataset, dataset.rows + moreRows), tables: beside };
    },
    [Symbol.dispose]() {
      if (!lock) return;
      rmSync(own, { recursive: true, force: true });
      lock.release();
    },
  };
}

/** Deletes the stored rows of runs whose processes are no longer alive. */
function deleteLeft({ state }: Home): void {
  for (const name of readdirSync(state)) {
    const [, folder] = /^(rows-[0-9a-f]{8})$/.exec(name) ?? [];
    if (folder === undefined || isLocked(join(state, `${folder}.lock`))) continue;
    rmSync(join(state, folder), { recursive: true, force: true });
    rmSync(join(state, `${folder}.lock`), { force: true });
  }
}
