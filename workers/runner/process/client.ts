import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { requireSessionSettings } from '#engine-api/support/session-settings.ts';
import { DynoError } from '#model/error.ts';
import type { ClientJob } from '#protocol/messages.ts';
import { openLoad } from '../load/trial-load.ts';
import { closeClientConnections, openClientConnections } from '../loop/client-connections.ts';
import { type Measured, measurePhase, runCallByCall, runPhase } from '../loop/loop.ts';
import type { Phase } from '../loop/phase.ts';
import type { StatementCounters } from '../loop/statement-counters.ts';
import { type CopyPlan, copyInto, openCopy } from '../operations/copy.ts';
import { watchSockets } from '../timing/socket-watch.ts';
import { TimeSplit } from '../timing/time-split.ts';
import { acknowledgedRows } from '../verify/acknowledged.ts';
import { type ClientPlan, planClient } from './client-plan.ts';
import { askPlans, type Client, makeCalls, reportWork, startsUntouched, type Trial } from './client-trial.ts';
import { collectGarbage } from './garbage.ts';
import { readSettings } from './read-settings.ts';
import { readTls } from './read-tls.ts';
import { warmUp } from './warm-up.ts';

/** Runs a worker's share of a trial and posts its result. Rejects if the trial fails; always closes the sessions. */
export async function runClient(client: Client, job: ClientJob): Promise<void> {
  const { descriptor, database, channel, toError, post } = client;
  const { isolation, tls } = job.settings;

  // 1. Plan the calls and their contents.
  const plan = planClient(descriptor, job, channel);
  const { workload, mix } = plan;

  // 2. Open the sessions, and prepare their operations.
  const split = new TimeSplit();
  await using closing = new AsyncDisposableStack();
  const sockets = descriptor.inProcess === true ? null : closing.use(watchSockets(split));
  const copy = job.source ? closing.use(await openCopy(client, job, job.source)) : null;
  const sessions = {
    options: job.table.options,
    isolation,
    settings: job.session && requireSessionSettings(descriptor, job.session),
    prepare: (session: Session) => prepareOperation(session, client, job, plan, copy),
  };
  const loop = { ...plan.loop, split, toError };
  const connections = await openClientConnections(database, sessions, job.connections, loop, sockets);
  closing.defer(() => closeClientConnections(connections));
  closing.defer(() => channel.releaseSessions());
  const reported = {
    ...(job.session && (await readSettings(connections, Object.keys(job.session)))),
    ...(tls !== 'default' && (await readTls(connections, tls))),
  };
  const load = closing.use(await openLoad(job, connections, mix ?? undefined));
  channel.sessions = () => [...connections.map(({ session }) => session), ...(copy ? [copy.session] : [])];
  const trial: Trial = { client, job, plan, connections, load, split };

  // 3. Prepare the calls that can be made before the warm-up.
  const { warmup, measure, rowsPerCall } = workload;
  const calls = workload.preparedCalls;
  const rows = calls.measure * rowsPerCall;
  await makeCalls(trial, warmup, calls.warmup);
  await makeCalls(trial, measure, calls.measure, {
    onCalls: (made) => post({ type: 'progress', phase: 'prepare', rows: made * rowsPerCall, of: rows }),
  });
  collectGarbage();
  post({ type: 'prepared' });

  // 4. Warm up, and prepare the calls whose number only the warm-up shows.
  await channel.warmUpMayBegin;
  const warmups = await warmUp(trial);
  if (!channel.stopped && !startsUntouched(job)) await askPlans(trial, 'warm');
  if (!channel.stopped) await reportWork(connections);
  post({ type: 'warm' });

  // 5. Measure.
  await channel.measureMayBegin;
  const counters = (copy ?? mix)?.counters;
  counters?.reset();
  mix?.sampled?.begin(job.measure, performance.now());
  const { phase, measured } = await runMeasuredPhase(trial, counters);
  // This comes before the host reads the counters, which would otherwise lack the sessions' unreported work.
  if (!channel.stopped) await reportWork(connections);
  post({ type: 'measured', lastEndNs: measured.lastEndNs });

  // 6. Ask for plans again, which counters no longer count, and report the acknowledged rows.
  const handshakes = sockets?.handshakes.seen ?? null;
  const acknowledged = await acknowledgedRows(
    job.settings.operation,
    new Set([warmup, measure]),
    plan.generator,
    job,
    // A reference keeps no rows, so there is nothing to compare their checksum with.
    plan.serverData || descriptor.reference === true,
    descriptor.emptyIsNull,
  );
  await channel.areCountersRead;
  if (!channel.stopped) await askPlans(trial, 'measured');
  post({
    type: 'result',
    result: {
      worker: job.worker,
      ...measured,
      handshakes,
      acknowledged: acknowledged?.checksum ?? null,
      ...(acknowledged && acknowledged.bytes !== null && { acknowledgedBytes: acknowledged.bytes }),
      ...(Object.keys(reported).length > 0 && { sessionSettings: reported }),
      uncertainRows: [...warmups, phase].reduce((sum, { uncertainRows }) => sum + uncertainRows, 0),
      errorExamples: [...warmups, phase].flatMap(({ examples }) => examples),
      ...(counters && { statements: counters.toData() }),
      ...(job.measure.stages && { stages: load.stages() }),
      ...(mix?.sampled && { sampledAnswers: mix.sampled.given() }),
    },
  });
}

async function prepareOperation(
  session: Session,
  { toError }: Client,
  { table, settings: { operation, method } }: ClientJob,
  { mix, settings }: ClientPlan,
  copy: CopyPlan | null,
): Promise<Operation> {
  if (operation === 'statement') {
    if (!mix) throw new DynoError('internal', 'A job of custom statements has none.');
    return mix.prepare(session, toError);
  }
  if (operation !== 'copy') return session.prepare({ table, operation, method, settings });
  if (!copy) throw new DynoError('internal', 'A copy has no source.');
  return copyInto(await session.prepare({ table, operation: 'insert', method, settings }), copy);
}

async function runMeasuredPhase(
  { client, job, plan, connections, load, split }: Trial,
  counters: StatementCounters | undefined,
): Promise<{ readonly phase: Phase; readonly measured: Measured }> {
  const { channel, post } = client;
  const { measure, worker } = job;
  const { callSource } = plan.loop;
  callSource.use(plan.workload.measure);
  const { phase, work } = load.begin('measure', measure.until === 'time' ? measure.seconds : Number.POSITIVE_INFINITY);
  const run = () =>
    measure.calls === undefined
      ? runPhase(work, phase, channel)
      : runCallByCall(connections, phase, channel, measure.calls, (call) => post({ type: 'called', call }));
  const measured = await measurePhase(phase, { worker, connections, callSource, split }, run, (snapshot) => {
    const statements = counters?.takeInterval() ?? [];
    post({ type: 'snapshot', snapshot: statements.length > 0 ? { ...snapshot, statements } : snapshot });
  });
  if (phase.failure) throw phase.failure;
  return { phase, measured };
}
