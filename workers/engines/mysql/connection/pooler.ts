import type { Pooler } from '#engine-api/fingerprint.ts';
import { DynoError } from '#model/error.ts';
import type { MysqlConnection } from './connection.ts';

/**
 * The server's number of the session that answers. ProxySQL answers CONNECTION_ID() alone with a number of its own, but
 * passes a sum on to the server.
 */
async function sessionOf(connection: MysqlConnection): Promise<string> {
  const { rows } = await connection.query('SELECT CONCAT(CONNECTION_ID() + 0)');
  return String(rows?.[0]?.[0]);
}

/** The greeting has 32 bits of the number. */
const asGreeted = (session: string): number => Number(BigInt(session) & 0xff_ff_ff_ffn);

/** The number of times that the sessions of two connections are compared. */
const rounds = 3;

/**
 * The pooler or proxy of a connection; null: none. A server reports the number of the session in its greeting, where a
 * proxy has another number. Nothing is set for this. `another` opens one more connection. Absent: it is known how the
 * proxy shares the server's connections, or does not matter.
 */
export async function findPooler(
  connection: MysqlConnection,
  another: (() => Promise<MysqlConnection>) | null,
): Promise<Pooler | null> {
  const first = await sessionOf(connection);
  if (asGreeted(first) === connection.threadId) return null;
  const name = await productOf(connection);
  if (another === null) return { ...name, shares: 'sessions', keepsStatements: true };
  const other = await another();
  try {
    for (let round = 0; round < rounds; round++)
      if ((await sessionOf(other)) === first || (await sessionOf(connection)) !== first)
        return { ...name, shares: 'transactions', keepsStatements: true };
  } finally {
    other.destroy();
  }
  return { ...name, shares: 'sessions', keepsStatements: true };
}

/** ProxySQL itself answers this text. */
async function productOf(connection: MysqlConnection): Promise<Pick<Pooler, 'name'>> {
  const { rows } = await connection.query('select @@version_comment limit 1');
  return /ProxySQL/i.test(String(rows?.[0]?.[0])) ? { name: 'ProxySQL' } : {};
}

/**
 * Time zone, SQL mode and isolation are set in the session. ProxySQL follows each SET, and repeats it on the connection
 * that it takes for the session's next statement; other pools may not.
 * @throws DynoError 'unsupported'
 */
export function refuseUnfollowed({ name, shares }: Pooler): void {
  if (shares === 'sessions' || name !== undefined) return;
  throw new DynoError(
    'unsupported',
    'The connection goes through a pooler that shares the server’s connections by transaction: what Dyno sets in a session (time zone, SQL mode, isolation level) would be on another one, and would stay there for others.',
    { hint: 'Connect to the server itself, or through a pooler that gives each session a connection of its own.' },
  );
}
