import { assertNever, DynoError } from '#model/error.ts';
import { type SearchSummary, summariseSearches } from '#planning/search/search.ts';
import type { Advice } from '#protocol/advice.ts';
import type { DamagedLine } from '#protocol/journal.ts';
import { type JournalEntry, type JournalRecord, journalVersion, type TargetRecord } from '#protocol/journal.ts';
import type { CalibrationEntry, TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial, SkippedCell } from '#protocol/plan.ts';
import { findCaveats } from '../caveats/find-caveats.ts';
import { noDamage, withDamage } from '../run-model/file-damage.ts';
import { lastRound } from '../run-model/last-round.ts';
import type { Caveat, CellSummary, Damage, Enough, RunModel, TrialView } from '../run-model/run-model.ts';
import { CellCache } from './cell-cache.ts';
import { createRunClock, type RunClock } from './run-clock.ts';
import { KeptLatencies } from './series.ts';
import { TrialState } from './trial-state.ts';

/**
 * Turns a journal into a RunModel, record by record. Keeps merged per-second series and one encoded histogram per trial
 * and cell, no snapshots, so that a 1 GB journal needs a few MB.
 */
interface RunReader {
  /** True once a header was read: model() can be called. */
  readonly started: boolean;
  /** Throws DynoError('badInput') for a journal of a newer version, or one that does not begin with a header. */
  add(entry: JournalEntry): void;
  /**
   * The run so far. The method is cheap enough for several calls per second, and unchanged parts stay the same objects.
   * `live`: a process is writing the journal, so a missing end means running, not interrupted.
   */
  model(options?: { readonly live?: boolean }): RunModel;
  /**
   * Merges the latencies of seconds that nobody has read, as long as `goesOn` returns true, so that the first read is
   * fast. Returns true if some are left.
   */
  mergeLatencies(goesOn: () => boolean): boolean;
}

export function createRunReader(): RunReader {
  let run: RunState | null = null;
  return {
    get started() {
      return run !== null;
    },
    add(entry) {
      if (entry.record === 'header') run = new RunState(checkedHeader(entry));
      else if (run === null)
        throw new DynoError('badInput', 'The file is not a run: it does not begin with the header of a run journal.');
      else run.add(entry);
    },
    model({ live = false } = {}) {
      if (run === null) throw new DynoError('badInput', 'The run has no header yet: nothing is known about it.');
      return run.model(live);
    },
    mergeLatencies: (goesOn) => run?.mergeLatencies(goesOn) ?? false,
  };
}

type Header = Extract<JournalRecord, { record: 'header' }>;
type End = Extract<JournalRecord, { record: 'end' }>;

function checkedHeader(header: Header): Header {
  if (header.version !== journalVersion)
    throw new DynoError('badInput', `This run was made by another version of Dyno (its format is ${header.version}).`, {
      hint: 'Open it with the version that made it, or run the experiment in it again.',
    });
  return header;
}

/** The accumulated state of the records of one journal. */
class RunState {
  readonly #header: Header;
  readonly #clock: RunClock;
  readonly #trials: ReadonlyMap<number, TrialState>;
  readonly #cells: CellCache;
  readonly #latencies = new KeptLatencies();
  /** Started trials in their order: a search chooses its trials one by one. */
  readonly #begun = new Set<number>();
  /** The current trial of the journal. */
  #current: number | null = null;
  #end: End | null = null;
  #enough: Enough | null = null;
  /** Sessions left at each target's server, by the target's name in the file. */
  readonly #sessions = new Map<string, Omit<RunModel['sessionsLeft'][number], 'target'>>();
  #tag: string;
  #halted: string | null = null;
  #advice: Advice | null = null;
  #targets: readonly TargetRecord[] = [];
  #calibration: readonly CalibrationEntry[] = [];
  #damage: Damage = noDamage;

  // The parts of the model; null if they are out of date.
  #plan: Plan | null = null;
  #views: readonly TrialView[] = [];
  #summaries: readonly CellSummary[] = [];
  #skipped: readonly SkippedCell[] = [];
  #searches: readonly SearchSummary[] = [];
  #caveats: readonly Caveat[] | null = null;
  #model: RunModel | null = null;
  /** True if a record was added since the last model. */
  #hasNews = true;

