import { sharedWriter } from '../bytes/byte-writer.ts';
import { codePoints } from '../ddm/code-points.ts';
import { DrdaError } from '../errors.ts';
import { tokenSeparator } from '../sql/sqlcard.ts';
import type { Session } from './cursor.ts';
import type { LoggedIn, ServerFacts } from './handshake.ts';
import { ChangesReply } from './replies.ts';
import { endUnitOfWork, executeImmediate, packageName } from './requests.ts';
import { PreparedStatement, prepareSection, type Statement } from './statement.ts';
import type { Transport } from './transport.ts';

/**
 * A session with a database. Calls are sent at once and answered in order, so that several can be in flight. Only
 * `commit`, and calls that ask for it, commit anything.
 */
export interface DrdaConnection extends AsyncDisposable {
  readonly server: ServerFacts;
  /**
   * Executes a statement without parameters and rows; resolves with the number of changed rows. `commit`: the commit
   * goes in the same write.
   */
  execute(sql: string, options?: { readonly commit?: boolean }): Promise<number>;
  /** Prepares a statement, and has its result and its parameters described. */
  prepare(sql: string): Promise<Statement>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /**
   * The server's own sentence for an SQL error, in English; null if it has none. Derby needs a call for it, which runs
   * in the current transaction. Rejects like any other call.
   */
  explain(error: DrdaError): Promise<string | null>;
  /** Bytes of messages, without those of TLS and TCP, and of the login's first attempt. */
  wireBytes(): { readonly sent: number; readonly received: number };
  /** Rolls back an open transaction and closes the connection. Never rejects. */
  close(): Promise<void>;
  /** Ends the socket at once; calls in flight reject with kind 'closed'. */
  destroy(): void;
  readonly isAlive: boolean;
}

/** The first section of a package is for statements that are not prepared. */
const immediateSection = 1;
const lastSection = 32_767;
const closeTimeoutMs = 5_000;

export function openConnection(
  transport: Transport,
  database: string,
  { server, encode, dialect }: LoggedIn,
): DrdaConnection {
  const packaged = packageName(database, encode);
  const free: number[] = [];
  let newest = immediateSection;
  const session: Session = {
    transport,
    packaged,
    dialect,
    freeSection: (section) => {
      free.push(section);
    },
  };

  function takeSection(): number {
    const freed = free.pop();
    if (freed !== undefined) return freed;
    if (newest === lastSection)
      throw new DrdaError('limit', `${lastSection - immediateSection} statements are open: close some.`);
    newest++;
    return newest;
  }

  function changes(chain: Buffer, commands: number): Promise<number> {
    return new Promise((resolve, reject) => {
      transport.send(chain, new ChangesReply(commands, null, transport.limits, { resolve, reject }));
    });
  }

  function endWork(codePoint: number): Promise<number> {
    const to = sharedWriter();
    endUnitOfWork(to, codePoint, 1);
    return changes(to.copy(), 1);
  }

  const connection: DrdaConnection = {
    server,
    async execute(sql, { commit = false } = {}) {
      const to = sharedWriter();
      executeImmediate(to, packaged, immediateSection, sql, commit);
      return changes(to.copy(), commit ? 2 : 1);
    },
    async prepare(sql) {
      const section = takeSection();
      try {
        return new PreparedStatement(session, section, sql, await prepareSection(session, section, sql));
      } catch (thrown) {
        free.push(section);
        throw thrown;
      }
    },
    async commit() {
      await endWork(codePoints.RDBCMM);
    },
    async rollback() {
      await endWork(codePoints.RDBRLLBCK);
    },
    async explain(error) {
      if (error.sqlState === null) return null;
      const procedure = await connection.prepare(explainSql);
      try {
        return await explain(procedure, error);
      } finally {
        await procedure.close();
      }
    },
    wireBytes: () => transport.wireBytes(),
    async close() {
      if (!transport.isAlive) return;
      const timer = setTimeout(() => transport.destroy(closed()), closeTimeoutMs);
      await endWork(codePoints.RDBRLLBCK).catch(() => {});
      clearTimeout(timer);
      transport.destroy(closed());
    },
    destroy: () => transport.destroy(closed()),
    get isAlive() {
      return transport.isAlive;
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
    },
  };
  return connection;
}

const closed = (): DrdaError => new DrdaError('closed', 'The connection was closed by this side.');

/**
 * Derby and its forks send the id of an error and its details; a procedure makes the sentence, as Derby's own client
 * calls it. Its parameters are the fields of the SQLCARD. The fifteenth is the text, and the last one is 0 if there is
 * a text.
 */
const explainSql = `CALL SYSIBM.SQLCAMESSAGE(${Array(16).fill('?').join(', ')})`;

/** The server's sentence; null if it has none. */
async function explain(procedure: Statement, { sqlCode, sqlState, tokens }: DrdaError): Promise<string | null> {
  const message = tokens.join(tokenSeparator);
  const counters = [0, 0, 0, 0, 0, 0];
  const row = procedure.encode([
    [sqlCode, message.length, message, '', ...counters, ' ', sqlState, null, 'en_US', null, null],
  ]);
  const output = await procedure.call(row);
  const [text, code] = [output[14], output[15]];
  return code === 0 && typeof text === 'string' ? text : null;
}
