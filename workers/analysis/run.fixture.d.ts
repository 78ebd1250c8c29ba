import type { JournalRecord } from '#protocol/journal.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
export interface FixtureOptions {
  readonly repeats?: number;
  readonly connections?: readonly number[];
  readonly seed?: number;
}
export declare function fixturePlan({ repeats, connections, seed }?: FixtureOptions): Plan;
export declare function fixtureJournal(options?: FixtureOptions): Generator<JournalRecord>;
export declare function trialRecords(plan: Plan, trial: PlannedTrial, at: string): Generator<JournalRecord>;
