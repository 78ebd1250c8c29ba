import { type MongoClient, MongoServerError } from 'mongodb';
import { noServer, surprise } from '../../shared/server-proof.ts';
import { descriptor } from '../descriptor.ts';

/**
 * Has the server add two numbers. A server without $documents (before 5.1) gets a command that no server has, and must
 * repeat its name in the refusal. Throws 'other' if neither answer is that of a server.
 */
export async function prove(client: MongoClient): Promise<void> {
  const admin = client.db('admin');
  const [a, b] = [surprise(), surprise()];
  const pipeline = [{ $documents: [{ sum: { $add: [a, b] } }] }];
  try {
    const { cursor } = await admin.command({ aggregate: 1, pipeline, cursor: {} });
    if (Number(cursor?.firstBatch?.[0]?.sum) === a + b) return;
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    if (await refuses(client, `dynoNoCommand${a}`)) return;
  }
  throw noServer(descriptor.label);
}

async function refuses(client: MongoClient, name: string): Promise<boolean> {
  try {
    await client.db('admin').command({ [name]: 1 });
    return false;
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error;
    return error.message.includes(name);
  }
}
