/** Operations on the dataset's table. An engine implements each with statements of its own. */
export const tableOperations = ['insert', 'readByKey', 'readRange', 'scan', 'update', 'delete'] as const;
export type TableOperation = (typeof tableOperations)[number];

/**
 * All operations. copy: rows of one table are read and inserted into a second; statement: the experiment's custom
 * statements.
 */
export const operations = [...tableOperations, 'copy', 'statement'] as const;
export type OperationName = (typeof operations)[number];

/** Operations that bring rows into an empty table. */
export const fillingOperations: readonly OperationName[] = ['insert', 'copy'];

/** Operations that leave the table unchanged. */
export const readOnlyOperations: readonly OperationName[] = ['readByKey', 'readRange', 'scan'];

/** How the driver executes an operation. An engine's descriptor says which call of the driver each method is. */
export const methods = [
  'literal',
  'bind',
  'prepared',
  'pipelined',
  'multiRow',
  'arrayBind',
  'bulk',
  'serverLoop',
] as const;
export type MethodName = (typeof methods)[number];

/**
 * Who decides when work begins (Schroeder, Wierman and Harchol-Balter, "Open Versus Closed: A Cautionary Tale", NSDI
 * 2006).
 */
export const loads = ['closed', 'open', 'partlyOpen'] as const;
export type LoadKind = (typeof loads)[number];

/** When a key or an index is created: with the empty table, after all rows are loaded, or never. */
export const builds = ['beforeLoad', 'afterLoad', 'none'] as const;

/** Distributions by which existing keys are chosen. */
export const keyDistributions = ['uniform', 'zipf', 'hotspot', 'latest'] as const;

/** Kinds of keys that replace the dataset's own; inherit: the dataset's own. */
export const keyKinds = ['inherit', 'uuid4', 'uuid7', 'uuidSequential', 'sequence'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Types that an inserted null is bound as. */
export const nullBindings = ['asColumn', 'asDecimal', 'asFloat', 'asText', 'untyped'] as const;
export type NullBinding = (typeof nullBindings)[number];

/** Isolation levels, the weakest first. default: whatever server and connection are set to. */
export const isolations = [
  'default',
  'readUncommitted',
  'readCommitted',
  'repeatableRead',
  'snapshot',
  'serializable',
] as const;
export type Isolation = (typeof isolations)[number];
