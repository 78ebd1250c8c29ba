import { assertNever, DynoError } from '#contract/error.ts';
import { type JournalEntry, type JournalRecord, journalVersion, type TargetRecord } from '#contract/journal.ts';
import type { CalibrationEntry, Phase, TrialResult } from '#contract/measurement.ts';
import type { Cell, Plan, PlannedTrial, SkippedCell } from '#contract/plan.ts';
import { findCaveats } from './caveats.ts';
import { keyOf } from './cell-key.ts';
import { summariseCell } from './cell-summary.ts';
import { isStandIn } from './contenders.ts';
import { noDamage, withDamage } from './damage.ts';
import type { Caveat, CellSummary, Damage, Enough, RunModel, RunWithoutCaveats, TrialView } from './model.ts';
import { createRunClock, type RunClock } from './run-clock.ts';
import { type SearchSummary, summariseSearches } from './search.ts';
import { createSeriesBuilder, emptySeries, type SeriesBuilder } from './series.ts';
import { createStandInNames } from './stand-in.ts';

/**
 * Turns a journal into a RunModel, record by record. Keeps merged per-second series and one encoded histogram per trial and cell, no
 * snapshots, so that a 1 GB journal needs a few MB.
 */
export interface RunReader {
  /** True once a header was read: model() can be called. */
  readonly started: boolean;
  /** Throws DynoError('badInput') for a journal of a newer version, or one that does not begin with a header. */
  add(entry: JournalEntry): void;
  /**
   * The run so far. Cheap enough for several calls a second; whatever did not change since the last call is the same object.
   * `live`: somebody is writing the journal, so that a missing end means running, not interrupted.
   */
  model(options?: { readonly live?: boolean }): RunModel;
}

type Header = Extract<JournalRecord, { record: 'header' }>;

interface TrialState {
  trial: PlannedTrial;
  phase: Phase | null;
  measuredFromMs: number | null;
  result: TrialResult | null;
  damage: string | null;
  builder: SeriesBuilder | null;
  view: TrialView | null;
}

