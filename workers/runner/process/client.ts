import { isCold } from '#contract/cold-cache.ts';
import { keyIndex } from '#contract/columns.ts';
import type { Database, EngineDescriptor, Session } from '#contract/engine.ts';
import { DynoError, type ErrorData } from '#contract/error.ts';
import type { ClientJob, ToHost } from '#contract/messages.ts';
import { defaultSettings, fillingOperations } from '#contract/settings.ts';
import { supportOf } from '#contract/support-of.ts';
import { createGenerator } from '../generator/generator.ts';
import { openLoad } from '../load/trial-load.ts';
import type { LoopOptions } from '../loop/connection.ts';
import type { ControlChannel } from '../loop/control-channel.ts';
import { measurePhase, runCallByCall, runPhase } from '../loop/loop.ts';
import { closeConnections, openConnections } from '../loop/sessions.ts';
import { copyCounters, copyInto, openSource } from '../operations/copy.ts';
import { planMix } from '../operations/mix.ts';
import { watchSockets } from '../timing/socket-watch.ts';
import { TimeSplit } from '../timing/time-split.ts';
import { acknowledgedRows } from '../verify/acknowledged.ts';
import { createBatchMaker } from '../workload/batch-maker.ts';
import { CallSource } from '../workload/call-source.ts';
import { prepareCalls } from '../workload/prepare-calls.ts';
import { planWorkload } from '../workload/workload.ts';
import { collectGarbage } from './garbage.ts';

/** The target that rows are copied from, where that is another one. */
export interface SourceTarget {
  readonly database: Database;
  readonly toError: (thrown: unknown) => ErrorData;
}

