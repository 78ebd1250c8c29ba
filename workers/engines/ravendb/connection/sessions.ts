import { BatchOperation, type DocumentSession, type InMemoryDocumentSessionOperations } from 'ravendb';
import { DynoError } from '#model/error.ts';
import type { RavenOptions } from '../options.ts';
import type { Link } from './link.ts';

/** A session of the driver, for one call: they are short-lived by design, and take 30 requests at most. */
export const openSession = ({ store }: Link, options: RavenOptions, reads: boolean): DocumentSession =>
  store.openSession({
    noTracking: reads, // of what is read nothing is changed
    noCaching: true,
    transactionMode: options.transactionMode === 'clusterWide' ? 'ClusterWide' : 'SingleNode',
    // They would compare a document with what was loaded, which is nothing here.
    disableAtomicDocumentWritesInClusterWideTransaction: true,
  }) as DocumentSession; // which it is; the type is that of the interface

/** The server's result for a command of a batch. */
export interface CommandResult {
  readonly type?: string;
  readonly Type?: string;
  readonly deleted?: boolean;
  readonly Deleted?: boolean;
  readonly patchStatus?: string;
  readonly PatchStatus?: string;
}

/** saveChanges() in the driver's own steps, for the server's answer to each command. Returns the rows touched. */
export async function saveChanges({ executor }: Link, session: DocumentSession): Promise<number> {
  const operation = new BatchOperation(session as unknown as InMemoryDocumentSessionOperations);
  const command = operation.createRequest();
  await executor.execute(command, session.sessionInfo);
  operation.setResult(command.result);
  return touched(command.result.results as readonly CommandResult[]);
}

const matched = ['Patched', 'NotModified', 'Created'];

/** A patch or a deletion of an id that is not there is no error to the server. */
export const touched = (results: readonly CommandResult[]): number =>
  results.reduce((rows, one) => rows + (touchedBy(one) ? 1 : 0), 0);

/** The driver writes the server's names with a small letter. */
function touchedBy(result: CommandResult): boolean {
  const type = result.type ?? result.Type;
  switch (type) {
    case 'PUT':
      return true;
    case 'DELETE':
      // A cluster-wide transaction does not tell (7.2).
      return (result.deleted ?? result.Deleted) !== false;
    case 'PATCH':
      return matched.includes(result.patchStatus ?? result.PatchStatus ?? '');
    default:
      throw new DynoError('internal', `The server answered a batch with ${String(type)}.`);
  }
}
