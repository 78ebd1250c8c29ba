import type { Operation, Session } from '#contract/engine.ts';
import type { ErrorData } from '#contract/error.ts';
import { type ClientJob, plansOf } from '#contract/messages.ts';
import { hasStagedWeights } from '#contract/stages.ts';
import type { StatementMix } from '#contract/statements.ts';
import type { BatchMaker } from './batch-maker.ts';
import { createMixMaker, planItems } from './mix-maker.ts';
import { prepareMix } from './mix-operation.ts';
import { createStatementCounters, type StatementCounters } from './statement-counters.ts';
import type { Steering } from './steering.ts';
import { createTableKeys } from './table-keys.ts';

/** A worker's share of the experiment's own statements. */
export interface Mix {
  readonly maker: BatchMaker;
  readonly counters: StatementCounters;
  prepare(session: Session, toError: (thrown: unknown) => ErrorData): Promise<Operation>;
}

type MixJob = Pick<ClientJob, 'loadedRows' | 'settings' | 'table' | 'tables' | 'trialSeed'> & {
  readonly measure: Pick<ClientJob['measure'], 'stages'>;
};

export function planMix(job: MixJob, mix: StatementMix, steering: Pick<Steering, 'phase'>): Mix {
  const { loadedRows, measure, settings, table, tables = {}, trialSeed } = job;
  const { method, documents } = settings;
  // New rows, and with them calls, are numbered from the loaded ones on (workload.ts).
  const items = planItems(mix, trialSeed, createTableKeys(tables, settings, loadedRows), { documents });
  const counters = createStatementCounters(mix, () => steering.phase);
  return {
    maker: createMixMaker(items, trialSeed, {
      weights: hasStagedWeights(measure) ? (measure.stages ?? []).map(({ weights }) => weights ?? {}) : [],
      current: () => steering.phase?.stage ?? -1,
    }),
    counters,
    prepare: (session, toError) =>
      prepareMix(session, { mix, items, method, tables: plansOf(tables), options: table.options }, counters, toError),
  };
}
