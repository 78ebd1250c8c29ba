import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Connection, Passwords } from '#contract/connections.ts';
import { copySource } from '#contract/copy-source.ts';
import { DynoError, type ErrorData, toErrorData } from '#contract/error.ts';
import type { RunProgress } from '#contract/ipc.ts';
import {
  type EnoughReason,
  type FoundFiles,
  type JournalRecord,
  journalVersion,
  type TargetRecord,
} from '#contract/journal.ts';
import type { TrialResult } from '#contract/measurement.ts';
import type { Plan, PlannedTrial, Variant } from '#contract/plan.ts';
import { variantOf } from '#contract/variant-of.ts';
import { whetherEnough } from '../analysis/precision.ts';
import { whatFollows } from '../analysis/search.ts';
import { openCalibration } from './calibration.ts';
import { connectionsIn, requirePasswords } from './connection-passwords.ts';
import { openConnectionStore } from './connections.ts';
import { type Control, createControl } from './control.ts';
import { dropLeftovers } from './drop-leftovers.ts';
import { describeEnvironment } from './environment.ts';
import { type Journal, openJournal } from './journal.ts';
import { runFile, runLockFile } from './journal-file.ts';
import { forgetTables, noteTables, tablesOf } from './leftovers.ts';
import { findListFiles, requireListFiles } from './list-files.ts';
import { emptyResult } from './merge-results.ts';
import { ensureHome, type Home } from './paths.ts';
import { requirePlan } from './plan-experiment.ts';
import { createProgress } from './progress.ts';
import { isDone, readUnfinished } from './resume.ts';
import { checkTarget } from './target-record.ts';
import { catalogEntry, type Reachable, type Variables } from './targets.ts';
import { canShareTable, type KeptTable, runTrial } from './trial.ts';

export interface RunOptions {
  readonly home: Home;
  /** For `${env:NAME}`; process.env by default. */
  readonly variables?: Variables;
  /** Of the connections that the experiment names, as far as the environment does not have them. */
  readonly passwords?: Passwords;
}

export interface RunOutcome {
  /** stopped: the run file could not be written any more; it can be resumed. */
  readonly status: 'complete' | 'cancelled' | 'stopped';
  readonly error: ErrorData | null;
  /** False: not even its first record could be written, and there is no run file. */
  readonly begun: boolean;
  /** Over the whole run, with those from before it was resumed. */
  readonly failedTrials: number;
  /** How many of them a resumed run runs again. */
  readonly trialsToResume: number;
  readonly unreachableTargets: readonly string[];
}

export interface RunEvents {
  readonly record: (record: JournalRecord) => void;
  readonly progress: (progress: RunProgress) => void;
}

/** One execution of an experiment, from planning to the last record. */
export interface Run {
  readonly id: string;
  readonly file: string;
  readonly plan: Plan;
  readonly progress: RunProgress;
  /** Runs to the end. Call once. Never rejects. */
  start(): Promise<RunOutcome>;
  /** Takes effect after the trial that runs now. */
  pause(paused: boolean): void;
  /** Stops statements at the servers, drops the tables, closes the run as cancelled. */
  cancel(): void;
  on<E extends keyof RunEvents>(event: E, listener: RunEvents[E]): () => void;
}

/** Plans a run and opens its file. Throws 'badInput' with the problems of the experiment, or why the file cannot be made. */
export async function createRun(
  options: RunOptions & {
    readonly yaml: string;
    readonly file?: string;
    /** Of the experiment: CSV files that parameters are drawn from are in it. Default: the home's experiments. */
    readonly folder?: string;
  },
): Promise<Run> {
  const { connections } = openConnectionStore(options.home).list();
  const plan = requirePlan(options.yaml, connections);
  const reachable = reach(plan, connections, options);
  ensureHome(options.home);
  const files = findListFiles(options.folder ?? options.home.experiments, plan.experiment);
  const id = newRunId();
  const file = resolve(options.file ?? runFile(options.home, id));
  const stop = new AbortController();
  const journal = await openJournal(options.home, file, 'create', () => stop.abort());
  return build(options, reachable, journal, stop, {
    id,
    plan,
    yaml: options.yaml,
    files,
    done: [],
    targets: [],
    resumed: false,
  });
}

/** Goes on with a run: all trials that have no result yet, or failed for reasons that say nothing of the experiment (mayGoOtherwise). */
export async function resumeRun(options: RunOptions & { readonly file: string }): Promise<Run> {
  ensureHome(options.home);
  const file = resolve(options.file);
  const stop = new AbortController();
  const journal = await openJournal(options.home, file, 'resume', () => stop.abort());
  try {
    const { connections } = openConnectionStore(options.home).list();
    const unfinished = await readUnfinished(file, connections);
    const reachable = reach(unfinished.plan, connections, options);
    requireListFiles(unfinished.files);
    return build(options, reachable, journal, stop, { ...unfinished, resumed: true });
  } catch (thrown) {
    await journal.close();
    throw thrown;
  }
}