  constructor(header: Header) {
    this.#header = header;
    this.#tag = header.runId.split('-').at(-1) ?? header.runId;
    this.#clock = createRunClock(header.at);
    this.#trials = new Map(header.plan.trials.map((trial) => [trial.number, new TrialState(trial, this.#latencies)]));
    this.#skipped = header.plan.skipped;
    this.#cells = new CellCache(header.plan);
  }

  add(entry: Exclude<JournalEntry, Header>): void {
    this.#hasNews = true;
    switch (entry.record) {
      case 'target':
        this.#addTarget(entry.target);
        break;
      case 'calibration':
        this.#calibration = mergeCalibration(this.#calibration, entry.entries);
        this.#caveats = null;
        break;
      case 'trial':
        this.#beginTrial(entry.trial);
        break;
      case 'phase':
        this.#trial(entry.trial).enter(entry.phase, this.#clock.at(entry.at));
        break;
      case 'snapshot':
        this.#trial(entry.trial).addSnapshot(entry.snapshot);
        break;
      case 'probe':
        this.#trial(entry.trial).series().addProbe(entry.atMs, entry.sample, entry.tookMs);
        break;
      case 'loadHosts':
        this.#trial(entry.trial).sampleHosts(entry.hosts);
        break;
      case 'hosts':
        this.#trial(entry.trial).series().beginHosts(entry.hosts, entry.unmeasured);
        break;
      case 'hostSecond':
        this.#trial(entry.trial).series().addHostSecond(entry.host, entry.atMs, entry.second);
        break;
      case 'queryPlans':
        this.#trial(entry.trial).setQueryPlans(entry.plans, entry.when);
        break;
      case 'result':
        this.#clock.at(entry.at);
        this.#endTrial(entry.result);
        break;
      case 'enough':
        this.#enough =
          'precision' in entry
            ? { reason: entry.reason, precision: entry.precision }
            : { reason: entry.reason, round: entry.round };
        // A trial that was stopped with the last round is no longer shown.
        for (const { trial, result } of this.#trials.values())
          if (result?.status === 'cancelled') this.#cells.markChanged(trial);
        this.#caveats = null;
        break;
      case 'sessions':
        this.#sessions.set(entry.target, {
          tag: this.#tag,
          left: entry.left,
          tables: entry.tables ?? [],
          held: entry.held ?? [],
          parameters: entry.parameters ?? [],
        });
        this.#caveats = null;
        break;
      case 'halted':
        this.#halted = entry.reason;
        this.#caveats = null;
        break;
      case 'advice':
        this.#advice = entry.advice;
        break;
      case 'resumed':
        this.#tag = entry.tag;
        this.#resume(entry.at);
        break;
      case 'end':
        this.#end = entry;
        break;
      case 'damaged':
        this.#addDamage(entry);
        break;
      case 'unknown':
        this.#damage = { ...this.#damage, unknown: this.#damage.unknown + 1 };
        this.#caveats = null;
        break;
      default:
        assertNever(entry);
    }
  }

  model(live: boolean): RunModel {
    const status: RunModel['status'] = this.#end?.status ?? (live ? 'running' : 'interrupted');
    const last = this.#model;
    if (!this.#hasNews && last?.status === status) return last;
    const plan = this.#refresh();
    const facts = {
      runId: this.#header.runId,
      startedAt: this.#header.at,
      endedAt: this.#end?.at ?? null,
      status,
      plan,
      yaml: this.#header.yaml,
      environment: this.#header.environment,
      files: this.#header.files?.files ?? [],
      targets: this.#targets,
      calibration: this.#calibration,
      trials: this.#views,
      enough: this.#enough,
      sessionsLeft: [...this.#sessions].map(([target, left]) => ({ target, ...left })),
      halted: this.#halted,
      advice: this.#advice,
      searches: this.#searches,
      cells: this.#summaries,
      skipped: this.#skipped,
      damage: this.#damage,
    };
    if (last?.status !== status) this.#caveats = null;
    this.#caveats ??= findCaveats(facts);
    this.#model = { ...facts, caveats: this.#caveats };
    this.#hasNews = false;
    return this.#model;
  }

  mergeLatencies(goesOn: () => boolean): boolean {
    return this.#latencies.mergeWhile(goesOn);
  }

  #trial(number: number): TrialState {
    const state = this.#trials.get(number);
    if (state === undefined)
      throw new DynoError('badInput', `The journal speaks of trial ${number}, which is not in its plan.`);
    return state;
  }

  #addTarget(target: TargetRecord): void {
    this.#targets = [...this.#targets.filter(({ name }) => name !== target.name), target];
    this.#caveats = null;
  }

  #beginTrial(trial: PlannedTrial): void {
    this.#trial(trial.number).restart(trial);
    this.#begun.add(trial.number);
    this.#current = trial.number;
    this.#plan = null;
    this.#cells.markChanged(trial);
  }

  #endTrial(result: TrialResult): void {
    this.#trial(result.number).end(result);
    this.#current = null;
    this.#cells.markChanged(result);
  }

  /** A resumed run executes the missing trials and decides again if it has enough. */
  #resume(at: string): void {
    this.#clock.resume(at);
    this.#end = null;
    this.#current = null;
    this.#enough = null;
    this.#sessions.clear();
    this.#halted = null;
    this.#caveats = null;
    for (const state of this.#trials.values()) if (state.isUnderWay) state.restart();
  }

  #addDamage({ message, trial }: DamagedLine): void {
    this.#damage = withDamage(this.#damage, message);
    this.#caveats = null;
    this.#trials.get(trial ?? this.#current ?? 0)?.addDamage(message);
  }

  /** Updates all parts of a model; returns the plan that the model shows. */
  #refresh(): Plan {
    this.#plan ??= this.#planSoFar();
    const views = this.#shownTrials().map((state) => state.view());
    if (!same(views, this.#views)) this.#views = views;
    if (!this.#cells.isStale) return this.#plan;
    this.#cells.update(this.#plan, views, (name) =>
      this.#targets.some((target) => target.name === name && target.descriptor.inProcess),
    );
    this.#summaries = this.#cells.summaries(this.#plan, this.#targets, views);
    this.#skipped = this.#cells.skipped(this.#plan);
    this.#searches = summariseSearches(
      this.#header.plan,
      views.flatMap(({ result }) => (result === null || result.status === 'cancelled' ? [] : [result])),
    );
    this.#caveats = null;
    return this.#plan;
  }

  /** The plan of a search contains all candidate loads; the model shows the loads reached so far. */
  #planSoFar(): Plan {
    const { plan } = this.#header;
    if (!plan.measure.search) return plan;
    const trials = plan.trials.filter(({ number }) => this.#begun.has(number));
    const variants = new Set(trials.map(({ variant }) => variant));
    return { ...plan, trials, variants: plan.variants.filter(({ id }) => variants.has(id)) };
  }

  /** The trials without unneeded rounds and without loads that a search has not reached. */
  #shownTrials(): readonly TrialState[] {
    if (this.#header.plan.measure.search) return [...this.#begun].map((number) => this.#trial(number));
    if (this.#enough === null) return [...this.#trials.values()];
    // A first round that is not complete shows which cells were not measured.
    const round = Math.max(1, lastRound(this.#enough));
    return [...this.#trials.values()].filter(
      ({ trial, result }) => trial.repeat <= round || (result !== null && result.status !== 'cancelled'),
    );
  }
}

/** Entries of a later calibration (after a resume) replace the earlier ones of the same kind. */
function mergeCalibration(
  known: readonly CalibrationEntry[],
  added: readonly CalibrationEntry[],
): readonly CalibrationEntry[] {
  const name = ({ kind, target, label }: CalibrationEntry) => JSON.stringify([kind, target, label]);
  const replaced = new Set(added.map(name));
  return [...known.filter((entry) => !replaced.has(name(entry))), ...added];
}

const same = <T>(a: readonly T[], b: readonly T[]) => a.length === b.length && a.every((item, i) => item === b[i]);
