import type pg from 'pg';
import type { Session, TransactionStep } from '#engine-api/session.ts';
import type { ReportedSettings } from '#model/settings/session-settings.ts';
import type { PostgresConfig } from './config.ts';
import { type Connected, cancelRequest } from './connection/connect.ts';
import { leaveSession, poolerOf } from './connection/pooler.ts';
import { reportWork } from './probe/probe.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';
import { CallRequest } from './wire/call-request.ts';
import { simpleQuery } from './wire/messages.ts';
import { beginReading } from './wire/own-transactions.ts';
import { setPipelining } from './wire/requests.ts';

const transactionTexts = { begin: 'BEGIN', commit: 'COMMIT', rollback: 'ROLLBACK' } as const;
const transactionMessages = {
  begin: simpleQuery(transactionTexts.begin),
  commit: simpleQuery(transactionTexts.commit),
  rollback: simpleQuery(transactionTexts.rollback),
};

/** T: in a transaction. E: in a failed one. */
const isOpen = (status: string | null): boolean => status === 'T' || status === 'E';

export function openSession(connected: Connected, parsed: PostgresConfig, version: number): Session {
  const { client, socket, lean, own } = connected;
  const transact: NonNullable<Session['transact']> | null =
    lean && ((step, caller) => lean.transact(new CallRequest(messageOf(step, own), caller), step === 'begin'));
  const command = (step: TransactionStep): (() => Promise<void>) => {
    if (transact) return () => new Promise((resolve, failed) => transact(step, { answered: () => resolve(), failed }));
    return async () => {
      setPipelining(client, false);
      await client.query(transactionTexts[step]);
    };
  };
  return {
    prepare: (plan) => prepareOperation(connected, plan),
    prepareStatement: (plan) => prepareCustomStatement(connected, plan),
    begin: command('begin'),
    async beginReading() {
      setPipelining(client, false);
      await client.query(beginReading);
    },
    commit: command('commit'),
    rollback: command('rollback'),
    ...(transact && { transact }),
    inTransaction: lean ? () => lean.inTransaction : () => isOpen(client.getTransactionStatus()),
    cancel: () => cancelRequest(client, parsed),
    readSettings: (names) => readSettings(client, names),
    readTls: () => readTls(client),
    reportWork: () => reportWork(client, version),
    wireBytes: () => ({ sent: socket.bytesWritten, received: socket.bytesRead }),
    async [Symbol.asyncDispose]() {
      await leaveSession(client);
      await client.end();
    },
  };
}

/** Names that the server does not know are null; behind a pooler the query runs in a transaction with the settings. */
async function readSettings(client: pg.Client, names: readonly string[]): Promise<ReportedSettings> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    'SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Behind a pooler, pg_stat_ssl tells of the pooler's own connection. */
async function readTls(client: pg.Client): Promise<string | null> {
  if (poolerOf(client) !== null) return null;
  const { rows } = await client.query<{ told: string }>(
    `SELECT CASE WHEN ssl THEN concat_ws(' ', version, cipher) ELSE 'off' END AS told
       FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
  );
  return rows[0]?.told ?? null;
}

const messageOf = (step: TransactionStep, own: Connected['own']): Uint8Array =>
  step === 'begin' && own?.isNeeded ? simpleQuery(own.begin) : transactionMessages[step];