export function createRunReader(): RunReader {
  let header: Header | null = null;
  let clock: RunClock = createRunClock('');
  let end: Extract<JournalRecord, { record: 'end' }> | null = null;
  let enough: Enough | null = null;
  let targets: readonly TargetRecord[] = [];
  let calibration: readonly CalibrationEntry[] = [];
  const labels = createStandInNames();
  const trials = new Map<number, TrialState>();
  /** Of a search, which chooses its trials as it goes on: those that it has come to, in their order. */
  const begun = new Set<number>();
  /** The trial that the journal tells of at the moment. */
  let current: number | null = null;
  let damage: Damage = noDamage;
  let searches: readonly SearchSummary[] = [];
  let shownPlan: Plan | null = null;
  const cells = new Map<string, CellSummary>();
  const impossible = new Map<string, SkippedCell | null>();
  const dirtyCells = new Set<string>();
  let cellList: readonly CellSummary[] = [];
  let skipped: readonly SkippedCell[] = [];
  let views: readonly TrialView[] = [];
  let caveats: readonly Caveat[] | null = null;
  let last: RunModel | null = null;
  let changed = true;

  const begin = (record: Header) => {
    if (record.version > journalVersion)
      throw new DynoError('badInput', `This run was written by a newer Dyno (journal version ${record.version}).`, {
        hint: 'Open it with a Dyno that is at least as new.',
      });
    header = record;
    clock = createRunClock(record.at);
    for (const trial of record.plan.trials)
      trials.set(trial.number, {
        trial,
        phase: null,
        measuredFromMs: null,
        result: null,
        damage: null,
        builder: null,
        view: null,
      });
    skipped = record.plan.skipped;
    for (const cell of plannedCells(record.plan)) dirtyCells.add(keyOf(cell));
  };

  const stateOf = (number: number): TrialState => {
    const state = trials.get(number);
    if (state === undefined)
      throw new DynoError('badInput', `The journal speaks of trial ${number}, which is not in its plan.`);
    return state;
  };

  /** Forgets what is known of a trial: it begins anew, or the process that ran it died. */
  const restart = (state: TrialState) => {
    if (state.result !== null) dirtyCells.add(keyOf(state.trial));
    Object.assign(state, { phase: null, measuredFromMs: null, result: null, damage: null, builder: null, view: null });
  };

  const builderOf = (state: TrialState): SeriesBuilder => {
    state.builder ??= createSeriesBuilder();
    state.view = null;
    return state.builder;
  };

  /** Their names change everywhere in the model, also in what was read before it was known. */
  const relabel = () => {
    if (header === null) return;
    const plan = labels.plan(header.plan);
    if (plan.targets.every(({ name }, i) => name === header?.plan.targets[i]?.name)) return;
    header = { ...header, plan };
    shownPlan = null;
    for (const state of trials.values()) {
      const { trial, result } = state;
      Object.assign(state, { trial: labels.onTarget(trial), result: result && labels.onTarget(result), view: null });
    }
    cells.clear();
    impossible.clear();
    for (const cell of plannedCells(plan)) dirtyCells.add(keyOf(cell));
  };

  const add = (written: JournalEntry): void => {
    const record = labels.read(written);
    if (record.record === 'header') begin(record);
    else if (header === null)
      throw new DynoError('badInput', 'The file is not a run: it does not begin with the header of a run journal.');
    changed = true;
    switch (record.record) {
      case 'header':
        return;
      case 'target':
        if (isStandIn(record.target)) relabel();
        targets = [...targets.filter(({ name }) => labels.nameOf(name) !== record.target.name), record.target];
        caveats = null;
        return;
      case 'calibration':
        calibration = mergeCalibration(calibration, record.entries);
        caveats = null;
        return;
      case 'trial': {
        const state = stateOf(record.trial.number);
        restart(state);
        state.trial = record.trial;
        begun.add(record.trial.number);
        current = record.trial.number;
        shownPlan = null;
        dirtyCells.add(keyOf(record.trial));
        return;
      }
      case 'phase': {
        const state = stateOf(record.trial);
        const atMs = clock.at(record.at);
        state.phase = record.phase;
        if (record.phase === 'measure') state.measuredFromMs = atMs;
        state.view = null;
        return;
      }
      case 'snapshot':
        builderOf(stateOf(record.trial)).add(record.snapshot);
        return;
      case 'probe':
        builderOf(stateOf(record.trial)).addProbe(record.atMs, record.sample, record.tookMs);
        return;
      case 'result': {
        clock.at(record.at);
        const state = stateOf(record.result.number);
        state.builder?.close();
        Object.assign(state, { result: record.result, phase: null, view: null });
        current = null;
        dirtyCells.add(keyOf(record.result));
        return;
      }
      case 'enough':
        enough = { reason: record.reason, precision: record.precision };
        caveats = null;
        return;
      case 'resumed':
        clock.resume(record.at);
        end = null;
        current = null;
        // It goes on with what was missing, and decides anew.
        enough = null;
        for (const state of trials.values()) if (state.result === null && state.builder !== null) restart(state);
        return;
      case 'end':
        end = record;
        return;
      case 'damaged': {
        damage = withDamage(damage, record.message);
        caveats = null;
        const state = trials.get(record.trial ?? current ?? 0);
        if (state !== undefined) Object.assign(state, { damage: state.damage ?? record.message, view: null });
        return;
      }
      case 'unknown':
        damage = { ...damage, unknown: damage.unknown + 1 };
        caveats = null;
        return;
      default:
        assertNever(record);
    }
  };

  const inProcess = (name: string) => targets.some((target) => target.name === name && target.descriptor.inProcess);
  const wantedTrials = ({ plan }: Header): readonly TrialState[] => {
    if (plan.measure.search) return [...begun].map(stateOf);
    const { round } = enough?.precision ?? { round: Number.POSITIVE_INFINITY };
    return [...trials.values()].filter(({ trial, result }) => trial.repeat <= round || result !== null);
  };
  /** A search's plan has all that it may choose from. */
  const planSoFar = ({ plan }: Header): Plan => {
    if (!plan.measure.search) return plan;
    const come = plan.trials.filter(({ number }) => begun.has(number));
    const known = new Set(come.map(({ variant }) => variant));
    return { ...plan, trials: come, variants: plan.variants.filter(({ id }) => known.has(id)) };
  };
  const refresh = (full: Header): Plan => {
    shownPlan ??= planSoFar(full);
    const plan = shownPlan;
    const now = wantedTrials(full).map((state) => {
      state.view ??= {
        trial: state.trial,
        phase: state.phase,
        measuredFromMs: state.measuredFromMs,
        result: state.result,
        damage: state.result === null ? state.damage : null,
        series: state.builder?.series() ?? emptySeries,
      };
      return state.view;
    });
    if (!same(now, views)) views = now;
    if (dirtyCells.size > 0) {
      for (const cell of plannedCells(plan)) {
        if (!dirtyCells.has(keyOf(cell))) continue;
        const results = now.flatMap(({ trial, result }) =>
          result !== null && keyOf(trial) === keyOf(cell) ? [result] : [],
        );
        cells.set(keyOf(cell), summariseCell(cell, plan, results, inProcess(cell.target)));
        impossible.set(keyOf(cell), impossibleCell(cell, results));
      }
      dirtyCells.clear();
      cellList = plannedCells(plan).flatMap((cell) => (impossible.get(keyOf(cell)) ? [] : cells.get(keyOf(cell))!));
      skipped = [...plan.skipped, ...[...impossible.values()].filter((cell) => cell !== null)];
      searches = summariseSearches(
        full.plan,
        now.flatMap(({ result }) => (result === null || result.status === 'cancelled' ? [] : [result])),
      );
      caveats = null;
    }
    return plan;
  };

  return {
    get started() {
      return header !== null;
    },
    add,
    model({ live = false } = {}) {
      if (header === null) throw new DynoError('badInput', 'The run has no header yet: nothing is known about it.');
      const status: RunModel['status'] = end?.status ?? (live ? 'running' : 'interrupted');
      if (!changed && last !== null && last.status === status) return last;
      const plan = refresh(header);
      const facts: RunWithoutCaveats = {
        runId: header.runId,
        startedAt: header.at,
        endedAt: end?.at ?? null,
        status,
        plan,
        yaml: header.yaml,
        environment: header.environment,
        targets,
        calibration,
        trials: views,
        enough,
        searches,
        cells: cellList,
        skipped,
        damage,
      };
      if (last?.status !== status) caveats = null;
      caveats ??= findCaveats(facts);
      last = { ...facts, caveats };
      changed = false;
      return last;
    },
  };
}

/** A cell that the plan took for possible and the server does not. */
function impossibleCell(cell: Cell, results: readonly TrialResult[]): SkippedCell | null {
  const error = results.find(({ status }) => status === 'cannot')?.error;
  return error ? { ...cell, reason: `${error.message}${error.hint ? ` ${error.hint}` : ''}` } : null;
}

/** Cells in the order of variants, then targets; without the skipped ones. */
function plannedCells(plan: Plan): readonly Cell[] {
  const planned = new Set(plan.trials.map(keyOf));
  return plan.variants.flatMap((variant) =>
    plan.targets
      .map((target) => ({ variant: variant.id, target: target.name }))
      .filter((cell) => planned.has(keyOf(cell))),
  );
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
