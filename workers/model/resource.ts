/**
 * The resources that a server's time goes to, the same for every engine; each engine assigns its counters and waits to
 * them. cpu: computing. log: writing and syncing the log (redo, WAL, journal), also at a commit. lock: rows and tables
 * that other sessions have locked. latch: the engine's own structures in memory (pages, buffers, mutexes). dataIo:
 * reading and writing data files and temporary files. network: sending to and reading from the client, by the server's
 * clock. client: waiting for the client's next request. other: the rest.
 */
export const resourceClasses = ['cpu', 'log', 'lock', 'latch', 'dataIo', 'network', 'client', 'other'] as const;
/** One resource that a server's time goes to. */
export type ResourceClass = (typeof resourceClasses)[number];

/** The meaning of a counter, the same for every engine. Two counters of an engine with the same role add up. */
export const probeRoles = [
  'logBytes', // log generated
  'logFlushes', // syncs of the log
  'executions', // statements executed
  'parses', // statements analysed, soft ones too
  'hardParses', // plans made: not found in the plan cache
  'commits',
  'rollbacks',
  'deadlocks',
  'roundTrips', // requests of clients
  'bytesReceived', // from clients
  'bytesSent', // to clients
  'checkpoints',
  'pagesRead', // from outside the buffer pool, pages
  'pagesHit', // found in the buffer pool, pages
  'bytesRead', // from data files
  'bytesWritten', // to data files
  'tempBytes', // written for sorts and hashes
  'pageSplits', // of indexes
  'rowsExamined', // rows, documents or entries of indexes that were read to find others
  'pagesExamined', // pages that were read, wherever they were found (logical reads); of servers that count no rows
] as const;
/** One engine-independent meaning of a counter. */
export type ProbeRole = (typeof probeRoles)[number];
