import type { ServerParameterRules } from '#engine-api/descriptor.ts';

/** The size of WiredTiger's cache, which is an option of mongod; all others are parameters (--setParameter). */
export const cacheParameter = 'wiredTigerCacheSizeGB';

/** The parameters that setParameter changes in a running server. */
const changeable = [
  ...['journalCommitInterval', 'syncdelay', 'transactionLifetimeLimitSeconds', 'ttlMonitorEnabled'],
  ...['maxTransactionLockRequestTimeoutMillis', 'maxIndexBuildMemoryUsageMegabytes'],
  ...['internalQueryMaxBlockingSortMemoryUsageBytes', 'internalDocumentSourceGroupMaxMemoryBytes'],
  ...['internalQueryExecYieldIterations', 'internalQueryExecYieldPeriodMS', 'internalQueryFrameworkControl'],
  'diagnosticDataCollectionEnabled',
];

/** The parameters of the tickets with which operations enter the storage engine. */
const tickets = [
  ...['storageEngineConcurrencyAdjustmentAlgorithm', 'storageEngineConcurrentReadTransactions'],
  ...['storageEngineConcurrentWriteTransactions', 'wiredTigerConcurrentReadTransactions'],
  'wiredTigerConcurrentWriteTransactions',
];
const ticketsMove =
  'The server moves the numbers of tickets by itself, or changes their algorithm with them, which Dyno could not give back.';

/** The parameters with which a managed server starts (manual, "MongoDB Server Parameters"): numbers and switches. */
export const serverParameters: ServerParameterRules = {
  atStart: `--${cacheParameter} and --setParameter NAME=VALUE at the start of a server of the run’s own`,
  running: {
    implementation: 'setParameter',
    right: 'the actions setParameter and inprog, as the roles hostManager and clusterMonitor have them',
    names: changeable,
    refused: Object.fromEntries(tickets.map((name) => [name, ticketsMove])),
  },
  names: [cacheParameter, ...changeable, ...tickets],
  values: '-?\\d+(\\.\\d+)?|[a-z][a-z0-9_]*',
  memory: { [cacheParameter]: 2 ** 30 },
};
