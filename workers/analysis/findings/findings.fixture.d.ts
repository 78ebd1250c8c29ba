import type { EngineDescriptor } from '#engine-api/engine.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { JournalRecord, TargetRecord } from '#protocol/journal.ts';
import type { CalibrationEntry, CallTime, ClientHealth, ProcessTime, TrialResult } from '#protocol/measurement.ts';
import type { RunModel } from '../model.ts';
import { type RunFacts } from './facts.ts';
import type { Outcome, Rule, Shown } from './finding.ts';
/** For tests only: runs that could have been, with as much of them as a rule looks at. */
export interface MadeRun {
  readonly workload?: Partial<Settings>;
  readonly factors?: Experiment['factors'];
  readonly dataset?: Partial<Experiment['dataset']>;
  readonly measure?:
    | Experiment['measure']
    | {
        readonly repeats: number;
      };
  readonly targets?: readonly MadeTarget[];
  readonly repeats?: number;
  readonly calibration?: readonly Partial<CalibrationEntry>[];
  readonly trial?: (of: { readonly settings: Settings; readonly target: string; readonly repeat: number }) => MadeTrial;
}
export type MadeTarget = Partial<Omit<TargetRecord, 'descriptor'>> & {
  readonly name: string;
  readonly descriptor?: Partial<EngineDescriptor>;
};
export interface MadeTrial {
  /** Rows a second; 1,000 unless said. */
  readonly rate?: number;
  readonly elapsedMs?: number;
  readonly rowsPerCall?: number;
  readonly health?: Partial<ClientHealth>;
  readonly result?: Partial<Omit<TrialResult, 'totals' | 'health'>>;
  readonly totals?: Partial<TrialResult['totals']>;
  /** Service times of the calls, ms; all the same unless said. */
  readonly latencyMs?: (call: number) => number;
  /** Rates second by second. */
  readonly seconds?: readonly number[];
  /** Of one second alone, from 0 on. */
  readonly healthAt?: (second: number) => Partial<ClientHealth>;
  /** Sampled each second. */
  readonly gauges?: Readonly<Record<string, number>>;
}
export declare const everything: EngineDescriptor['support'];
/** A process' time of 10 s, with these parts; waiting takes the rest. */
export declare function processTime(parts: Partial<ProcessTime>): ProcessTime;
export declare const callTime: (calls: number, each: Partial<Omit<CallTime, 'calls'>>) => CallTime;
/** Its journal, record by record. */
export declare function madeJournal({
  workload,
  factors,
  dataset,
  measure,
  targets,
  repeats,
  calibration,
  trial,
}?: MadeRun): readonly JournalRecord[];
export declare function madeRun(run?: MadeRun): RunModel;
export declare const madeFacts: (made?: MadeRun) => RunFacts;
/** What a rule says of each cell, in their order. */
export declare const outcomesOf: (rule: Rule, made: MadeRun) => readonly Outcome[];
/** The only thing that a rule shows. */
export declare function onlyShown(rule: Rule, made: MadeRun): Shown;
