/**
 * Everything that Dyno looks for, one line each: a rule's name here is its id in files, journals and JSON. Adding a
 * finding is its file and a line here.
 */
export { checkpointDips } from './checkpoint-dips.ts';
export { clientSaturated } from './client-saturated.ts';
export { commitBound } from './commit-bound.ts';
export { concurrencyKnee } from './concurrency-knee.ts';
export { contention } from './contention.ts';
export { coordinatedOmission } from './coordinated-omission.ts';
export { decaysWithSize } from './decays-with-size.ts';
export { delayedAck } from './delayed-ack.ts';
export { errorsHideThroughput } from './errors-hide-throughput.ts';
export { fetchSizeTooSmall } from './fetch-size-too-small.ts';
export { fitsInMemory } from './fits-in-memory.ts';
export { gcInTail } from './gc-in-tail.ts';
export { generationBound } from './generation-bound.ts';
export { literalParseStorm } from './literal-parse-storm.ts';
export { notLikeForLike } from './not-like-for-like.ts';
export { notSteady } from './not-steady.ts';
export { poolExhausted } from './pool-exhausted.ts';
export { roundTripBound } from './round-trip-bound.ts';
export { statementDominates } from './statement-dominates.ts';
export { tooNoisy } from './too-noisy.ts';
export { typedNull } from './typed-null.ts';
