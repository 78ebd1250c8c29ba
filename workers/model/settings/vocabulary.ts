/** Operations on the dataset's table; each engine writes its own statements for them. */
export const tableOperations = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'] as const;
/** An operation of the workload on a table. */
export type TableOperation = (typeof tableOperations)[number];

/**
 * All operations. copy reads the rows of one table and inserts them into a second; statement runs the experiment's
 * custom statements.
 */
export const operations = [...tableOperations, 'copy', 'statement'] as const;
/** An operation of the workload. */
export type OperationName = (typeof operations)[number];

/** Operations that insert rows into an empty table. */
export const fillingOperations: readonly OperationName[] = ['insert', 'copy'];

/** Operations that leave the table unchanged. */
export const readOnlyOperations: readonly OperationName[] = ['readByKey', 'readRange', 'scan'];

/** The way in which a driver executes an operation. An engine's descriptor names the driver's call for each method. */
export const methods = [
  'literal',
  'bind',
  'prepared',
  'pipelined',
  'batch',
  'multiRow',
  'arrayBind',
  'bulk',
  'serverLoop',
] as const;
/** One method of executing an operation. */
export type MethodName = (typeof methods)[number];

/**
 * The kinds of load, which decide when work begins (Schroeder, Wierman and Harchol-Balter, "Open Versus Closed: A
 * Cautionary Tale", NSDI 2006).
 */
export const loads = ['closed', 'open', 'partlyOpen'] as const;
/** A model of the load. */
export type LoadKind = (typeof loads)[number];

/** The time at which a key or an index is created: with the empty table, after all rows are loaded, or never. */
export const builds = ['beforeLoad', 'afterLoad', 'none'] as const;

/** Distributions by which existing keys are chosen. */
export const keyDistributions = ['uniform', 'zipf', 'hotspot', 'latest'] as const;

/** Kinds of keys that replace the dataset's own; inherit: the dataset's own. */
export const keyKinds = ['inherit', 'uuid4', 'uuid7', 'uuidSequential', 'sequence'] as const;
/** A kind of primary key. */
export type KeyKind = (typeof keyKinds)[number];

/** Types for binding an inserted null. */
export const nullBindings = ['asColumn', 'asDecimal', 'asFloat', 'asText', 'untyped'] as const;
/** A type to declare nulls with. */
export type NullBinding = (typeof nullBindings)[number];

/** Isolation levels, the weakest first. default: the level that server and connection are configured with. */
export const isolations = [
  'default',
  'readUncommitted',
  'readCommitted',
  'repeatableRead',
  'snapshot',
  'serializable',
] as const;
/** A transaction isolation level. */
export type Isolation = (typeof isolations)[number];
