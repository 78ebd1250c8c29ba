import type { Document, MongoClient } from 'mongodb';
import { identitiesOf } from '../../shared/identities.ts';

/** Names that mean the machine of whoever uses them: members of any test's replica set may have them. */
const isLocal = (host: string): boolean => /^(localhost|127\.|\[?::1)/i.test(host);
const id = (kind: string, value: unknown): string | null => (value ? `${kind} ${String(value)}` : null);

/**
 * All members of a replica set are one server, and all routers and shards of a cluster. So the identities are the set's
 * and the cluster's own numbers, where the user may read them; the names of the set's members; and the process that
 * answers.
 */
export const identities = (client: MongoClient): Promise<readonly string[]> => {
  const admin = client.db('admin');
  return identitiesOf([
    async () => {
      const hello = await admin.command({ hello: 1 });
      const members = [hello.hosts, hello.passives, hello.arbiters].flat().filter((one) => typeof one === 'string');
      return [
        id('process', hello.topologyVersion?.processId),
        ...members.filter((host) => !isLocal(host)).map((host) => `member ${String(hello.setName)} ${host}`),
      ];
    },
    async () => [id('set', (await admin.command({ replSetGetConfig: 1 })).config?.settings?.replicaSetId)],
    async () => [id('cluster', (await client.db('config').collection('version').findOne())?.clusterId)],
    async () => {
      const shards = admin.collection<Document & { readonly _id: string }>('system.version');
      return [id('cluster', (await shards.findOne({ _id: 'shardIdentity' }))?.clusterId)];
    },
  ]);
};
