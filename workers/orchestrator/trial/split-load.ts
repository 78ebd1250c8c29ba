import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import type { LoadedRows } from '#protocol/measurement.ts';
import type { ControlRequest, RowRange, TookMs } from '#protocol/messages.ts';
import { startWorker } from '../worker/fork.ts';
import { addChecksums } from '../worker/merge-results.ts';
import type { ReachedTarget } from '../worker/reach.ts';
import { stopOnAbort } from '../worker/stop-on-abort.ts';
import type { WorkerProcess } from '../worker/worker-link.ts';
import { clientHosts } from './client-hosts.ts';
import type { TrialWork } from './trial-context.ts';

type Load = Omit<ControlRequest & { readonly call: 'load' }, 'rows'>;

/** A range of the rows, and the host that loads it. */
interface Part {
  readonly host: LoadHost;
  readonly rows: RowRange;
  /** Number of rows so far. */
  loaded: number;
}

/** Loaded rows with the time that their load took. */
export type TimedRows = LoadedRows & TookMs;

/**
 * Loads the ranges of a table at the same time, each by its own worker process on the trial's load hosts. The processes
 * have ended when it returns. Their start is not part of the time. The first failed part ends the others; rows that
 * others have committed by then stay in a table that is no longer used.
 */
export async function splitLoad(work: TrialWork, load: Load, ranges: readonly RowRange[]): Promise<TimedRows> {
  const { control } = work;
  await control.renewPasswords(work.signal, 'due');
  const { hosts = [{ host: localHost, workers: ranges.length }], target } = await clientHosts(work, ranges.length);
  const places = hosts.flatMap(({ host, workers }) => Array<LoadHost>(workers).fill(host));
  const parts = ranges.map((rows, i): Part => ({ rows, host: places[i] ?? localHost, loaded: 0 }));
  const all = parts.reduce((sum, { rows }) => sum + countOf(rows), 0);
  const onRows = () => {
    const loaded = parts.reduce((sum, part) => sum + part.loaded, 0);
    control.onProgress('load', loaded, all);
  };
  const begun: WorkerProcess[] = [];
  await using ending = new AsyncDisposableStack();
  ending.defer(async () => void (await Promise.all(begun.map((worker) => worker.end()))));
  const start = (reached: ReachedTarget) =>
    together(parts, work.signal, async (part, signal) => {
      const worker = await startLoader(work, reached, part, signal, onRows);
      begun.push(worker);
      return worker;
    });
  const loaders = await start(target).catch(async (thrown) => {
    // A password printed by a command may have expired without notice.
    if (toErrorData(thrown).kind !== 'authentication') throw thrown;
    if ((await control.renewPasswords(work.signal, 'now')) === null) throw thrown;
    return start(await control.connect(work.signal));
  });
  const startMs = performance.now();
  const loaded = await together(parts, work.signal, ({ rows }, signal, i) =>
    loadPart(loaders[i]!, { ...load, rows }, signal),
  );
  return {
    checksum: loaded.map(({ checksum }) => checksum).reduce(addChecksums),
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    ms: performance.now() - startMs,
  };
}

const startLoader = (
  { control, tag }: TrialWork,
  { config, secrets, admit }: ReachedTarget,
  part: Part,
  signal: AbortSignal,
  onRows: () => void,
): Promise<WorkerProcess> =>
  startWorker(
    {
      role: 'client',
      engine: control.planned.engine,
      ...{ config, secrets, tag, signal, admit },
      onProgress: (_, rows) => {
        part.loaded = rows;
        onRows();
      },
    },
    part.host,
  );

async function loadPart(
  worker: WorkerProcess,
  request: ControlRequest & { readonly call: 'load' },
  signal: AbortSignal,
): Promise<LoadedRows> {
  signal.throwIfAborted();
  using _ = stopOnAbort(worker, signal);
  const loaded = await worker.request(request);
  if (loaded?.checksum.rows !== countOf(request.rows)) throw new DynoError('internal', 'It answers for other rows.');
  return loaded;
}

/** Runs all parts at the same time. If one fails, the others stop, and the first error rejects. */
async function together<T>(
  parts: readonly Part[],
  given: AbortSignal,
  work: (part: Part, signal: AbortSignal, index: number) => Promise<T>,
): Promise<readonly T[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([given, failed.signal]);
  let first: DynoError | null = null;
  const settled = await Promise.allSettled(
    parts.map((part, index) =>
      work(part, signal, index).catch((thrown) => {
        first ??= partError(part, thrown);
        failed.abort();
        throw thrown;
      }),
    ),
  );
  if (first !== null) throw first;
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function partError({ host, rows: { first, end } }: Part, thrown: unknown): DynoError {
  const data = toErrorData(thrown);
  const what = `The worker process on ${host.name} did not load the rows ${formatCount(first)} to ${formatCount(end - 1)}`;
  return new DynoError(data.kind, `${what}: ${data.message}`, data);
}

const countOf = ({ first, end }: RowRange): number => end - first;
