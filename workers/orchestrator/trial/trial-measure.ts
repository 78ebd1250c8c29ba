import { setTimeout as sleep } from 'node:timers/promises';
import { configThrough, configWithTls } from '#engine-api/config.ts';
import { isCold } from '#engine-api/support/cold-cache.ts';
import { requireSessionSettings } from '#engine-api/support/session-settings.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { mixFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { heldServerPids } from '#managed-servers/supervisor-client.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { limitsOf } from '#model/production.ts';
import { hasEmulatedNetwork } from '#model/settings/environment-settings.ts';
import type { Options } from '#model/settings/options.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import { emulateNetwork } from '#network-emulator/emulated-target.ts';
import type { MachineUse, NumberedCall, ValueBytes, WorkerResult } from '#protocol/measurement.ts';
import { type LoadedTables, plansOf } from '#protocol/messages.ts';
import type { Plan } from '#protocol/plan.ts';
import { type ClientsOptions, runClients } from '../worker/clients.ts';
import { mergeHandshakes } from '../worker/merge-results.ts';
import type { ReachedTarget } from '../worker/reach.ts';
import { catalogEntry } from '../worker/targets.ts';
import { clientHosts } from './client-hosts.ts';
import { watchHosts } from './load-host-use.ts';
import { MachineWatch } from './machine-use.ts';
import { watchServer } from './probes.ts';
import { readLists } from './statement-lists.ts';
import { sampledCalls } from './trial-answers.ts';
import { datasetOf, loadedTables, type TrialState, type TrialWork } from './trial-context.ts';
import { placeHosts, watchTrialHosts } from './trial-hosts.ts';
import { startPooler } from './trial-pooler.ts';
import { emptyDraft, type TrialDraft } from './trial-result.ts';
import { trialSeed } from './trial-seed.ts';
import { settle, settlesWhileOpening } from './trial-tables.ts';
import { addsRowsAlone, checksum } from './trial-verify.ts';

/**
 * The seconds, or the number of calls, for which the cheapest statement is repeated before each trial, while the
 * clients have logged in and do nothing; a median needs no more.
 */
const roundTripRequest = { call: 'roundTrip', seconds: 0.05, calls: 100 } as const;

/**
 * Runs a trial's client workers against its loaded tables. `plan`: the plan of the run, without the changes of this
 * trial's levels. `error`: the reason if the measurement is incomplete.
 */
export async function measure(work: TrialWork, state: TrialState, plan: Plan): Promise<TrialDraft> {
  const { clock } = work;
  if (!settlesWhileOpening(work)) {
    clock.enter('prepare');
    return measureClients(work, state, plan, undefined);
  }
  const resting = settle(work, state).then(() => clock.enter('prepare'));
  try {
    return await measureClients(work, state, plan, resting);
  } finally {
    // If the clients could not log in, the server still settles: the tables are dropped after that.
    await resting.catch(() => {});
  }
}

