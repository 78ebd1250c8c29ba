import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { beforeEach, expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findMongod } from '../install/tools.ts';
import { mongodb, startMongod } from './mongodb.ts';

const onMongod = test.skipIf(findMongod() === null);
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function use<T>(raw: Readonly<Record<string, unknown>>, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const { host, port, user, password, replicaSet } = raw as Readonly<Record<string, string>>;
  const client = new MongoClient(`mongodb://${host}:${port}/?replicaSet=${replicaSet}`, {
    ...(user && password && { auth: { username: user, password } }),
    serverSelectionTimeoutMS: 5_000,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

onMongod(
  'a server with parameters has the cache of the usual one, so that several fit into the memory',
  async () => {
    await using server = await mongodb.start(folder, () => {}, { syncdelay: '30' });
    const { wiredTiger } = await use(server.raw, (client) => client.db('admin').command({ serverStatus: 1, repl: 0 }));
    expect(wiredTiger.cache['maximum bytes configured']).toBe(256 * 2 ** 20);
  },
  60_000,
);

onMongod(
  'data stays from one start to the next, the password and the key do not',
  async () => {
    const first = await mongodb.start(folder, () => {});
    try {
      await use(first.raw, async (client) => void (await client.db('dyno').collection('y').insertOne({ z: 1 })));
    } finally {
      await first.stop();
    }
    await using second = await mongodb.start(folder, () => {});
    expect(await use(second.raw, (client) => client.db('dyno').collection('y').countDocuments())).toBe(1);
    const { password } = first.raw;
    expect(password).not.toBe(second.raw.password);
    const old = await use({ ...second.raw, password }, (client) => client.connect()).catch((e: Error) => e.message);
    expect(old).toBe('Authentication failed.');
    expect(existsSync(join(folder, 'mongod.key'))).toBe(false);
    expect(statSync(join(folder, 'server.log')).mode & 0o077).toBe(0);
    const commandLine = process.platform === 'linux' ? readFileSync(`/proc/${second.pid}/cmdline`, 'utf8') : '';
    expect(`${readFileSync(join(folder, 'server.log'), 'utf8')}${commandLine}`).not.toContain(second.raw.password);
  },
  60_000,
);

onMongod(
  'who has no password gets nothing, from this machine either',
  async () => {
    await using server = await mongodb.start(folder, () => {});
    const { user: _, password: __, ...stranger } = server.raw;
    const me = { createUser: 'me', pwd: 'me', roles: ['root'] };
    const attempt = use(stranger, (client) => client.db('admin').command(me));
    await expect(attempt).rejects.toThrow(/requires authentication/);
  },
  60_000,
);

onMongod(
  'what the server says of its own failure is told in plain words',
  async () => {
    const error: unknown = await startMongod(folder, () => {}, { args: ['--setParameter', 'nosuch=1'] }).catch(
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(DynoError);
    expect((error as DynoError).message).toMatch(
      /^MongoDB could not be started: Error during global initialization .*nosuch/,
    );

    const server = await startMongod(folder, () => {});
    process.kill(server.pid, 'SIGKILL');
    await server.gone;
    writeFileSync(join(server.dataFolder, 'WiredTiger.turtle'), 'garbage');
    const damaged: unknown = await startMongod(folder, () => {}).catch((thrown) => thrown);
    expect((damaged as DynoError).data.hint).toContain('dyno servers reset');
  },
  60_000,
);
