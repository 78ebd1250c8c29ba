import { rmSync } from 'node:fs';
import { usualLeastFreeMib } from '#experiment/schema/experiment.ts';
import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { type OpenLoadHosts, openLoadHosts } from '#load-hosts/coordinator/open-load-hosts.ts';
import { endSpareWorkers, forkAhead } from '#load-hosts/local-host.ts';
import { deleteOwnServers } from '#managed-servers/own-server.ts';
import type { Passwords } from '#model/connections.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { openingText } from '#model/load-host-check.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { canShareTable } from '#planning/can-share-table.ts';
import type { Durations } from '#planning/durations.ts';
import { durationsOf } from '#planning/learn-durations.ts';
import type { ServerInstance } from '#planning/server-instances.ts';
import { isDone } from '#planning/stopping/what-is-left.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { Home } from '#platform/paths.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import {
  type EndReason,
  type FoundFiles,
  type JournalRecord,
  journalVersion,
  type TargetRecord,
} from '#protocol/journal.ts';
import type { CalibrationEntry, TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTarget, PlannedTrial } from '#protocol/plan.ts';
import { copySource } from '#rules/cells/copy-source.ts';
import { readDurations, rememberDurations } from '#workspace/runs/known-durations.ts';
import type { TrustedTarget } from '#workspace/trust/gate.ts';
import type { Journal } from '../journal/journal.ts';
import { openRowStore, type RowStore } from '../trial/row-store.ts';
import { createSpaceGuard, type SpaceGuard } from '../trial/space-guard.ts';
import { runTrial } from '../trial/trial.ts';
import type { KeptTable } from '../trial/trial-context.ts';
import { spread } from '../worker/clients.ts';
import { type Control, createControl, dropLimitOf } from '../worker/control.ts';
import { killWorkers } from '../worker/fork.ts';
import { loadHostVersion } from '../worker/load-host-version.ts';
import { emptyResult } from '../worker/merge-results.ts';
import type { Variables } from '../worker/targets.ts';
import { type Calibration, openCalibration } from './calibration.ts';
import { dropLeftovers } from './drop-leftovers.ts';
import { endNowMs, watchForEnd } from './end-now.ts';
import { environmentOf } from './environment.ts';
import { type HeldTables, holdTables, isMakerAlive, tablePrefixOf, tablesOf } from './leftovers.ts';
import { createProgress, type Progress } from './progress.ts';
import { createRunRecords, type RunRecords } from './run-records.ts';
import { restoreParameters, setParameters } from './server-parameters.ts';
import { sessionsLeft } from './sessions-left.ts';
import { removeStorageProbe } from './storage/probe-storage.ts';
import { storageOf } from './storage/storage-entries.ts';
import { createTargetControls, type TargetControls } from './target-controls.ts';
import { type DescribedTarget, targetRecord } from './target-record.ts';
import { createTrialQueue, type TrialQueue } from './trial-queue.ts';

export interface RunOutcome {
  /** stopped: the run file can no longer be written; the run can be resumed. */
  readonly status: 'complete' | 'cancelled' | 'stopped';
  readonly error: ErrorData | null;
  /** False if not even the first record could be written, so there is no run file. */
  readonly begun: boolean;
  /** Counts of the whole run, including the trials before it was resumed. */
  readonly failedTrials: number;
  /** The number of failed trials that a resumed run runs again. */
  readonly trialsToResume: number;
  readonly unreachableTargets: readonly string[];
  /** Targets whose server reported that it belongs to a production connection that nobody has confirmed. */
  readonly unconfirmedTargets: readonly string[];
}

interface RunEvents {
  readonly record: (record: JournalRecord) => void;
  readonly progress: (progress: RunProgress) => void;
}

