import { checkpointDips } from './checkpoint-dips.ts';
import { clientSaturated } from './client-saturated.ts';
import { commitBound } from './commit-bound.ts';
import { concurrencyKnee } from './concurrency-knee.ts';
import { contention } from './contention.ts';
import { coordinatedOmission } from './coordinated-omission.ts';
import { decaysWithSize } from './decays-with-size.ts';
import { delayedAck } from './delayed-ack.ts';
import { errorsHideThroughput } from './errors-hide-throughput.ts';
import { fetchSizeTooSmall } from './fetch-size-too-small.ts';
import type { Rule } from './finding.ts';
import { fitsInMemory } from './fits-in-memory.ts';
import { gcInTail } from './gc-in-tail.ts';
import { generationBound } from './generation-bound.ts';
import { literalParseStorm } from './literal-parse-storm.ts';
import { notLikeForLike } from './not-like-for-like.ts';
import { notSteady } from './not-steady.ts';
import { poolExhausted } from './pool-exhausted.ts';
import { roundTripBound } from './round-trip-bound.ts';
import { statementDominates } from './statement-dominates.ts';
import { tooNoisy } from './too-noisy.ts';
import { typedNull } from './typed-null.ts';

/** All rules, in the order of ruleIds. */
export const rules: readonly Rule[] = [
  clientSaturated,
  generationBound,
  roundTripBound,
  commitBound,
  literalParseStorm,
  fetchSizeTooSmall,
  gcInTail,
  errorsHideThroughput,
  tooNoisy,
  notSteady,
  notLikeForLike,
  typedNull,
  decaysWithSize,
  concurrencyKnee,
  contention,
  poolExhausted,
  statementDominates,
  checkpointDips,
  delayedAck,
  fitsInMemory,
  coordinatedOmission,
];
