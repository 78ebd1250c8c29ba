import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';

/**
 * The operations that every engine has, by a method that sends one row a call. The conformance suite makes, finds and
 * removes rows with them. Everything else is optional: the suite tests what a descriptor declares, and that an engine
 * refuses the rest as 'unsupported'. An engine with no more than this profile has no transactions (`oneCallPerCommit`),
 * no isolation levels, indexes, partitions, foreign keys, options or custom statements, and `cancel` is 'none'.
 */
export const smallestProfile: readonly TableOperation[] = ['insert', 'readByKey', 'delete'];

/** The methods that send one row a call, the usual one first. */
const singleRowMethods: readonly MethodName[] = ['prepared', 'bind', 'literal'];

/** The method by which an engine sends a single row; undefined: it lacks the operation. */
export const singleRowMethod = ({ support }: EngineDescriptor, operation: TableOperation): MethodName | undefined =>
  singleRowMethods.find((method) => support[operation]?.[method] !== undefined);