/** One execution of an experiment, from the first record to the last. */
export interface Run {
  readonly id: string;
  readonly file: string;
  readonly plan: Plan;
  readonly progress: RunProgress;
  /** Runs to the end. May be called once. Never rejects. */
  start(): Promise<RunOutcome>;
  /** Takes effect after the running trial. */
  pause(paused: boolean): void;
  /** Stops statements at the servers, drops the tables, closes the run as cancelled. */
  cancel(): void;
  /** Stops the running trial and closes the run as complete, because the one who started it needs no more trials. */
  finish(reason: EndReason): void;
  /**
   * Cancels the run within two seconds, whatever the servers do: it kills workers that do not end, and tables that
   * cannot be dropped in this time stay recorded for the next run.
   */
  endNow(): void;
  /** Returns a function that removes the listener. */
  on<E extends keyof RunEvents>(event: E, listener: RunEvents[E]): () => void;
}

/** The start of a run: a new plan, or the content of an unfinished run's file. */
interface RunStart {
  readonly id: string;
  /** Marks the sessions and tables at the servers. A resumed run has another tag than before. */
  readonly tag: string;
  readonly plan: Plan;
  readonly yaml: string;
  readonly files: FoundFiles;
  readonly done: readonly TrialResult[];
  readonly targets: readonly TargetRecord[];
  readonly resumed: boolean;
}

/**
 * Decides after each complete round, from the run file, if no other round follows. Resolves to null if the run goes on.
 */
export type RoundJudge = (round: number) => Promise<EndReason | null>;

interface SchedulerOptions {
  /** The load hosts that the plan names. */
  readonly savedHosts: readonly SavedLoadHost[];
  readonly home: Home;
  /** Values of `${env:NAME}`. */
  readonly variables: Variables;
  /** Passwords of the targets' connections. */
  readonly passwords: Passwords;
  /** The plan's targets that the gate has accepted. */
  readonly trusted: readonly TrustedTarget[];
  readonly journal: Journal;
  /** Aborted when the run file can no longer be written. */
  readonly journalBroken: AbortSignal;
  readonly start: RunStart;
  readonly judgeRound?: RoundJudge | undefined;
}

export const createScheduler = (options: SchedulerOptions): Run => new RunScheduler(options);

const now = () => new Date().toISOString();
const connectToDropMs = 5_000;
const dropMs = 10_000;

const notGivenBack = (target: string, why: string): string =>
  `Parameters of ${target} that the run has changed were not given back: ${why} The next run there gives them back, and so does dyno clean ${target} --yes.`;

class RunScheduler implements Run {
  readonly id: string;
  readonly file: string;
  readonly plan: Plan;
  readonly #home: Home;
  /** The durations of earlier runs. */
  readonly #known: Durations;
  readonly #journal: Journal;
  readonly #started: RunStart;
  /** Marks the run's sessions and tables at the servers. */
  readonly #tag: string;
  readonly #tablePrefix: string;
  readonly #tables: HeldTables;
  readonly #cancelled = new AbortController();
  readonly #finished = new AbortController();
  /** The reason why no more trials are needed; null if finish() was not called. */
  #endReason: EndReason | null = null;
  readonly #signal: AbortSignal;
  readonly #records: RunRecords;
  readonly #queue: TrialQueue;
  readonly #progress: Progress;
  readonly #progressListeners = new Set<RunEvents['progress']>();
  readonly #controls: TargetControls;
  /** The tables that no trial could drop, by target. */
  readonly #tablesLeft = new Map<string, readonly string[]>();
  /** The reason why the server does not drop tables, by target. */
  readonly #tablesHeld = new Map<string, readonly string[]>();
  /** The parameters that the run has changed and not given back, as sentences by target. */
  readonly #parametersLeft = new Map<string, readonly string[]>();
  readonly #targets: Map<string, TargetRecord>;
  readonly #unreachable = new Map<Control, ErrorData>();
  /** Targets that could not be reached soon after the run was cancelled. */
  readonly #givenUp = new Set<Control>();
  readonly #loadHosts: OpenLoadHosts;
  readonly #rows: RowStore;
  readonly #judgeRound: RoundJudge | undefined;
  #begun: boolean;
  /** The deadline of an immediate end, by performance.now(); null if it was not requested. */
  #endsAtMs: number | null = null;
  #killTimers: readonly NodeJS.Timeout[] = [];
  /** The reason why the run ended itself; null if it did not. */
  #halted: string | null = null;
  readonly #space: SpaceGuard;
  /** Resolves when the workers of the next trial, which were forked during the verification, are ready. */
  #workersAhead: Promise<void> = Promise.resolve();

