import type { ServerParameterRules } from '#engine-api/descriptor.ts';

/** The size of WiredTiger's cache, which is an option of mongod; all others are parameters (--setParameter). */
export const cacheParameter = 'wiredTigerCacheSizeGB';

/** The parameters with which a managed server starts (manual, "MongoDB Server Parameters"): numbers and switches. */
export const serverParameters: ServerParameterRules = {
  atStart: `--${cacheParameter} and --setParameter NAME=VALUE at the start of a server of the run’s own`,
  names: [
    cacheParameter,
    ...['journalCommitInterval', 'syncdelay', 'transactionLifetimeLimitSeconds', 'ttlMonitorEnabled'],
    ...['maxTransactionLockRequestTimeoutMillis', 'maxIndexBuildMemoryUsageMegabytes'],
    ...['internalQueryMaxBlockingSortMemoryUsageBytes', 'internalDocumentSourceGroupMaxMemoryBytes'],
    ...['internalQueryExecYieldIterations', 'internalQueryExecYieldPeriodMS', 'internalQueryFrameworkControl'],
    ...['storageEngineConcurrencyAdjustmentAlgorithm', 'storageEngineConcurrentReadTransactions'],
    ...['storageEngineConcurrentWriteTransactions', 'wiredTigerConcurrentReadTransactions'],
    ...['wiredTigerConcurrentWriteTransactions', 'diagnosticDataCollectionEnabled'],
  ],
  values: '-?\\d+(\\.\\d+)?|[a-z][a-z0-9_]*',
  memory: { [cacheParameter]: 2 ** 30 },
};