/** `resting`: settles when the server is at rest; undefined: it is. */
async function measureClients(
  work: TrialWork,
  state: TrialState,
  plan: Plan,
  resting: Promise<void> | undefined,
): Promise<TrialDraft> {
  const { control, variant, trial, clock, signal } = work;
  const { builds, tableLoads } = state;
  resting?.catch(() => {}); // It is awaited when the clients have logged in.
  // 1. Prepare what reads tables, before the cache is emptied.
  const { unsampled, ...job } = await clientJob(work, state, plan);
  if (isCold(variant.settings)) {
    clock.enter('emptyCache');
    await control.emptyCache(signal);
    clock.enter('prepare');
  }
  let cheapestMs: number | null = null;
  // 2. Connect to load hosts and the target, through the network emulator if the variant uses one.
  const { hosts, target } = await clientHosts(work, variant.settings.processes);
  const source = work.sourceControl && {
    engine: work.sourceControl.planned.engine,
    ...(await work.sourceControl.connect(signal)),
  };
  const parser = catalogEntry(control.planned.engine).config;
  const config = configWithTls(parser, target.config, variant.settings.tls);
  // The network emulator stands before the pooler, which is beside the server.
  await using pooled = await startPooler(work, config);
  const instead = pooled ? () => pooled.endpoint : target.instead;
  const behind = pooled ? configThrough(parser, config, instead) : config;
  await using elsewhere = hasEmulatedNetwork(variant.settings)
    ? await emulateNetwork(parser, behind, variant.settings, job.trialSeed, instead)
    : null;
  const probes = watchServer(
    control,
    signal,
    (atMs, sample, tookMs) => work.write({ record: 'probe', trial: trial.number, atMs, tookMs, sample }),
    () => work.space.check(control, 0, signal),
    () => control.ask({ call: 'waits' }, signal),
  );
  // 3. Warm up and measure. The server adds up its rows while the workers add up the acknowledged ones.
  let probeDelta: TrialDraft['probeDelta'] | undefined;
  let found: TrialDraft['found'];
  using watch = new MachineWatch();
  let machine: MachineUse | null | undefined;
  const perCall: NumberedCall[] = [];
  using used = watchHosts(hosts ?? [], (atMs, sampled) =>
    work.write({ record: 'loadHosts', trial: trial.number, atMs, hosts: sampled }),
  );
  using machines = watchTrialHosts(work);
  let ends: readonly (boolean | null)[] = [];
  const clients = (printed: Renewed = {}, printedOfSource: Renewed = {}) =>
    runClients({
      engine: control.planned.engine,
      config: { ...(elsewhere?.config ?? behind), ...printed },
      secrets: [
        ...target.secrets,
        ...(source?.secrets ?? []),
        ...Object.values(printed),
        ...Object.values(printedOfSource),
      ],
      tag: work.tag,
      settings: variant.settings,
      ...(hosts && { hosts }),
      job: {
        ...job,
        ...capOf(target),
        ...(source && {
          sourceTarget: {
            engine: source.engine,
            config: { ...source.config, ...printedOfSource },
            ...capOf(source),
            ...sessionOf(work, work.sourceControl!),
          },
        }),
      },
      admit: target.admit,
      signal,
      onPhase: clock.enter,
      onSnapshot: (snapshot) => work.write({ record: 'snapshot', trial: trial.number, snapshot }),
      onQueryPlans: (plans, when) => work.write({ record: 'queryPlans', trial: trial.number, when, plans }),
      resting,
      async whenOpen(endsHere) {
        ends = endsHere;
        if (control.descriptor.inProcess !== true) cheapestMs = await cheapestOf(work);
      },
      onCall: async (call) => void perCall.push({ ...call, probeDelta: await probes.lap() }),
      onSilence: (worker, seconds) => work.onActivity(`Worker ${worker + 1} has been silent for ${seconds} s`),
      async beforeMeasure() {
        await probes.before();
        await pooled?.begin();
        watch.begin();
      },
      whileMeasuring() {
        elsewhere?.begin();
        used.begin();
        machines.begin(placeHosts(work, hosts, ends, target.tunnel !== null));
        probes.start();
      },
      async whenMeasured(lastEndNs, counted) {
        clock.enter('verify', latestMs(lastEndNs));
        used.end();
        machines.end();
        machine = watch.end({ dyno: process.pid, managedServers: heldServerPids() });
        probeDelta = { ...(await probes.finish()), ...(await pooled?.counters()) };
        counted();
        // This request comes first, because the server works on it while this process forks the next trial's workers.
        const asked = addsRowsAlone(work, state) ? checksum(work, state) : undefined;
        work.onMeasured?.();
        found = await asked;
      },
    });
  const outcome = await unlessExpired(work, clients);
  // 4. Read the network's and the server's counters.
  const network = await elsewhere?.end(outcome);
  clock.enter('verify', latestMs(outcome.results.map(({ lastEndNs }) => lastEndNs)));
  probeDelta ??= await probes.finish();
  const waits = probes.waits();
  return {
    ...emptyDraft,
    results: outcome.results,
    error: outcome.error && (pooled?.explain(outcome.error) ?? outcome.error),
    probeDelta,
    ...(waits && { waits }),
    ...network,
    ...(hosts && { loadHosts: used.of(outcome.results, variant.settings.connections) }),
    ...(machine && { machine }),
    ...(cheapestMs !== null && {
      // Handshakes with a tunnel's end on this machine show nothing of the network behind it.
      roundTrip: target.tunnel
        ? { cheapestMs, handshakes: null, tunnel: target.tunnel.kind }
        : { cheapestMs, handshakes: mergeHandshakes(outcome.results.map((one) => one.handshakes)) },
    }),
    ...(found !== undefined && { found }),
    ...(perCall.length > 0 && { perCall }),
    ...(builds && { builds }),
    ...(tableLoads && { tableLoads }),
    ...valueBytesOf(work, state, outcome.results),
    unsampled,
  };
}

/** The rows whose values the measured calls moved as a whole, with the bytes of these values. */
function valueBytesOf(
  { variant }: TrialWork,
  { loaded, source, loadedBytes }: TrialState,
  results: readonly WorkerResult[],
): Pick<TrialDraft, 'valueBytes'> {
  const { operation } = variant.settings;
  if (operation === 'insert') {
    const known = results.flatMap(({ acknowledged, acknowledgedBytes: bytes }) =>
      acknowledged && bytes !== undefined ? [{ rows: acknowledged.rows, bytes }] : [],
    );
    const sum = (of: (one: ValueBytes) => number) => known.reduce((total, one) => total + of(one), 0);
    const rows = sum((one) => one.rows);
    return rows === 0 ? {} : { valueBytes: { rows, bytes: sum((one) => one.bytes) } };
  }
  const movesRows = operation === 'copy' || readOnlyOperations.includes(operation);
  const rows = (source?.loaded ?? loaded)?.rows ?? 0;
  return !movesRows || rows === 0 || loadedBytes === undefined ? {} : { valueBytes: { rows, bytes: loadedBytes } };
}

/** Passwords that commands have printed again, by field. */
type Renewed = Readonly<Record<string, string>>;