  constructor(options: SchedulerOptions) {
    const { home, savedHosts, journal, journalBroken, start } = options;
    const { id, plan } = start;
    this.id = id;
    this.file = journal.file;
    this.plan = plan;
    this.#home = home;
    this.#journal = journal;
    this.#started = start;
    this.#judgeRound = options.judgeRound;
    this.#tag = start.tag;
    this.#tablePrefix = tablePrefixOf(start.tag);
    this.#tables = holdTables(home, start.tag);
    this.#signal = AbortSignal.any([this.#cancelled.signal, this.#finished.signal, journalBroken]);
    this.#records = createRunRecords(journal);
    this.#queue = createTrialQueue(plan, start.done);
    this.#known = readDurations(home);
    const before = { known: this.#known, done: start.done.length };
    this.#progress = createProgress(id, plan, before, this.#queue.expected, (state) => {
      for (const listener of this.#progressListeners) listener(state);
    });
    this.#targets = new Map(start.targets.map((target) => [target.name, target]));
    this.#controls = createTargetControls(plan, (planned, instance) => this.#createControl(planned, instance, options));
    const { leastFreeMib = usualLeastFreeMib } = plan.measure;
    this.#space = createSpaceGuard(leastFreeMib * 2 ** 20, (reason) => this.#halt(reason));
    this.#loadHosts = openLoadHosts({
      saved: savedHosts,
      engines: [...new Set(plan.targets.map(({ engine }) => engine))],
      keys: () => storedKeys(home, 'coordinator'),
      version: loadHostVersion,
      folder: home.state,
      onStep: (step, name) => this.#progress.activity(openingText[step](name)),
    });
    this.#rows = openRowStore(home, start.tag, start.files);
    this.#begun = start.resumed;
  }

  /** Ends the run as cancelled, with its own reason. */
  #halt(reason: string): void {
    if (this.#halted !== null || this.#signal.aborted) return;
    this.#halted = reason;
    this.#records.write({ record: 'halted', at: now(), reason });
    this.#cancelled.abort(new DynoError('cancelled', reason));
  }

  get progress(): RunProgress {
    return this.#progress.state;
  }

  async start(): Promise<RunOutcome> {
    let error: ErrorData | null = null;
    using _ = watchForEnd(this.#home, () => this.endNow());
    try {
      // 1. Write to the run file what is run, or that the run continues.
      await this.#begin();
      // 2. Measure the ceilings of this machine, and describe each target.
      await this.#calibrateAndCheckTargets();
      // 3. Run trial by trial, until none is left or the rounds are enough.
      await this.#runTrials();
    } catch (thrown) {
      if (!this.#signal.aborted) error = toErrorData(thrown);
    }
    // 4. Remove everything of the run from the servers, however it went.
    this.#progress.activity('Cleaning up');
    await this.#cleanUp().catch(() => {});
    this.#rows[Symbol.dispose]();
    this.#tables[Symbol.dispose]();
    // The next run of this process forks its own workers.
    for (const timer of this.#killTimers) clearTimeout(timer);
    // 5. Write the last record.
    return this.#finish(this.#journal.broken?.data ?? error);
  }

  pause(paused: boolean): void {
    this.#progress.pause(paused);
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  finish(reason: EndReason): void {
    if (this.#signal.aborted) return;
    this.#endReason = reason;
    this.#finished.abort(new DynoError('cancelled', 'No more trials are needed.'));
  }

  endNow(): void {
    if (this.#endsAtMs !== null) return;
    this.#endsAtMs = performance.now() + endNowMs;
    this.cancel();
    // Clients that wait for a silent server end first, because the control connections of the others still drop tables.
    this.#killTimers = [
      setTimeout(() => void killWorkers('client'), endNowMs * 0.4),
      setTimeout(() => void killWorkers(), endNowMs * 0.9),
    ];
  }

  on<E extends keyof RunEvents>(event: E, listener: RunEvents[E]): () => void {
    if (event === 'record') return this.#records.onRecord(listener as RunEvents['record']);
    this.#progressListeners.add(listener as RunEvents['progress']);
    return () => this.#progressListeners.delete(listener as RunEvents['progress']);
  }

  async #begin(): Promise<void> {
    const { id, plan, yaml, files, resumed } = this.#started;
    await this.#records.commit(
      resumed
        ? { record: 'resumed', at: now(), tag: this.#tag }
        : {
            record: 'header',
            version: journalVersion,
            runId: id,
            at: now(),
            yaml,
            plan,
            environment: environmentOf(),
            ...(files.files.length > 0 && { files }),
          },
    );
    this.#begun = true;
  }

  async #calibrateAndCheckTargets(): Promise<void> {
    const { dataset } = this.plan.experiment;
    const calibration = openCalibration(this.#home);
    this.#progress.activity('Calibrating this machine');
    const needed = this.#controls.needed(this.#queue.expected);
    const entries = [
      ...(await calibration.noopEngine(this.#signal)),
      // The rows of a file are not at hand before the first trial.
      ...(Object.keys(dataset.columns).length > 0 && dataset.from === undefined
        ? await calibration.generation(dataset, this.#signal)
        : []),
    ];
    // Before the servers start, because they write their new data.
    const storage = await this.#measureStorage(calibration, needed);
    await deleteOwnServers(this.#home, (tag) => isMakerAlive(this.#home, tag));
    const stored: DescribedTarget[] = [];
    for (const [name, controls] of Map.groupBy(needed, ({ planned }) => planned.name)) {
      let described: TargetRecord | null = null;
      for (const control of controls) {
        this.#signal.throwIfAborted();
        // Servers of one target differ only in their parameters, which the results of trials contain.
        if (described?.error === null) {
          await this.#startOther(control);
          continue;
        }
        const found = await targetRecord(control, this.#signal);
        const { record, place, roundTrip } = found;
        described = record;
        stored.push(found);
        if (record.error) {
          this.#unreachable.set(control, record.error);
          continue;
        }
        if (roundTrip) entries.push(roundTrip);
        if (control.isOwn) continue;
        await dropLeftovers(this.#home, control, place, this.#signal, this.#progress.activity);
        this.#tables.note(place);
      }
      if (!described) continue;
      await this.#records.commit({ record: 'target', at: now(), target: described });
      this.#targets.set(name, described);
    }
    entries.push(...storageOf(storage, this.#home, stored));
    await this.#records.commit({ record: 'calibration', at: now(), entries });
  }

  /**
   * The disk with the files of built-in targets. A run needs no figures of it: without them, no finding refers to the
   * disk.
   */
  async #measureStorage(calibration: Calibration, needed: readonly Control[]): Promise<readonly CalibrationEntry[]> {
    const isNeeded = needed.some(({ isBuiltIn, descriptor }) => isBuiltIn && !descriptor.reference);
    try {
      removeStorageProbe(this.#home);
      return isNeeded ? await calibration.storage(this.#signal) : [];
    } catch (thrown) {
      this.#signal.throwIfAborted();
      this.#progress.activity(errorText(toErrorData(thrown)));
      return [];
    }
  }

  /** Starts a further server of a target, so that no trial contains its start. */
  async #startOther(control: Control): Promise<void> {
    try {
      await control.connect(this.#signal);
    } catch (thrown) {
      if (this.#signal.aborted) throw thrown;
      this.#unreachable.set(control, toErrorData(thrown));
    }
  }

  async #runTrials(): Promise<void> {
    const kept = new Map<Control, KeptTable>();
    for (let trial = this.#queue.next; trial !== null; trial = this.#queue.next) {
      if (this.#progress.state.paused) await this.#restoreForPause();
      await this.#progress.whilePaused(this.#signal);
      // These processes must not need the processor while this trial measures.
      await this.#workersAhead;
      if (this.#signal.aborted) return;
      const result = await this.#runOne(trial, kept);
      this.#queue.finish(result);
      await this.#records.commit({ record: 'result', at: now(), result });
      this.#progress.finished(trial, result, this.#queue.expected);
      if (trial.repeat !== this.#queue.next?.repeat && (await this.#endsAfterRound(trial.repeat))) return;
    }
  }

  /** `kept`: the table that the previous trial has left for this one, by server. */
  async #runOne(trial: PlannedTrial, kept: Map<Control, KeptTable>): Promise<TrialResult> {
    const control = this.#controls.of(trial.target, trial.variant);
    const variant = variantOf(this.plan, trial.variant);
    if (!control || !variant) throw new DynoError('internal', `Trial ${trial.number} is not in the plan.`);
    this.#records.write({ record: 'trial', at: now(), trial });
    this.#progress.began(trial, variant);
    const unreachable = this.#unreachable.get(control);
    if (unreachable) return { ...emptyResult, ...trial, status: 'failed', error: unreachable };
    const before = this.#queue.unsupportedBefore(trial);
    if (before) return { ...before, ...trial };
    const following = this.#queue.variantsAfter(trial);
    const outcome = await runTrial({
      plan: this.plan,
      trial,
      variant,
      control,
      setServer: (one, signal) => this.#setServer(one, trial.variant, signal),
      sourceControl: this.#controls.of(copySource(variant) ?? '', trial.variant) ?? null,
      tablePrefix: this.#tablePrefix,
      tag: `dyno-${this.#tag}`,
      files: this.#started.files,
      rows: this.#rows,
      kept: kept.get(control) ?? null,
      loadHosts: this.#loadHosts,
      keepTable: following.length > 0 && following.every((one) => canShareTable(this.plan, variant, one, trial.target)),
      space: this.#space,
      signal: this.#signal,
      write: this.#records.write,
      onActivity: this.#progress.activity,
      onTableLeft: (target, table) => {
        this.#tablesLeft.set(target, [...(this.#tablesLeft.get(target) ?? []), table]);
      },
      onMeasured: () => {
        this.#workersAhead = this.#forkAfter(trial);
      },
    });
    if (outcome.kept) kept.set(control, outcome.kept);
    else kept.delete(control);
    return outcome.result;
  }

  async #setServer(control: Control, variant: string, signal: AbortSignal) {
    const set = this.#controls.setOf(control.planned.name, variant);
    if (!set) return null;
    if (!control.isOwn) await setParameters(this.#home, this.#tables, control, set, signal);
    return control.readParameters(set.asked, signal);
  }

  /** Forks the client workers that the trial after this one is expected to have on this machine. */
  async #forkAfter({ number }: PlannedTrial): Promise<void> {
    const after = this.#queue.expected.find((trial) => trial.number !== number);
    const settings = after && variantOf(this.plan, after.variant)?.settings;
    const engine = after && this.plan.targets.find(({ name }) => name === after.target)?.engine;
    if (!settings || !engine || settings.loadFrom !== defaultSettings.loadFrom) return;
    await forkAhead(spread(settings.connections, settings.processes).length, engine);
  }

  /**
   * True if the finished round was the last one, because the results are precise enough or because no round is left.
   */
  async #endsAfterRound(round: number): Promise<boolean> {
    const judged = await this.#judgeRound?.(round);
    if (judged != null) {
      this.finish(judged);
      return true;
    }
    const precision = this.#queue.judgeRounds([...this.#targets.values()]);
    if (!precision) return false;
    this.#progress.precision(precision);
    const reason = this.#queue.enough;
    if (reason === null) return false;
    this.#progress.enough(precision.round);
    await this.#records.commit({ record: 'enough', at: now(), reason, precision });
    return true;
  }

  /**
   * Drops the remaining tables, including those kept for a trial that did not run, and looks for left sessions. Its
   * time is limited, because a server may be gone.
   */
  async #cleanUp(): Promise<void> {
    const controls = this.#controls.all;
    // Servers of this run's own are deleted with everything on them.
    const reachable = controls.filter((control) => !control.isOwn && !this.#unreachable.has(control));
    await Promise.allSettled([this.#loadHosts[Symbol.asyncDispose]()]);
    if (this.#tables.areNoted) {
      // The targets follow one another, because they may share a server. In an immediate end, a silent server must not
      // delay the others.
      if (this.#endsAtMs === null) for (const control of reachable) await this.#dropTables(control);
      else await Promise.all(reachable.map((control) => this.#dropTables(control)));
    }
    for (const control of reachable)
      if (this.#targets.has(control.planned.name)) await this.#findSessions(control, controls);
    await Promise.all([endSpareWorkers(), ...controls.map((control) => control[Symbol.asyncDispose]())]);
  }

  /** The deadline for cleaning up; an immediate end makes it earlier. */
  #within(ms: number): AbortSignal {
    const left = this.#endsAtMs === null ? ms : Math.max(1, this.#endsAtMs - performance.now());
    return AbortSignal.timeout(Math.ceil(Math.min(ms, left)));
  }

  /**
   * True if no time is left for a server: the immediate end is over, or the run was cancelled and the server did not
   * answer then.
   */
  #isLate(control: Control): boolean {
    if (this.#endsAtMs !== null && performance.now() >= this.#endsAtMs) return true;
    return this.#givenUp.has(control) || (control.isSilent && this.#cancelled.signal.aborted);
  }

  /**
   * Records the sessions and tables that the run has left on a server. `all`: targets of one engine may be one server.
   */
  async #findSessions(control: Control, all: readonly Control[]): Promise<void> {
    if (control.descriptor.inProcess || control.descriptor.reference) return;
    const others = all.filter((one) => one !== control && one.planned.engine === control.planned.engine);
    await Promise.all(others.map((one) => one[Symbol.asyncDispose]()));
    const left = this.#isLate(control)
      ? null
      : await sessionsLeft(control, `dyno-${this.#tag}`, this.#within(connectToDropMs)).catch(() => null);
    const { name } = control.planned;
    const tables = this.#tablesLeft.get(name);
    const held = this.#tablesHeld.get(name);
    const parameters = this.#parametersLeft.get(name) ?? this.#unansweredParameters(control);
    const more = { ...(tables && { tables }), ...(held && { held }), ...(parameters && { parameters }) };
    this.#records.write({ record: 'sessions', at: now(), target: name, left, ...more });
  }

  /** After a cancel, Dyno does not wait again for a server that cannot be reached soon. */
  async #connectToDrop(control: Control): Promise<string> {
    const limits = [this.#within(connectToDropMs), dropLimitOf(this.#cancelled.signal, connectToDropMs)];
    try {
      return (await control.connect(AbortSignal.any(limits))).place;
    } catch (thrown) {
      if (this.#cancelled.signal.aborted) this.#givenUp.add(control);
      throw thrown;
    }
  }

  async #dropTables(control: Control): Promise<void> {
    if (this.#isLate(control)) return;
    try {
      const place = await this.#connectToDrop(control);
      await this.#restoreParameters(control, place);
      const { kept } = await control.ask(
        { call: 'dropLeftovers', namePrefix: this.#tablePrefix },
        this.#within(dropMs),
      );
      this.#tablesLeft.delete(control.planned.name);
      if (kept.length === 0) this.#tables.forget(place);
      else
        this.#tablesHeld.set(
          control.planned.name,
          kept.map(({ why }) => why),
        );
    } catch {
      // The leftovers are recorded; the next run on this server drops them.
    }
  }

  /** A pause may last for days: the other users of a server have its own parameters meanwhile. */
  async #restoreForPause(): Promise<void> {
    const changed = this.#controls.all.filter(({ planned }) => planned.changesServer);
    for (const control of changed) {
      try {
        const { place } = await control.connect(this.#within(connectToDropMs));
        await this.#restoreParameters(control, place);
      } catch {
        // The values stay recorded; the end of the run gives them back.
      }
    }
  }

  /** Parameters that cannot be given back stay recorded, as tables do. */
  async #restoreParameters(control: Control, place: string): Promise<void> {
    const { name } = control.planned;
    try {
      const { given, stay } = await restoreParameters(this.#home, this.#tag, control, place, this.#within(dropMs));
      if (stay.length > 0) this.#parametersLeft.set(name, stay);
      else if (given.length > 0) this.#parametersLeft.delete(name);
    } catch (thrown) {
      this.#parametersLeft.set(name, [notGivenBack(name, toErrorData(thrown).message)]);
    }
  }

  #unansweredParameters({ planned: { name, changesServer } }: Control): readonly string[] | undefined {
    const isLeft = changesServer && tablesOf(this.#home, this.#tag)?.parameters !== undefined;
    return isLeft ? [notGivenBack(name, 'the server did not answer.')] : undefined;
  }

  async #finish(before: ErrorData | null): Promise<RunOutcome> {
    const { results, enough, next } = this.#queue;
    const isCancelled = this.#cancelled.signal.aborted && this.#endReason === null && enough === null && next !== null;
    const end = isCancelled ? 'cancelled' : 'complete';
    const error = before ?? (await this.#commitEnd(end));
    const status = error ? 'stopped' : end;
    await this.#journal.close();
    this.#remember(status);
    if (!this.#begun) rmSync(this.file, { force: true });
    const activities = {
      complete: 'Finished',
      cancelled: this.#halted ?? 'Cancelled',
      stopped: `Stopped: ${error?.message}`,
    };
    this.#progress.ended(activities[status]);
    const isUnconfirmed = (error: ErrorData | null) => error?.kind === 'notConfirmed';
    const unreachable = [...this.#targets.values()].flatMap(({ name, error: why }) =>
      why && this.#controls.all.some((one) => one.planned.name === name && this.#unreachable.has(one))
        ? [[name, why] as const]
        : [],
    );
    return {
      status,
      error,
      begun: this.#begun,
      failedTrials: results.filter((one) => one.status !== 'ok' && one.status !== 'cannot').length,
      trialsToResume: results.filter((one) => !isDone(one)).length,
      unreachableTargets: unreachable.flatMap(([name, why]) => (isUnconfirmed(why) ? [] : [name])),
      unconfirmedTargets: [
        ...new Set([
          ...unreachable.flatMap(([name, why]) => (isUnconfirmed(why) ? [name] : [])),
          ...results.flatMap((one) => (isUnconfirmed(one.error) ? [one.target] : [])),
        ]),
      ],
    };
  }

  /** Keeps the durations of this run for the estimates of the next one. */
  #remember(status: RunOutcome['status']): void {
    const { finished, startSeconds } = this.#progress.times();
    if (finished.length === 0) return;
    const { results, enough } = this.#queue;
    // The first run of a home also calibrates the machine, and a resumed run has fewer trials beside its start.
    const isTypical = status === 'complete' && !this.#known.isEmpty && !this.#started.resumed;
    const rounds = status === 'complete' && enough !== null ? Math.max(...finished.map(({ repeat }) => repeat)) : null;
    rememberDurations(this.#home, durationsOf(this.plan, finished, results, isTypical ? startSeconds : null, rounds));
  }

  /**
   * Writes the last record, without which the run counts as interrupted. Resolves with the reason why it could not be
   * written, or null.
   */
  async #commitEnd(status: 'complete' | 'cancelled'): Promise<ErrorData | null> {
    try {
      const { round, enough, next } = this.#queue;
      // The budget may also end after the last trial, while the run cleans up: then it has ended nothing.
      if (this.#endReason !== null && enough === null && next !== null) {
        this.#progress.enough(round);
        await this.#records.commit({ record: 'enough', at: now(), reason: this.#endReason, round });
      }
      await this.#records.commit({ record: 'end', at: now(), status });
      return null;
    } catch (thrown) {
      return toErrorData(thrown);
    }
  }

  #createControl(
    planned: PlannedTarget,
    instance: ServerInstance | null,
    { home, trusted, variables, passwords }: SchedulerOptions,
  ): Control {
    const target = trusted.find(({ name }) => name === planned.name);
    if (!target) throw new DynoError('internal', `Target ${planned.name} is not in the experiment.`);
    return createControl({
      ...{ target, planned, home, variables, passwords },
      tag: `dyno-${this.#tag}`,
      ...(instance && { own: { tag: this.#tag, parameters: instance.parameters } }),
      onActivity: this.#progress.activity,
      onProgress: (phase, rows, of, what) => {
        const part = of > 0 ? `${Math.floor((rows / of) * 100)} %` : rows;
        this.#progress.activity(`${planned.name}: ${[phase, what].filter(Boolean).join(' ')} ${part}`);
      },
    });
  }
}
