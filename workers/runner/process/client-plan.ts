import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Support } from '#engine-api/support.ts';
import { callsInFlight } from '#model/settings/calls-in-flight.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import type { ClientJob } from '#protocol/messages.ts';
import { createGenerator, type Generator } from '../generator/generator.ts';
import type { ControlChannel } from '../loop/control-channel.ts';
import type { LoopOptions } from '../loop/lane.ts';
import { type Mix, planMix } from '../operations/mix.ts';
import { createBatchMaker } from '../workload/batch-maker.ts';
import { CallSource } from '../workload/call-source.ts';
import { planWorkload, type Workload } from '../workload/workload.ts';

/** The work of one worker in a trial, known before any session is open. */
export interface ClientPlan {
  readonly workload: Workload;
  readonly generator: Generator;
  /** The experiment's custom statements; null: the operation is one of the engine's. */
  readonly mix: Mix | null;
  /** True if the server generates the rows, and batches contain only their number. */
  readonly serverData: boolean;
  /** The settings that operations are prepared with. */
  readonly settings: Settings;
  /** The options of the loop that follow from the job alone. */
  readonly loop: Omit<LoopOptions, 'split' | 'toError'>;
}

/** True if a call that fails may have changed part of its rows. */
const appliesPartially = ({ mayApplyPartially = false }: Support, options: Options): boolean =>
  typeof mayApplyPartially === 'boolean'
    ? mayApplyPartially
    : Object.entries(mayApplyPartially).every(([name, value]) => options[name] === value);

/** Throws 'unsupported' where the engine cannot do this operation by this method, 'badInput' where rows are too few. */
export function planClient(descriptor: EngineDescriptor, job: ClientJob, channel: ControlChannel): ClientPlan {
  const { operation, method, copyFrom, callsPerCommit, callsPerConnection, maxAttempts } = job.settings;
  const support = supportOf(descriptor, operation, method, copyFrom);
  const serverData = support.serverData === true;
  const workload = planWorkload(job, support);
  const { rowsPerCall } = workload;
  const generator = createGenerator(job.dataset, job.settings);
  const mix = job.mix ? planMix(job, job.mix, channel) : null;
  const maker = mix ? mix.maker : createBatchMaker(job, generator, rowsPerCall, serverData);
  const writes = operation === 'copy' || operation === 'insert' || operation === 'update' || operation === 'delete';
  // False if a conflict may leave rows of a failed attempt behind, or if a failed copy has consumed the rows that it
  // read.
  const canUndo =
    operation === 'copy'
      ? false
      : callsPerCommit > 1
        ? support.direct !== true
        : !(writes && appliesPartially(support, job.table.options) && rowsPerCall > 1);
  // Other operations send no nulls of the dataset, so for them the plan ignores how nulls are bound.
  const nullBinding = fillingOperations.includes(operation) ? job.settings.nullBinding : defaultSettings.nullBinding;
  return {
    workload,
    generator,
    mix,
    serverData,
    settings: { ...job.settings, nullBinding, rowsPerCall },
    loop: {
      // A prepared call may refer to the session that encoded it, which ends before the call is made.
      callSource: new CallSource(maker, workload.warmup, callsPerConnection > 0),
      expected: workload.expected,
      callsPerCommit,
      callsPerConnection,
      depth: callsInFlight(job.settings),
      batches: support.batches === true,
      writes,
      maxAttempts: canUndo ? maxAttempts : 0,
      seed: job.trialSeed + job.worker,
      turnsInTransactions: job.connections === 1,
    },
  };
}
