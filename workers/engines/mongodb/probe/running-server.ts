import { randomBytes } from 'node:crypto';
import { type Db, type Document, Double, Int32, Long, type MongoClient } from 'mongodb';
import type { RunningServer } from '#engine-api/database.ts';
import { heldByAnother, needsRestartText, unknownParameterText } from '#engine-api/support/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import type { ParameterState } from '#model/settings/server-parameters.ts';
import { runningServer } from '../../shared/running-server.ts';
import { isSame } from './server-parameters.ts';

/** The beginning of the application name of connections that stand for the lock. */
const lockName = 'dyno server parameters';

/** The user's server, and the connection that keeps other runs away. */
interface MongoRunningServer extends RunningServer, AsyncDisposable {}

/**
 * The user's server, whose parameters Dyno changes until its next restart. The lock is a connection with a name, which
 * the server lists as long as the connection is open (manual, "$currentOp"): a process that is killed releases it. Each
 * run makes its connection before it looks for others, so that of two runs at least one sees the other.
 * `open`: opens a client with one connection under an application name.
 */
export function mongodbRunningServer(
  client: MongoClient,
  open: (appName: string) => Promise<MongoClient>,
): MongoRunningServer {
  const ownName = `${lockName} ${randomBytes(4).toString('hex')}`;
  let lock: MongoClient | null = null;
  const release = async () => {
    const held = lock;
    lock = null;
    await held?.close();
  };
  /** True if the server lists the own connection, and no connection of another run. */
  const isAlone = async (): Promise<boolean> => {
    const names = await lockNames(client.db('admin'));
    return names.includes(ownName) && names.every((name) => name === ownName);
  };
  const server = runningServer({
    async hold() {
      await requireLoneServer(client.db('admin'));
      lock ??= await open(ownName);
      // A connection that was lost, such as by a restart of the server, is opened again.
      await lock.db('admin').command({ ping: 1 });
      if (await isAlone()) return true;
      await release();
      return false;
    },
    states: async (names, asked = {}) =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => [name, await stateOf(client.db('admin'), name, asked[name])] as const),
        ),
      ),
    async write(entries) {
      for (const [name, entry] of Object.entries(entries)) {
        if (!(await isAlone())) throw heldByAnother();
        const now = await valueNow(client.db('admin'), name);
        await client.db('admin').command({ setParameter: 1, [name]: typedAs(name, now, entry ?? '') });
      }
    },
    isSame,
  });
  return { ...server, [Symbol.asyncDispose]: release };
}

/** The different names of the connections that stand for the lock. */
async function lockNames(admin: Db): Promise<readonly string[]> {
  const found = await admin
    .aggregate<{ readonly _id: string }>([
      { $currentOp: { allUsers: true, idleConnections: true } },
      { $match: { appName: { $regex: `^${lockName}` } } },
      { $group: { _id: '$appName' } },
    ])
    .toArray();
  return found.map(({ _id }) => _id);
}

/**
 * After a failover, the values of the former primary could not be given back, and a mongos has parameters of its own.
 */
async function requireLoneServer(admin: Db): Promise<void> {
  const { msg, hosts = [], passives = [] } = await admin.command({ hello: 1 });
  if (msg !== 'isdbgrid' && hosts.length + passives.length <= 1) return;
  throw new DynoError(
    'unsupported',
    'Dyno changes no parameters of clusters: after a failover or on another router, it could not give them back.',
    { hint: 'Use a server by itself, or a replica set of one member.' },
  );
}

/** `asked`: the value that is set next. */
async function stateOf(admin: Db, name: string, asked: string | undefined): Promise<ParameterState> {
  const told = await admin
    .command({ getParameter: { showDetails: true }, [name]: 1 }, { promoteValues: false })
    .catch(missing);
  const { value = null, settableAtRuntime } = (told?.[name] ?? {}) as Document;
  if (value === null) return { value, entry: null, refusal: unknownParameterText(name) };
  const text = String(value);
  const rounded = asked === undefined ? null : roundedAs(value, asked);
  const refusal = settableAtRuntime === false ? needsRestartText(name) : null;
  return { value: text, entry: text, refusal, ...(rounded !== null && { rounded }) };
}

/**
 * The value that the server makes of a number, by the type of the parameter: it cuts the fraction off a whole number,
 * and takes every number but 0 for true (BSONElement::tryCoerce). It refuses numbers beyond its bounds. Null for words.
 */
function roundedAs(value: unknown, asked: string): string | null {
  const number = Number(asked);
  if (!Number.isFinite(number)) return null;
  if (value instanceof Int32 || value instanceof Long) return String(Math.trunc(number));
  if (value instanceof Double) return String(number);
  return typeof value === 'boolean' ? String(number !== 0) : null;
}

const valueNow = async (admin: Db, name: string): Promise<unknown> =>
  (await admin.command({ getParameter: 1, [name]: 1 }))[name];

/** InvalidOptions: the version has no such parameter. */
function missing(thrown: unknown): null {
  if ((thrown as { readonly code?: unknown } | null)?.code === 72) return null;
  throw thrown;
}

/** The entry as the type of the parameter's value. The server judges a text in the place of a number. */
function typedAs(name: string, now: unknown, entry: string): unknown {
  const isNumber = Number.isFinite(Number(entry));
  if (typeof now !== 'boolean') return typeof now === 'number' && isNumber ? Number(entry) : entry;
  if (isNumber) return Number(entry);
  // The server would take every text for true.
  if (!/^(?:true|false)$/i.test(entry)) throw new DynoError('badInput', `${name} takes true or false.`);
  return /^true$/i.test(entry);
}
