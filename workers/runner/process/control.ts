import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { assertNever, DynoError } from '#model/error.ts';
import type { ControlAnswers, ControlRequest, ToHost, TookMs } from '#protocol/messages.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { createGenerator, type Generator } from '../generator/generator.ts';
import { query, tryOnce } from '../operations/try-once.ts';
import { createChecksumSum } from '../verify/checksum.ts';
import { verifyRanges } from '../verify/verify-ranges.ts';

/** Answers requests about one target, unmeasured. They may overlap; `abort` ends those that run, also at the server. */
export function createControl(engine: Engine, database: Database, post: (message: ToHost) => void) {
  const toError = (thrown: unknown) => (thrown instanceof DynoError ? thrown.data : engine.toError(thrown));
  let stop = new AbortController();
  let cancelled: Promise<void> = Promise.resolve();
  let pingWarmUpMs = warmUpMs;

  async function answer(request: ControlRequest): Promise<ControlAnswers[ControlRequest['call']]> {
    // A cancel that is on its way to the server must not meet the next statement.
    if (request.call !== 'abort') await cancelled;
    switch (request.call) {
      case 'fingerprint':
        return database.fingerprint();
      case 'prepareSchema':
        await database.prepareSchema(request.table);
        return null;
      case 'load':
        return load(engine, database, request, stop.signal, (rows) =>
          post({
            type: 'progress',
            phase: 'load',
            rows,
            of: request.rows,
            ...(request.what !== undefined && { what: request.what }),
          }),
        );
      case 'verifyRanges': {
        const { table, dataset, settings, rows } = request;
        return verifyRanges(engine.descriptor, database, table, dataset, settings, rows, stop.signal);
      }
      case 'addKey':
        return timed(() => database.addKey(request.table));
      case 'addIndex':
        return timed(() => database.addIndex(request.table, request.index));
      case 'settle':
        await database.settle(request.table);
        return null;
      case 'emptyCache':
        if (!database.emptyCache) throw new DynoError('unsupported', `${engine.descriptor.label} empties no cache.`);
        await database.emptyCache();
        return null;
      case 'probe':
        return database.probe();
      case 'probeInfo':
        return engine.probeInfo;
      case 'checksum':
        return database.checksum(request.table);
      case 'storedBytes':
        return database.storedBytes(request.table);
      case 'untrustedForeignKeys':
        return (await database.untrustedForeignKeys?.(request.table)) ?? null;
      case 'drop':
        await database.drop(request.table);
        return null;
      case 'leftovers':
        return database.leftovers(request.namePrefix);
      case 'sessionsOf':
        return (await database.sessionsOf?.(request.tag)) ?? null;
      case 'freeSpace':
        return (await database.freeSpace?.()) ?? null;
      case 'dropLeftovers':
        return database.dropLeftovers(request.namePrefix);
      case 'roundTrip':
        return measureRoundTrip(database, pingWarmUpMs, request.seconds, stop.signal).finally(() => {
          pingWarmUpMs = rewarmUpMs;
        });
      case 'generation':
        return measureGeneration(request.dataset, request.seconds, stop.signal);
      case 'userTables':
        return (await database.userTables?.()) ?? [];
      case 'query':
        return query(database, request);
      case 'tryOnce':
        return tryOnce(engine.descriptor, database, request, toError);
      case 'abort':
        // The server is cancelled first: a load that ended before would roll back, and the cancel would hit that.
        cancelled = database.cancel().catch(() => {});
        await cancelled;
        stop.abort();
        stop = new AbortController();
        return null;
      default:
        return assertNever(request);
    }
  }
  return { answer };
}

async function timed(work: () => Promise<void>): Promise<TookMs> {
  const startMs = performance.now();
  await work();
  return { ms: performance.now() - startMs };
}

const progressEveryMs = 200;
const loadBatchBytes = 1_000_000;
const loadBatchRows = 10_000;

/** Fills the table with rows 0 … rows − 1. Resolves with the checksum of the rows as generated. */
async function load(
  { descriptor }: Engine,
  database: Database,
  { table, dataset, storedAs, rows }: ControlRequest & { readonly call: 'load' },
  signal: AbortSignal,
  onRows: (rows: number) => void,
): Promise<TableChecksum> {
  const generator = createGenerator(dataset, storedAs);
  const sum = createChecksumSum(
    table.columns.map(({ type }) => type),
    descriptor.emptyIsNull,
  );
  const rowsPerBatch = Math.max(1, Math.min(loadBatchRows, Math.floor(loadBatchBytes / widestRowBytes(table))));
  function* batches() {
    for (let start = 0; start < rows; start += rowsPerBatch) {
      const batch = generator.fill(start, Math.min(rowsPerBatch, rows - start), null);
      sum.add(batch);
      yield batch;
    }
  }
  let reportAtMs = 0;
  await database.load(
    table,
    batches(),
    (loaded) => {
      if (performance.now() < reportAtMs) return;
      reportAtMs = performance.now() + progressEveryMs;
      onRows(loaded);
    },
    signal,
  );
  return sum.total();
}

function widestRowBytes({ columns }: TablePlan): number {
  return columns.reduce(
    (bytes, { type }) =>
      bytes +
      (type.kind === 'text' ? type.maxLength * (type.ascii ? 1 : 3) : type.kind === 'bytes' ? type.maxLength : 16),
    0,
  );
}

const warmUpMs = 100;
/** After the first time: the code is compiled, and only caches are cold. */
const rewarmUpMs = 10;
/** The event loop gets a turn at least this often, however fast the engine answers. */
const turnMs = 10;

async function measureRoundTrip(
  database: Database,
  pingWarmUpMs: number,
  seconds: number,
  signal: AbortSignal,
): Promise<ControlAnswers['roundTrip']> {
  const latencies = new Histogram();
  let calls = 0;
  let measuredFromMs = performance.now() + pingWarmUpMs;
  const endMs = measuredFromMs + seconds * 1_000;
  let lastTurnMs = performance.now();
  let now = lastTurnMs;
  // A machine that stands still for the whole time still has one call.
  while (now < endMs || calls === 0) {
    signal.throwIfAborted();
    const start = performance.now();
    await database.ping();
    now = performance.now();
    if (start >= measuredFromMs) {
      if (calls === 0) measuredFromMs = start;
      latencies.record((now - start) * 1e6);
      calls++;
    }
    if (now - lastTurnMs > turnMs) {
      await turn();
      lastTurnMs = now;
    }
  }
  return {
    perSecond: calls / ((now - measuredFromMs) / 1_000),
    p50Us: latencies.percentile(50) / 1_000,
    p99Us: latencies.percentile(99) / 1_000,
  };
}

async function measureGeneration(
  dataset: Dataset,
  seconds: number,
  signal: AbortSignal,
): Promise<ControlAnswers['generation']> {
  const generator = createGenerator(dataset);
  await generateFor(generator, warmUpMs, signal);
  return { rowsPerSecond: await generateFor(generator, seconds * 1_000, signal) };
}

/** Rows per second that the generator makes, without the turns of the event loop. */
async function generateFor(generator: Generator, ms: number, signal: AbortSignal): Promise<number> {
  const rowsPerBatch = 1_000;
  let rows = 0;
  let busyMs = 0;
  while (busyMs < ms) {
    signal.throwIfAborted();
    const start = performance.now();
    let now = start;
    for (; now - start < turnMs; now = performance.now()) {
      generator.fill(rows, rowsPerBatch, null);
      rows += rowsPerBatch;
    }
    busyMs += now - start;
    await turn();
  }
  return rows / (busyMs / 1_000);
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
