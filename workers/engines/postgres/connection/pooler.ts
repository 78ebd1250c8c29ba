/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each: Client.processID,
 * Connection.parsedStatements, Submittable.handleDataRow, Submittable.handleRowDescription, Submittable.submit.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { Pooler } from '#engine-api/fingerprint.ts';
import { DynoError } from '#model/error.ts';
import { executeUnnamed, parse } from '../wire/messages.ts';
import { Request, send } from '../wire/requests.ts';

type Client = pg.Client & { readonly processID: number | null };

/** The poolers of clients whose connections go through one. */
const poolers = new WeakMap<pg.Client, Pooler>();

/** The pooler of a connection; null: none. */
export const poolerOf = (client: pg.Client): Pooler | null => poolers.get(client) ?? null;

export const notePooler = (client: pg.Client, pooler: Pooler): void => void poolers.set(client, pooler);

async function backendOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: string }>('SELECT pg_backend_pid()::text AS pid');
  return rows[0]!.pid;
}

/**
 * Names a session, unless its connection goes through a pooler; returns true if it does. At login a server reports its
 * process (BackendKeyData), for CancelRequest; a pooler has no process for a connection, and invents the number. The
 * pool may hand out the same process again and again, so only the number of the login tells. Behind a pooler nothing is
 * set, not even the name: a pool would pass it on with the connection.
 */
export async function nameUnlessPooled(client: pg.Client, name: string): Promise<boolean> {
  const own = (client as Client).processID;
  // The query is sent even if the login reported no number: a program that only answers the login is no server.
  if ((await backendOf(client)) !== String(own)) return true;
  const { rows } = await client.query<{ named: string | null }>(
    `SELECT CASE WHEN pg_backend_pid() = $1 THEN set_config('application_name', $2, false) END AS named`,
    [own, name],
  );
  return rows[0]?.named == null;
}

/** The number of times that the processes of two connections are compared, and the ms that an answer may take. */
const rounds = 4;
const patienceMs = 3_000;

/**
 * Finds out how a pooler shares the server's connections. `another` opens one more connection through it. An unclear
 * answer counts as a pool of transactions, where Dyno assumes the least.
 */
export async function findPooler(client: pg.Client, another: () => Promise<pg.Client>): Promise<Pooler> {
  const shares = await sharesOf(client, another);
  return { shares, keepsStatements: shares === 'sessions' || (await keepsStatements(client)) };
}

async function sharesOf(client: pg.Client, another: () => Promise<pg.Client>): Promise<Pooler['shares']> {
  const first = await backendOf(client);
  let other: pg.Client;
  try {
    other = await another();
  } catch {
    return 'transactions';
  }
  const compare = async (): Promise<Pooler['shares']> => {
    for (let round = 0; round < rounds; round++) {
      // No transaction is open while the other connection asks, because the pool may have a single connection.
      await other.query('BEGIN');
      const pid = await backendOf(other);
      await other.query('ROLLBACK');
      if (pid === first || (await backendOf(client)) !== first) return 'transactions';
    }
    return 'sessions';
  };
  const late = Promise.withResolvers<'transactions'>();
  const timer = setTimeout(() => late.resolve('transactions'), patienceMs);
  try {
    return await Promise.race([compare(), late.promise]);
  } catch (error) {
    if (error instanceof Error && /statement pooling/.test(error.message))
      throw new DynoError('unsupported', `The pooler shares the server’s connections by statement: ${error.message}`, {
        hint: 'Dyno needs transactions: give the database pool_mode = transaction or session, or connect to the server itself.',
      });
    return 'transactions';
  } finally {
    clearTimeout(timer);
    // A connection that waits in the pool would not end by itself.
    (other.connection.stream as Socket).destroy();
  }
}

const triedName = 'dyno_tried';
const closeStatement = (name: string): Buffer => {
  const body = Buffer.from(`S${name}\0`);
  const head = Buffer.from([0x43, 0, 0, 0, 0]);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

/**
 * Tests if the pooler supports named statements, by giving them names of its own at the server (PgBouncer 1.21 and
 * newer, with max_prepared_statements). The name is made and closed in one message, so that none is left.
 */
async function keepsStatements(client: pg.Client): Promise<boolean> {
  const request = new TryName();
  await send(client, request);
  return request.found === '0';
}

class TryName extends Request {
  found: string | null = null;
  submit(connection: pg.Connection): void {
    const asked = executeUnnamed('SELECT count(*) FROM pg_prepared_statements WHERE name = $1', [triedName]);
    const withoutSync = asked.subarray(0, asked.length - 5);
    const messages = [parse(triedName, 'SELECT 1', []), withoutSync, closeStatement(triedName), asked.subarray(-5)];
    (connection.stream as Socket).write(Buffer.concat(messages));
  }
  handleRowDescription(): void {}
  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.found = String(fields[0]);
  }
}

/**
 * Refuses a feature that would stay with a connection of the pool: the next call may not get that connection, and
 * somebody else would.
 * @throws DynoError 'unsupported'
 */
export function refuseInPool(client: pg.Client, what: string): void {
  const pooler = poolerOf(client);
  if (pooler === null || pooler.shares === 'sessions') return;
  throw new DynoError(
    'unsupported',
    `The connection goes through a pooler that shares the server’s connections by transaction: ${what}`,
    { hint: 'Connect to the server itself or through a pool of sessions (pool_mode = session).' },
  );
}

/** Refuses a named statement, unless the pooler supports them. */
export function refuseNames(client: pg.Client): void {
  if (poolerOf(client)?.keepsStatements) return;
  refuseInPool(
    client,
    'a named statement would be on another connection than its calls (26000), and in the way of others (42P05). Take the methods literal and bind, or PgBouncer 1.21 or newer with max_prepared_statements.',
  );
}

/**
 * Removes what Dyno has left in a session that the pool hands on: a pool with an empty server_reset_query keeps it.
 * Never rejects, because the pool closes a lost connection.
 */
export async function leaveSession(client: pg.Client): Promise<void> {
  if (poolerOf(client)?.shares !== 'sessions') return;
  const { parsedStatements } = client.connection as pg.Connection & {
    readonly parsedStatements: Readonly<Record<string, string>>;
  };
  const names = Object.keys(parsedStatements);
  const loops = ['pg_temp.dyno_loop', 'pg_temp.dyno_commits'];
  const texts = [
    ...names.map((name) => `DEALLOCATE "${name}"`),
    ...loops.map((loop) => `DROP ROUTINE IF EXISTS ${loop}(bigint)`),
  ];
  for (const text of texts) await client.query(text).catch(() => {});
}