/**
 * Runs the clients. Passwords that commands print and that expire soon are printed again before. If a login is refused
 * before the measured phase, they may have expired without notice, and are printed again once.
 */
async function unlessExpired(
  { control, sourceControl, signal }: TrialWork,
  clients: (printed?: Renewed, printedOfSource?: Renewed) => ReturnType<typeof runClients>,
): ReturnType<typeof runClients> {
  const due = (await control.renewPasswords(signal, 'due')) ?? {};
  const dueOfSource = (await sourceControl?.renewPasswords(signal, 'due')) ?? {};
  const first = await Promise.allSettled([clients(due, dueOfSource)]).then(([one]) => one);
  const error = first.status === 'rejected' ? toErrorData(first.reason) : first.value.error;
  const isRefused =
    error?.kind === 'authentication' && (first.status === 'rejected' || first.value.results.length === 0);
  const own = isRefused ? await control.renewPasswords(signal, 'now') : null;
  const ofSource = isRefused ? ((await sourceControl?.renewPasswords(signal, 'now')) ?? null) : null;
  if (own !== null || ofSource !== null) return clients(own ?? due, ofSource ?? dueOfSource);
  if (first.status === 'rejected') throw first.reason;
  return first.value;
}

/**
 * Measures the time of the cheapest statement. On a production server, its calls share no second with the load,
 * including the previous trial's: another process sends them and has most of a second for itself.
 */
async function cheapestOf({ control, signal }: TrialWork): Promise<number> {
  const isCapped = Object.keys(capOf(await control.connect(signal))).length > 0;
  const apart = async () => {
    if (isCapped) await sleep(1_000, undefined, { signal });
  };
  await apart();
  const { p50Us } = await control.ask(roundTripRequest, signal);
  await apart();
  return p50Us / 1_000;
}

/** Maximum number of statements of a production server per second. */
const capOf = ({ mark }: Pick<ReachedTarget, 'mark'>): Pick<ClientsOptions['job'], 'maxPerSecond'> =>
  mark ? { maxPerSecond: limitsOf(mark.production).maxPerSecond } : {};

/** The part of the workers' job that is independent of their connections. */
async function clientJob(
  work: TrialWork,
  state: TrialState,
  runPlan: Plan,
): Promise<Omit<ClientsOptions['job'], 'sourceTarget'> & Pick<TrialDraft, 'unsampled'>> {
  const { plan, trial } = work;
  const { stages, loaded, source } = state;
  if (!stages) throw new DynoError('internal', 'No table.');
  const tables = loadedTables(work, state);
  const { unsampled, ...statements } = await statementsOf(work, tables, runPlan, stages.first.options);
  return {
    table: loaded ? stages.complete : stages.first,
    dataset: datasetOf(work),
    measure: plan.measure,
    loadedRows: (source?.loaded ?? loaded)?.rows ?? 0,
    trialSeed: trialSeed(plan.measure, trial),
    ...sessionOf(work, work.control),
    ...(source && { source: source.table }),
    unsampled,
    ...(statements.mix && { ...statements, tables }),
  };
}

/**
 * The settings that the experiment, as the variant runs it, has for sessions of a target. Throws 'unsupported' where
 * its sessions take none.
 */
function sessionOf({ plan }: TrialWork, { descriptor }: TrialWork['control']): Pick<ClientsOptions['job'], 'session'> {
  const session = requireSessionSettings(descriptor, sessionSettingsOf(plan.experiment, descriptor.id));
  return Object.keys(session).length > 0 ? { session } : {};
}

/** Time at which the last call of all workers ended, in ms of process.hrtime; undefined if no worker reports it. */
function latestMs(lastEndNs: readonly string[]): number | undefined {
  const ends = lastEndNs.map((ns) => Number(BigInt(ns) / 1_000n) / 1e3);
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** The experiment's statements for this target, with their parameters' values; none for other operations. */
async function statementsOf(
  work: TrialWork,
  tables: LoadedTables,
  runPlan: Plan,
  options: Options,
): Promise<Pick<ClientsOptions['job'], 'mix' | 'sampled'> & Pick<TrialDraft, 'unsampled'>> {
  const { control, plan, variant, files, signal } = work;
  const { experiment } = plan;
  const { statements } = control.descriptor;
  if (variant.settings.operation !== 'statement' || !statements) return { unsampled: [] };
  const choice = { target: control.planned.name, engine: control.planned.engine };
  const items = weightsOf(experiment);
  const context = { control, experiment, choice, files, tables: plansOf(tables), options, isTry: false };
  const lists = await readLists(context, [...items.keys()], signal);
  const mix = mixFor(experiment, choice, statements, items, lists);
  const { sampled, unsampled } = sampledCalls(work, runPlan, lists);
  if (!control.descriptor.reference) return { mix, unsampled, ...(sampled.statements.length > 0 && { sampled }) };
  // The reference engine returns no rows, which is not an error.
  return { mix: { ...mix, statements: mix.statements.map((one) => ({ ...one, expectRows: null })) }, unsampled };
}
