/**
 * All rules of Dyno, one line each. The name of a rule here is its id in files, journals and JSON. A new rule needs its
 * file and a line here.
 */

export { clientSaturated } from './client/client-saturated.ts';
export { coordinatedOmission } from './client/coordinated-omission.ts';
export { gcInTail } from './client/gc-in-tail.ts';
export { generationBound } from './client/generation-bound.ts';
export { machineStarved } from './client/machine-starved.ts';
export { concurrencyKnee } from './load/concurrency-knee.ts';
export { decaysWithSize } from './load/decays-with-size.ts';
export { errorsHideThroughput } from './load/errors-hide-throughput.ts';
export { poolExhausted } from './load/pool-exhausted.ts';
export { connectingBound } from './network/connecting-bound.ts';
export { delayedAck } from './network/delayed-ack.ts';
export { fetchSizeTooSmall } from './network/fetch-size-too-small.ts';
export { roundTripBound } from './network/round-trip-bound.ts';
export { estimatesOff } from './plans/estimates-off.ts';
export { foreignKeyWithoutIndex } from './plans/foreign-key-without-index.ts';
export { fullScan } from './plans/full-scan.ts';
export { indexNotUsed } from './plans/index-not-used.ts';
export { planChanged } from './plans/plan-changed.ts';
export { planIgnoresValues } from './plans/plan-ignores-values.ts';
export { spilled } from './plans/spilled.ts';
export { checkpointDips } from './server/checkpoint-dips.ts';
export { commitBound } from './server/commit-bound.ts';
export { contention } from './server/contention.ts';
export { fitsInMemory } from './server/fits-in-memory.ts';
export { foreignLock } from './server/foreign-lock.ts';
export { hardParsing } from './server/hard-parsing.ts';
export { nPlusOne } from './statements/n-plus-one.ts';
export { statementDominates } from './statements/statement-dominates.ts';
export { typedNull } from './statements/typed-null.ts';
export { highVariability } from './validity/high-variability.ts';
export { notSteady } from './validity/not-steady.ts';
export { settingsDiffer } from './validity/settings-differ.ts';
