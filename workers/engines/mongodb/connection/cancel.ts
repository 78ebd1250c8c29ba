import type { ClientSession, MongoClient } from 'mongodb';

/**
 * Stops the work of a logical session at the server, over another connection. Users may list and stop their own
 * sessions.
 */
export async function killOperations(control: MongoClient, { id }: ClientSession): Promise<void> {
  const admin = control.db('admin');
  const running = await admin
    .aggregate([{ $currentOp: { allUsers: false } }, { $match: { 'lsid.id': id?.id, active: true } }])
    .toArray();
  for (const { opid } of running) await admin.command({ killOp: 1, op: opid });
}
