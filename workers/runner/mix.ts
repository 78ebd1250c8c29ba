import type { Operation, Session } from '#contract/engine.ts';
import type { ErrorData } from '#contract/error.ts';
import type { ClientJob } from '#contract/messages.ts';
import { hasStagedWeights } from '#contract/stages.ts';
import type { StatementMix } from '#contract/statements.ts';
import type { BatchMaker } from './batch-maker.ts';
import type { Generator } from './generator.ts';
import { createMixMaker, planItems } from './mix-maker.ts';
import { prepareMix } from './mix-operation.ts';
import { createStatementCounters, type StatementCounters } from './statement-counters.ts';
import type { Steering } from './steering.ts';
import { workingRows } from './working-set.ts';

/** A worker's share of the experiment's own statements. */
export interface Mix {
  readonly maker: BatchMaker;
  readonly counters: StatementCounters;
  prepare(session: Session, toError: (thrown: unknown) => ErrorData): Promise<Operation>;
}

type MixJob = Pick<ClientJob, 'dataset' | 'loadedRows' | 'settings' | 'table' | 'trialSeed'> & {
  readonly measure: Pick<ClientJob['measure'], 'stages'>;
};

export function planMix(job: MixJob, mix: StatementMix, generator: Generator, steering: Pick<Steering, 'phase'>): Mix {
  const { dataset, loadedRows, measure, settings, table, trialSeed } = job;
  const { method, keyChoice, documents } = settings;
  const rows = workingRows(loadedRows, settings);
  const items = planItems(mix, trialSeed, { dataset, generator, rows, keyChoice }, { documents });
  const counters = createStatementCounters(mix, () => steering.phase);
  return {
    maker: createMixMaker(items, trialSeed, {
      weights: hasStagedWeights(measure) ? (measure.stages ?? []).map(({ weights }) => weights ?? {}) : [],
      current: () => steering.phase?.stage ?? -1,
    }),
    counters,
    prepare: (session, toError) => prepareMix(session, { mix, items, method, table }, counters, toError),
  };
}
