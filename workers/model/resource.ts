/**
 * The resources on which a server spends its time, the same for every engine; each engine assigns its counters and
 * waits to them. cpu: computing. log: writing and syncing the log (redo, WAL, journal), also at a commit. lock: rows
 * and tables that other sessions have locked. latch: the engine's internal structures in memory (pages, buffers,
 * mutexes). dataIo: reading and writing data files and temporary files. network: sending to and reading from the
 * client, by the server's clock. client: waiting for the client's next request. other: the rest.
 */
export const resourceClasses = ['cpu', 'log', 'lock', 'latch', 'dataIo', 'network', 'client', 'other'] as const;
/** One resource on which a server spends its time. */
export type ResourceClass = (typeof resourceClasses)[number];

/** The meaning of a counter, the same for every engine. Two counters of an engine with the same role add up. */
export const probeRoles = [
  'logBytes', // log generated
  'logFlushes', // syncs of the log
  'executions', // statements executed
  'parses', // statements parsed, including soft parses
  'hardParses', // plans made: not found in the plan cache
  'commits',
  'rollbacks',
  'deadlocks',
  'roundTrips', // client requests
  'bytesReceived', // bytes from clients
  'bytesSent', // bytes to clients
  'checkpoints',
  'pagesRead', // pages read from outside the buffer pool
  'pagesHit', // pages found in the buffer pool
  'bytesRead', // bytes read from data files
  'bytesWritten', // bytes written to data files
  'tempBytes', // temporary files of sorts and hashes
  'pageSplits', // of indexes
  'collectionPauses', // time in which the server's garbage collector stopped it, ms
  'rowsExamined', // rows, documents or index entries read to find others
  'pagesExamined', // logical reads of pages, for servers that do not count rows
] as const;
/** One engine-independent meaning of a counter. */
export type ProbeRole = (typeof probeRoles)[number];
