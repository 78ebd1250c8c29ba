import { setTimeout as sleep } from 'node:timers/promises';
import type { Session, TransactionStep } from '#engine-api/session.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { DynoError } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import type { ReportedSettings } from '#model/settings/session-settings.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { withTextUuids } from '../shared/text-uuids.ts';
import { ownDatabase } from './config.ts';
import { connect, type DriverName } from './connection/connect.ts';
import type { ConnectionRequest, Flavour, MysqlConnection, TextCall } from './connection/connection.ts';
import { descriptor } from './descriptor.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { checkSupport, flavourOf, prepareOperation } from './statements/operations.ts';
import { beginReading, ReadOnlyTurns } from './statements/read-only-turns.ts';
import type { SessionState } from './statements/server-loop.ts';
import { sessionLanguage } from './statements/session-language.ts';
import { literal } from './values/values.ts';

const killAgainMs = 50;

/** The server reports names in its own case; a name that it does not report is null. */
async function readSettings(connection: MysqlConnection, names: readonly string[]): Promise<ReportedSettings> {
  const { rows } = await connection.query(
    `SHOW SESSION VARIABLES WHERE Variable_name IN (${names.map(literal).join(', ')})`,
  );
  const values = new Map((rows ?? []).map(([name, value]) => [String(name).toLowerCase(), String(value)]));
  return Object.fromEntries(names.map((name) => [name, values.get(name.toLowerCase()) ?? null]));
}

/** The server reports an empty cipher for a session without TLS. */
async function readTls(connection: MysqlConnection): Promise<string | null> {
  const { rows } = await connection.query("SHOW SESSION STATUS WHERE Variable_name IN ('Ssl_version', 'Ssl_cipher')");
  const values = new Map((rows ?? []).map(([name, value]) => [String(name), String(value)]));
  const cipher = values.get('Ssl_cipher');
  if (cipher === undefined) return null;
  return cipher === '' ? 'off' : `${values.get('Ssl_version') ?? ''} ${cipher}`.trim();
}

const commandsOf = (connection: MysqlConnection, begin: string): Readonly<Record<TransactionStep, TextCall>> => ({
  begin: connection.encode(begin),
  commit: connection.encode('COMMIT'),
  rollback: connection.encode('ROLLBACK'),
});

/**
 * One physical connection. Drivers fix some options when they connect, so a method with other options gets a new
 * connection in place of the first.
 */
export async function openSession(
  request: Omit<ConnectionRequest, 'flavour'>,
  options: Options,
  control: MysqlConnection,
): Promise<Session> {
  const database = ownDatabase(request.config);
  const driver: DriverName = options.driver === 'mariadb' ? 'mariadb' : 'mysql2';
  const lean = options.path !== 'driver';
  let flavour: Flavour = 'usual';
  let connection = await connect(driver, { ...request, flavour, lean });
  const { readOnly } = request.config;
  const begin = readOnly ? beginReading : 'START TRANSACTION';
  let commands = commandsOf(connection, begin);
  /** Null: the session may write. */
  let turns = readOnly ? new ReadOnlyTurns(connection) : null;
  /** Null: this connection has prepared no custom statement yet. */
  let language: StatementLanguage | null = null;
  let before = { sent: 0, received: 0 };
  const state: SessionState = { inTransaction: false, looping: false };
  const wireBytes = () => {
    const { sent, received } = connection.wireBytes();
    return { sent: before.sent + sent, received: before.received + received };
  };
  const takeFlavour = async (wanted: Flavour) => {
    if (wanted === flavour) return;
    if (state.inTransaction)
      throw new DynoError('internal', 'The transaction would stay behind on another connection.');
    const next = await connect(driver, { ...request, flavour: wanted, lean });
    before = wireBytes();
    await connection.end();
    [connection, flavour, language] = [next, wanted, null];
    commands = commandsOf(connection, begin);
    turns &&= new ReadOnlyTurns(connection);
  };
  const transact: NonNullable<Session['transact']> = (step, caller) => {
    const answered = (rows: number | null) => {
      state.inTransaction = step === 'begin';
      caller.answered(rows);
    };
    const failed = (thrown: unknown) => {
      // A transaction may still be open after a commit that failed.
      if (step === 'rollback') state.inTransaction = false;
      caller.failed(thrown);
    };
    connection.start!(commands[step] as Uint8Array, { answered, failed });
  };
  const stop = () => control.query(`KILL QUERY ${connection.threadId}`);
  const command = async (step: TransactionStep) => {
    await turns?.ready();
    try {
      await connection.run(commands[step]);
    } finally {
      if (step !== 'begin') turns?.next();
    }
  };
  return {
    async prepare(plan) {
      checkSupport(plan, driver);
      await takeFlavour(flavourOf(plan.method, driver));
      await turns?.ready();
      return prepareOperation(connection, database, plan, state);
    },
    async prepareStatement(plan) {
      supportOf(descriptor, 'statement', plan.method);
      await takeFlavour(flavourOf(plan.method, driver));
      language ??= await sessionLanguage(connection, 'sql_mode' in request.config.sessionSettings);
      const spoken = language;
      await turns?.ready();
      const own = await withTextUuids(plan, spoken, (one) =>
        prepareCustomStatement(connection, database, one, spoken, stop),
      );
      return turns ? turns.of(own, () => state.inTransaction) : own;
    },
    readSettings: (names) => readSettings(connection, names),
    readTls: () => readTls(connection),
    async begin() {
      await command('begin');
      state.inTransaction = true;
    },
    async beginReading() {
      await turns?.ready();
      await connection.query(beginReading);
      state.inTransaction = true;
    },
    async commit() {
      await command('commit');
      state.inTransaction = false;
    },
    async rollback() {
      state.inTransaction = false;
      await command('rollback');
    },
    ...(connection.start && !turns && { transact }),
    // A read-only session is always within a transaction of its own.
    inTransaction: () => (turns ? state.inTransaction : connection.inTransaction()),
    async cancel() {
      await stop();
      // MariaDB forgets a KILL QUERY that comes between two statements of a procedure.
      while (state.looping) {
        await sleep(killAgainMs);
        if (state.looping) await stop();
      }
    },
    wireBytes,
    [Symbol.asyncDispose]: () => connection.end(),
  };
}
