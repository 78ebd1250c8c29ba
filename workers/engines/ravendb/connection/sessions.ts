import { BatchOperation, type DocumentSession, type InMemoryDocumentSessionOperations } from 'ravendb';
import { DynoError } from '#model/error.ts';
import type { RavenOptions } from '../options.ts';
import type { Link } from './link.ts';

/** Opens a session of the driver for one call: sessions are short-lived by design, and take at most 30 requests. */
export const openSession = ({ store }: Link, options: RavenOptions, reads: boolean): DocumentSession =>
  store.openSession({
    noTracking: reads, // the documents that it reads are not changed
    noCaching: true,
    transactionMode: options.transactionMode === 'clusterWide' ? 'ClusterWide' : 'SingleNode',
    // These checks would compare a document with a loaded one, and none is loaded here.
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

/**
 * Executes the steps of the driver's saveChanges(), to see the server's answer to each command. Returns the rows
 * touched.
 */
export async function saveChanges({ executor }: Link, session: DocumentSession): Promise<number> {
  const operation = new BatchOperation(session as unknown as InMemoryDocumentSessionOperations);
  const command = operation.createRequest();
  await executor.execute(command, session.sessionInfo);
  operation.setResult(command.result);
  return touched(command.result.results as readonly CommandResult[]);
}

const matched = ['Patched', 'NotModified', 'Created'];

/** To the server, a patch or a deletion of a missing id is no error. */
export const touched = (results: readonly CommandResult[]): number =>
  results.reduce((rows, one) => rows + (touchedBy(one) ? 1 : 0), 0);

/** The driver writes the server's names with a small first letter. */
function touchedBy(result: CommandResult): boolean {
  const type = result.type ?? result.Type;
  switch (type) {
    case 'PUT':
      return true;
    case 'DELETE':
      // A cluster-wide transaction does not report it (7.2).
      return (result.deleted ?? result.Deleted) !== false;
    case 'PATCH':
      return matched.includes(result.patchStatus ?? result.PatchStatus ?? '');
    default:
      throw new DynoError('internal', `The server answered a batch with ${String(type)}.`);
  }
}
