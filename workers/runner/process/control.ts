import type { Database, RunningServer } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Engine } from '#engine-api/engine.ts';
import { heldByAnother } from '#engine-api/support/server-parameters.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { assertNever, DynoError } from '#model/error.ts';
import type { ControlAnswers, ControlRequest, ToHost, TookMs } from '#protocol/messages.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { createGenerator, type Generator } from '../generator/generator.ts';
import { cappedDatabase } from '../loop/capped-database.ts';
import { compareAnswers } from '../operations/compare-answers.ts';
import { giveAnswers } from '../operations/give-answers.ts';
import { tableFigures } from '../operations/table-figures.ts';
import { query, tryOnce } from '../operations/try-once.ts';
import { storeRows } from '../rows/store-rows.ts';
import { RateCap } from '../timing/rate-cap.ts';
import { verifyRanges } from '../verify/verify-ranges.ts';
import { loadRows } from './load-rows.ts';

/**
 * Answers unmeasured requests about one target. Requests may overlap; `abort` ends the running ones, also at the
 * server.
 */
export function createControl(engine: Engine, opened: Database, post: (message: ToHost) => void) {
  let database = opened;
  let cap: RateCap | null = null;
  const toError = (thrown: unknown) => (thrown instanceof DynoError ? thrown.data : engine.toError(thrown));
  let stop = new AbortController();
  let cancelled: Promise<void> = Promise.resolve();
  let pingWarmUpMs = warmUpMs;

  async function answer(request: ControlRequest): Promise<ControlAnswers[ControlRequest['call']]> {
    // A cancel on its way to the server must not hit the next statement.
    if (request.call !== 'abort') await cancelled;
    switch (request.call) {
      case 'ping':
        await database.ping();
        return null;
      case 'fingerprint':
        return database.fingerprint();
      case 'prepareSchema':
        await database.prepareSchema(request.table);
        return null;
      case 'load':
        return loadRows(engine.descriptor, database, request, stop.signal, (loaded) => {
          const { rows, what } = request;
          const of = rows.end - rows.first;
          post({ type: 'progress', phase: 'load', rows: loaded, of, ...(what !== undefined && { what }) });
        });
      case 'storeRows': {
        const { from } = request.store;
        const onRows = (rows: number) => post({ type: 'progress', phase: 'schema', rows, of: rows, what: from.file });
        return storeRows(request.store, onRows, stop.signal);
      }
      case 'verifyRanges': {
        const { table, dataset, settings, rows } = request;
        return verifyRanges(engine.descriptor, database, table, dataset, settings, rows, stop.signal);
      }
      case 'addKey':
        return timed(() => database.addKey(request.table));
      case 'addIndex':
        return timed(() => database.addIndex(request.table, request.index));
      case 'removeIndex':
        if (!database.removeIndex) throw new DynoError('unsupported', `${engine.descriptor.label} drops no index.`);
        await database.removeIndex(request.table, request.index);
        return null;
      case 'setUp':
        if (!database.setUp)
          throw new DynoError('unsupported', `${engine.descriptor.label} has no statements of setup.`);
        await database.setUp(request.plan);
        return null;
      case 'settle':
        await database.settle(request.table);
        return null;
      case 'emptyCache':
        if (!database.emptyCache) throw new DynoError('unsupported', `${engine.descriptor.label} empties no cache.`);
        await database.emptyCache();
        return null;
      case 'probe':
        return database.probe();
      case 'waits':
        return (await database.waits?.()) ?? null;
      case 'probeInfo':
        return engine.probeInfo;
      case 'checksum':
        return database.checksum(request.table);
      case 'storedBytes':
        return database.storedBytes(request.table);
      case 'pageUse':
        return (await database.pageUse?.(request.table)) ?? null;
      case 'untrustedForeignKeys':
        return (await database.untrustedForeignKeys?.(request.table)) ?? null;
      case 'drop':
        await database.drop(request.table);
        return null;
      case 'leftovers':
        return database.leftovers(request.namePrefix);
      case 'sessionsOf':
        return (await database.sessionsOf?.(request.tag, request.of)) ?? null;
      case 'freeSpace':
        return (await database.freeSpace?.()) ?? null;
      case 'serverParameters':
        if (!database.serverParameters)
          throw new DynoError('unsupported', `${engine.descriptor.label} tells no parameters.`);
        return database.serverParameters(request.asked);
      case 'parameterStates': {
        const server = runningServer(engine.descriptor, database, request.names);
        if (request.hold && !(await server.hold())) throw heldByAnother();
        return server.states(request.names, request.asked);
      }
      case 'changeParameters':
        return runningServer(engine.descriptor, database, Object.keys(request.changes)).change(request.changes);
      case 'dropLeftovers':
        return database.dropLeftovers(request.namePrefix);
      case 'roundTrip':
        return measureRoundTrip(opened, pingWarmUpMs, request, stop.signal, cap).finally(() => {
          pingWarmUpMs = rewarmUpMs;
        });
      case 'generation':
        return measureGeneration(request.dataset, request.seconds, stop.signal);
      case 'userTables':
        return (await database.userTables?.()) ?? [];
      case 'keptStatements':
        if (!database.keptStatements)
          throw new DynoError('unsupported', `${engine.descriptor.label} tells no statements.`, {
            hint: `${engine.descriptor.unsupportedReasons.keptStatements ?? ''} Make the experiment from a file of your statements: dyno draft FILE.sql.`,
          });
        return database.keptStatements(request.since === null ? null : new Date(request.since));
      case 'tableFacts':
        return (await database.tableFacts?.(request.asked)) ?? [];
      case 'tableFigures':
        return tableFigures(database, request, toError, stop.signal);
      case 'cap':
        // A slower server would exceed the time limits of requests.
        cap = new RateCap(Math.max(1, request.perSecond));
        database = cappedDatabase(opened, cap);
        return null;
      case 'query':
        return query(engine.descriptor, database, request, toError);
      case 'tryOnce':
        return tryOnce(engine.descriptor, database, request, toError);
      case 'compareAnswers':
        return compareAnswers(engine.descriptor, database, request, toError, stop.signal);
      case 'giveAnswers':
        return giveAnswers(engine.descriptor, database, request, toError, stop.signal);
      case 'abort':
        // The server is cancelled first: a load that ended earlier would roll back, and the cancel would hit the
        // rollback.
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

/** The server, for changes of parameters that the engine lets Dyno change. */
function runningServer(
  { label, serverParameters }: EngineDescriptor,
  { runningServer: server }: Database,
  names: readonly string[],
): RunningServer {
  const allowed = serverParameters?.running?.names ?? [];
  const refused = names.find((name) => !allowed.includes(name));
  if (!server || refused !== undefined)
    throw new DynoError('unsupported', `Dyno does not change ${refused ?? 'parameters'} of a running ${label}.`);
  return server;
}

async function timed(work: () => Promise<void>): Promise<TookMs> {
  const startMs = performance.now();
  await work();
  return { ms: performance.now() - startMs };
}

const warmUpMs = 100;
/** A short measurement is warmed up for half of its time. */
const warmUpOf = (seconds: number): number => Math.min(warmUpMs, 500 * seconds);
/** From the second time on, the code is compiled and only caches are cold. */
const rewarmUpMs = 10;
/** The event loop gets a turn at least this often, however fast the engine answers. */
const turnMs = 10;

async function measureRoundTrip(
  database: Database,
  pingWarmUpMs: number,
  { seconds, calls: enough = Number.POSITIVE_INFINITY }: ControlRequest & { call: 'roundTrip' },
  signal: AbortSignal,
  cap: RateCap | null,
): Promise<ControlAnswers['roundTrip']> {
  const latencies = new Histogram();
  let calls = 0;
  let measuredFromMs = performance.now() + Math.min(pingWarmUpMs, warmUpOf(seconds));
  const endMs = measuredFromMs + seconds * 1_000;
  let lastTurnMs = performance.now();
  let now = lastTurnMs;
  // A machine that stalls for the whole time still completes one call.
  while ((now < endMs && calls < enough) || calls === 0) {
    signal.throwIfAborted();
    await cap?.mayGo(1, signal);
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
  await generateFor(generator, warmUpOf(seconds), signal);
  return { rowsPerSecond: await generateFor(generator, seconds * 1_000, signal) };
}

/** Rows per second of the generator, without the turns of the event loop. */
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