interface Start {
  readonly id: string;
  readonly plan: Plan;
  readonly yaml: string;
  readonly files: FoundFiles;
  readonly done: readonly TrialResult[];
  readonly targets: readonly TargetRecord[];
  readonly resumed: boolean;
}

/** The connections of the plan as they are now. Throws 'badInput' where one has no password: better now than in the middle of the run. */
function reach(
  plan: Plan,
  all: readonly Connection[],
  { variables = process.env, passwords = {} }: RunOptions,
): Reachable {
  const connections = connectionsIn(plan.experiment.targets, all);
  requirePasswords(connections, passwords, variables);
  return { connections, passwords };
}

/** Sorts by time; the last part is the run's tag at the servers. */
function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomBytes(4).toString('hex')}`;
}

/** `stop` is aborted when the run file cannot be written any more. */
function build(
  { home, variables = process.env }: RunOptions,
  reachable: Reachable,
  journal: Journal,
  stop: AbortController,
  start: Start,
): Run {
  const { id, plan } = start;
  const tag = id.split('-').at(-1) ?? id;
  const tablePrefix = `dyno_${tag}_`;
  const listeners = { record: new Set<RunEvents['record']>(), progress: new Set<RunEvents['progress']>() };
  const cancelled = new AbortController();
  const signal = AbortSignal.any([cancelled.signal, stop.signal]);
  const done = new Map(start.done.map((one) => [one.number, one]));
  const unreachable = new Map<string, ErrorData>();
  const found = new Map(start.targets.map((target) => [target.name, target]));
  /** Why no more rounds are needed, where they may vary. */
  let enough: EnoughReason | null = null;
  let ahead = whatFollows(plan, start.done);
  const progress = createProgress(id, plan, done.size, ahead.expected, (state) => {
    for (const listener of listeners.progress) listener(state);
  });

  const now = () => new Date().toISOString();
  const announce = (record: JournalRecord) => {
    // A copy: who begins to listen because of this record has not missed it.
    for (const listener of [...listeners.record]) listener(record);
  };
  const write = (record: JournalRecord) => {
    journal.append(record);
    announce(record);
  };
  /** Announced when it is safe on the disk: a result that somebody has seen is not lost. Nothing else is written meanwhile. */
  const commit = async (record: JournalRecord): Promise<void> => {
    await journal.commit(record);
    announce(record);
  };

  const controls = new Map<string, Control>(
    plan.targets.map((planned) => [
      planned.name,
      createControl({
        planned,
        descriptor: catalogEntry(planned.engine).descriptor,
        experiment: plan.experiment,
        home,
        variables,
        reachable,
        tag: `dyno-${tag}`,
        onActivity: progress.activity,
        onProgress: (phase, rows, of, what) =>
          progress.activity(
            `${planned.name}: ${[phase, what].filter(Boolean).join(' ')} ${of > 0 ? `${Math.floor((rows / of) * 100)} %` : rows}`,
          ),
      }),
    ]),
  );

  let begun = start.resumed;

  async function begin(): Promise<void> {
    const record: JournalRecord = start.resumed
      ? { record: 'resumed', at: now() }
      : {
          record: 'header',
          version: journalVersion,
          runId: id,
          at: now(),
          yaml: start.yaml,
          plan,
          environment: describeEnvironment(),
          ...(start.files.files.length > 0 && { files: start.files }),
        };
    await commit(record);
    begun = true;
  }

  /** Finds out what the targets are, cleans up after crashed runs, measures ceilings. */
  async function examine(): Promise<void> {
    const calibration = openCalibration(home);
    progress.activity('Calibrating this machine');
    const entries = [
      await calibration.nullEngine(signal),
      ...(Object.keys(plan.experiment.dataset.columns).length > 0
        ? [await calibration.generation(plan.experiment.dataset, signal)]
        : []),
    ];
    const needed = new Set(
      ahead.expected.flatMap((trial) => [trial.target, copySource(variantOf(plan, trial.variant)) ?? trial.target]),
    );
    for (const control of controls.values()) {
      if (!needed.has(control.planned.name)) continue;
      signal.throwIfAborted();
      const examined = await checkTarget(control, calibration, signal);
      await commit({ record: 'target', at: now(), target: examined.record });
      found.set(control.planned.name, examined.record);
      if (examined.record.error) unreachable.set(control.planned.name, examined.record.error);
      else {
        if (examined.roundTrip) entries.push(examined.roundTrip);
        await dropLeftovers(home, tag, control, examined.place, signal, progress.activity);
        noteTables(home, tag, tablePrefix, runLockFile(home, journal.file), [examined.place]);
      }
    }
    await commit({ record: 'calibration', at: now(), entries });
  }

  async function runTrials(): Promise<void> {
    const kept = new Map<string, KeptTable>();
    while (ahead.next !== null) {
      await progress.whilePaused(signal);
      if (signal.aborted) return;
      const trial = ahead.next;
      const result = await runOne(trial, kept);
      // A trial that was cancelled with the run is not done: a resumed run repeats it.
      if (result.status !== 'cancelled') done.set(trial.number, result);
      ahead = whatFollows(plan, [...done.values()]);
      await commit({ record: 'result', at: now(), result });
      progress.finished(trial, ahead.expected);
      if (trial.repeat !== ahead.next?.repeat && (await endsAfterRound())) return;
    }
  }

  /** What the next trial on a target may be of: of the plan's order one, of a search any. */
  function mayFollow({ number, target }: PlannedTrial): readonly Variant[] {
    const left = (plan.measure.search ? plan.trials : ahead.expected).filter(
      (one) => one.target === target && one.number !== number && !done.has(one.number),
    );
    const next = plan.measure.search ? left : left.slice(0, 1);
    return [...new Set(next.map(({ variant }) => variant))].flatMap((one) => variantOf(plan, one) ?? []);
  }

  /** A round is over: whether it was the last, either because it says enough or because there are no more. */
  async function endsAfterRound(): Promise<boolean> {
    const standing = whetherEnough({ plan, targets: [...found.values()], results: [...done.values()] });
    if (!standing) return false;
    const { precision, reason } = standing;
    progress.precision(precision);
    if (reason === null) return false;
    enough = reason;
    progress.enough(precision.round);
    await commit({ record: 'enough', at: now(), reason, precision });
    return true;
  }

  async function runOne(trial: PlannedTrial, kept: Map<string, KeptTable>): Promise<TrialResult> {
    const control = controls.get(trial.target);
    const variant = variantOf(plan, trial.variant);
    if (!control || !variant) throw new DynoError('internal', `Trial ${trial.number} is not in the plan.`);
    write({ record: 'trial', at: now(), trial });
    progress.began(trial, variant);
    const gone = unreachable.get(trial.target);
    if (gone) return { ...emptyResult, ...trial, status: 'failed', error: gone };
    // What the server cannot do it cannot do again.
    const before = [...done.values()].find(
      (one) => one.status === 'cannot' && one.target === trial.target && one.variant === trial.variant,
    );
    if (before) return { ...before, ...trial };
    const next = mayFollow(trial);
    const outcome = await runTrial({
      plan,
      trial,
      variant,
      control,
      sourceControl: controls.get(copySource(variant) ?? '') ?? null,
      tablePrefix,
      tag: `dyno-${tag}`,
      files: start.files,
      kept: kept.get(trial.target) ?? null,
      keepTable: next.length > 0 && next.every((one) => canShareTable(variant, one)),
      signal,
      write,
      onActivity: progress.activity,
    });
    if (outcome.kept) kept.set(trial.target, outcome.kept);
    else kept.delete(trial.target);
    return outcome.result;
  }

  /** Whatever is still there goes: also tables kept for a trial that did not come. Bounded, because the server may be gone. */
  async function leave(): Promise<void> {
    const left = tablesOf(home, tag);
    for (const control of controls.values()) {
      if (unreachable.has(control.planned.name) || !left) continue;
      try {
        const target = await control.connect(AbortSignal.timeout(5_000));
        await control.ask({ call: 'dropLeftovers', namePrefix: tablePrefix }, AbortSignal.timeout(10_000));
        const mine = tablesOf(home, tag);
        if (mine) forgetTables(mine, [target.place]);
      } catch {
        // Noted in the leftovers: the next run on this server drops them.
      }
    }
    await Promise.all([...controls.values()].map((control) => control[Symbol.asyncDispose]()));
  }

  async function execute(): Promise<RunOutcome> {
    let error: ErrorData | null = null;
    try {
      await begin();
      await examine();
      await runTrials();
    } catch (thrown) {
      if (!signal.aborted) error = toErrorData(thrown);
    }
    progress.activity('Cleaning up');
    await leave().catch(() => {});
    return finish(journal.broken?.data ?? error);
  }

  async function finish(error: ErrorData | null): Promise<RunOutcome> {
    const status = error
      ? 'stopped'
      : cancelled.signal.aborted && enough === null && ahead.next !== null
        ? 'cancelled'
        : 'complete';
    if (status !== 'stopped') await commit({ record: 'end', at: now(), status }).catch(() => {});
    await journal.close();
    if (!begun) rmSync(journal.file, { force: true });
    progress.ended(
      status === 'complete' ? 'Finished' : status === 'cancelled' ? 'Cancelled' : `Stopped: ${error?.message}`,
    );
    const results = [...done.values()];
    return {
      status,
      error,
      begun,
      failedTrials: results.filter((one) => one.status !== 'ok' && one.status !== 'cannot').length,
      trialsToResume: results.filter((one) => !isDone(one)).length,
      unreachableTargets: [...unreachable.keys()],
    };
  }

  return {
    id,
    file: journal.file,
    plan,
    get progress() {
      return progress.state;
    },
    start: execute,
    pause: progress.pause,
    cancel: () => cancelled.abort(),
    on(event, listener) {
      const set = listeners[event] as Set<typeof listener>;
      set.add(listener);
      return () => set.delete(listener);
    },
  };
}