/** One worker's share of one trial, from its sessions to its result. Throws what makes the trial fail; sessions are closed either way. */
export async function runClient(
  descriptor: EngineDescriptor,
  database: Database,
  job: ClientJob,
  channel: ControlChannel,
  toError: (thrown: unknown) => ErrorData,
  post: (message: ToHost) => void,
  openSourceTarget: () => Promise<SourceTarget> = noSource,
): Promise<void> {
  const { settings, measure, table, worker } = job;
  const { operation, method } = settings;
  const support = supportOf(descriptor, operation, method, settings.copyFrom);
  const serverData = support.serverData === true;
  const workload = planWorkload(job, support);
  const generator = createGenerator(job.dataset, settings);
  const mix = job.mix ? planMix(job, job.mix, channel) : null;
  const maker = mix ? mix.maker : createBatchMaker(job, generator, workload.rowsPerCall, serverData);
  const callSource = new CallSource(maker, workload.warmup);
  const depth = support.pipelines ? settings.pipelineDepth : 1;
  const isCopy = operation === 'copy';
  const writes = isCopy || operation === 'insert' || operation === 'update' || operation === 'delete';
  // Otherwise a try that a conflict ends may have left rows behind, or, of a copy, has used up those that were read.
  const undoes = isCopy
    ? false
    : settings.callsPerCommit > 1
      ? support.direct !== true
      : !(writes && support.mayStopHalfway === true && workload.rowsPerCall > 1);
  // Of other operations no null is the dataset's: the plan says that how they are bound does not matter.
  const nullBinding = fillingOperations.includes(operation) ? settings.nullBinding : defaultSettings.nullBinding;
  const ownSettings = { ...settings, nullBinding, rowsPerCall: workload.rowsPerCall };
  const split = new TimeSplit();
  using sockets = descriptor.inProcess === true ? null : watchSockets(split);
  const elsewhere = job.sourceTarget ? await openSourceTarget() : null;
  await using sourceDatabase = elsewhere?.database ?? null;
  await using reader = job.source
    ? await (sourceDatabase ?? database).openSession(job.source.options, settings.isolation)
    : null;
  const copy =
    reader && job.source
      ? {
          source: await openSource(reader, job.source, settings, elsewhere?.toError ?? toError),
          table,
          key: keyIndex(job.dataset),
          counters: copyCounters(() => channel.phase),
          toError,
        }
      : null;
  const parts = (copy ?? mix)?.counters;
  const plan = {
    options: table.options,
    isolation: settings.isolation,
    async prepare(session: Session) {
      if (operation === 'statement') return (mix ?? noMix()).prepare(session, toError);
      if (operation !== 'copy') return session.prepare({ table, operation, method, settings: ownSettings });
      const insert = await session.prepare({ table, operation: 'insert', method, settings: ownSettings });
      return copyInto(insert, copy ?? noSource());
    },
  };

  const loop: LoopOptions = {
    callSource,
    expected: workload.expected,
    callsPerCommit: settings.callsPerCommit,
    depth,
    writes,
    maxTries: undoes ? settings.maxTries : 0,
    seed: job.trialSeed + job.worker,
    turnsInTransactions: job.connections === 1,
    split,
    toError,
  };
  const connections = await openConnections(database, plan, job.connections, loop, sockets);
  try {
    await using load = await openLoad(job, connections, mix?.users);
    channel.sessions = [...connections.map(({ session }) => session), ...(reader ? [reader] : [])];
    const { warmup, measure: measured } = workload;
    const calls = workload.preparedCalls;
    const rowsOf = (count: number) => count * workload.rowsPerCall;
    const progress = (done: number) =>
      post({ type: 'progress', phase: 'prepare', rows: rowsOf(done), of: rowsOf(calls.measure) });
    const prepare = {
      callSource,
      operations: connections.map(({ operation: own }) => own),
      workers: job.workers,
      stopped: () => channel.stopped,
    };
    await prepareCalls({ ...prepare, tracker: warmup, calls: calls.warmup });
    await prepareCalls({ ...prepare, tracker: measured, calls: calls.measure, onCalls: progress });
    collectGarbage();
    post({ type: 'prepared' });

    const byTime = measure.until === 'time';
    await channel.warmUpMayBegin;
    callSource.use(warmup);
    const isUnwarmed = measure.until === 'calls' || isCold(settings);
    const warming = load.begin('warmup', isUnwarmed ? 0 : byTime ? measure.warmupSeconds : Number.POSITIVE_INFINITY);
    const warmupPhase = warming.phase;
    await runPhase(warming.work, warmupPhase, channel);
    if (warmupPhase.failure) throw warmupPhase.failure;
    // Without the time that the warm-up spent on making its calls: the clock will not see it.
    const callingSeconds = measure.warmupSeconds - (callSource.generateMs + callSource.encodeMs) / 1_000;
    const rate = byTime && !isUnwarmed && callingSeconds > 0 ? warmupPhase.succeededCalls / callingSeconds : null;
    const more = mix?.followsInserts ? 0 : workload.preparedAfterWarmUp(rate);
    if (more > 0) {
      await prepareCalls({ ...prepare, tracker: measured, calls: more, asManyAsFit: true });
      collectGarbage();
    }
    if (!channel.stopped) await Promise.all(connections.map(({ session }) => session.reportWork?.()));
    post({ type: 'warm' });

    await channel.measureMayBegin;
    callSource.use(measured);
    parts?.reset();
    const { phase, work } = load.begin('measure', byTime ? measure.seconds : Number.POSITIVE_INFINITY);
    const run = () =>
      measure.calls === undefined
        ? runPhase(work, phase, channel)
        : runCallByCall(connections, phase, channel, measure.calls, (call) => post({ type: 'called', call }));
    const outcome = await measurePhase(phase, { worker, connections, callSource, split }, run, (snapshot) =>
      post({ type: 'snapshot', snapshot }),
    );
    if (phase.failure) throw phase.failure;
    const trackers = new Set([warmup, measured]);
    post({
      type: 'result',
      result: {
        worker,
        ...outcome,
        // A reference keeps no rows: there is nothing to hold their checksum against.
        acknowledged: await acknowledgedRows(
          operation,
          trackers,
          generator,
          job,
          serverData || descriptor.reference === true,
          descriptor.emptyIsNull,
        ),
        uncertainRows: warmupPhase.uncertainRows + phase.uncertainRows,
        errorExamples: [...warmupPhase.examples, ...phase.examples],
        ...(parts && { statements: parts.toData() }),
        ...(measure.stages && { stages: load.stages() }),
      },
    });
  } finally {
    await closeConnections(connections);
  }
}

const noSource = () => {
  throw new DynoError('internal', 'A copy has no source.');
};

const noMix = () => {
  throw new DynoError('internal', 'A job of own statements has none.');
};
