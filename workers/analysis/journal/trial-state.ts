import type { LoadHostSample, Phase, Snapshot, TrialResult } from '#protocol/measurement.ts';
import type { PlannedTrial } from '#protocol/plan.ts';
import type { AskedPlan, PlanMoment } from '#protocol/query-plans.ts';
import type { LiveHost, TrialView } from '../run-model/run-model.ts';
import { createSeriesBuilder, emptySeries, type KeptLatencies, type SeriesBuilder } from './series.ts';

/** The state of one trial, from the records of the journal so far. */
export class TrialState {
  #trial: PlannedTrial;
  #phase: Phase | null = null;
  #measuredFromMs: number | null = null;
  #result: TrialResult | null = null;
  #damage: string | null = null;
  #plans: Readonly<Partial<Record<PlanMoment, readonly AskedPlan[]>>> = {};
  #series: SeriesBuilder | null = null;
  #hosts: readonly LoadHostSample[] = [];
  /** The last interval of each worker. */
  readonly #latest = new Map<number, { readonly callsPerSecond: number; readonly eventLoopUtilisation: number }>();
  /** Null: outdated by a change. */
  #view: TrialView | null = null;
  readonly #kept: KeptLatencies;

  constructor(trial: PlannedTrial, kept: KeptLatencies) {
    this.#trial = trial;
    this.#kept = kept;
  }

  get trial(): PlannedTrial {
    return this.#trial;
  }

  get result(): TrialResult | null {
    return this.#result;
  }

  /** True if the trial has started to measure and has no result yet. */
  get isUnderWay(): boolean {
    return this.#result === null && this.#series !== null;
  }

  /** Resets the state: the trial starts again, or its process died. */
  restart(trial: PlannedTrial = this.#trial): void {
    this.#trial = trial;
    this.#phase = null;
    this.#measuredFromMs = null;
    this.#result = null;
    this.#damage = null;
    this.#plans = {};
    this.#series = null;
    this.#hosts = [];
    this.#latest.clear();
    this.#view = null;
  }

  enter(phase: Phase, atMs: number): void {
    this.#phase = phase;
    if (phase === 'measure') this.#measuredFromMs = atMs;
    this.#view = null;
  }

  setQueryPlans(plans: readonly AskedPlan[], when: PlanMoment): void {
    this.#plans = { ...this.#plans, [when]: plans };
    this.#view = null;
  }

  addSnapshot(snapshot: Snapshot): void {
    const { worker, lengthMs, counts, health } = snapshot;
    if (lengthMs > 0)
      this.#latest.set(worker, {
        callsPerSecond: (counts.calls / lengthMs) * 1_000,
        eventLoopUtilisation: health.eventLoopUtilisation,
      });
    this.series().add(snapshot);
  }

  sampleHosts(hosts: readonly LoadHostSample[]): void {
    this.#hosts = hosts;
    this.#view = null;
  }

  /** The trial's per-second series, to which records are added. */
  series(): SeriesBuilder {
    this.#series ??= createSeriesBuilder(this.#kept);
    this.#view = null;
    return this.#series;
  }

  end(result: TrialResult): void {
    this.#series?.close();
    this.#result = result;
    this.#phase = null;
    this.#view = null;
  }

  /** Notes an unusable line about the trial; the first message is kept. */
  addDamage(message: string): void {
    this.#damage ??= message;
    this.#view = null;
  }

  /** The same object until something changes. */
  view(): TrialView {
    this.#view ??= {
      trial: this.#trial,
      phase: this.#phase,
      measuredFromMs: this.#measuredFromMs,
      result: this.#result,
      damage: this.#result === null ? this.#damage : null,
      queryPlans: this.#plans.warm ?? this.#plans.measured ?? [],
      laterPlans: this.#plans.measured ?? [],
      series: this.#series?.series() ?? emptySeries,
      loadHosts: this.#hosts.map((host) => this.#liveHost(host)),
    };
    return this.#view;
  }
  #liveHost({ name, firstWorker, workers, ...sample }: LoadHostSample): LiveHost {
    const own = [...this.#latest].flatMap(([worker, latest]) =>
      worker >= firstWorker && worker < firstWorker + workers ? [latest] : [],
    );
    const { cores, processorsBusy, clockErrorMs, roundTripMs } = sample;
    return {
      ...{ name, workers, cores, processorsBusy, clockErrorMs, roundTripMs },
      callsPerSecond: own.length > 0 ? own.reduce((sum, one) => sum + one.callsPerSecond, 0) : null,
      eventLoopUtilisation: own.length > 0 ? Math.max(...own.map((one) => one.eventLoopUtilisation)) : null,
      beganAfterMs: this.#result?.loadHosts?.find((one) => one.name === name)?.beganAfterMs ?? null,
    };
  }
}
