import type { Session } from '#engine-api/session.ts';
import type { PostgresConfig } from './config.ts';
import { type Connected, cancelRequest } from './connection/connect.ts';
import { reportWork } from './probe/probe.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';
import { CallRequest } from './wire/call-request.ts';
import { simpleQuery } from './wire/messages.ts';
import { setPipelining } from './wire/requests.ts';

export function openSession(connected: Connected, parsed: PostgresConfig, version: number): Session {
  const { client, socket, lean } = connected;
  const command = (text: string): (() => Promise<void>) => {
    const messages = simpleQuery(text);
    if (lean)
      return () =>
        new Promise((resolve, failed) => lean.send(new CallRequest(messages, { answered: () => resolve(), failed })));
    return async () => {
      setPipelining(client, false);
      await client.query(text);
    };
  };
  return {
    prepare: (plan) => prepareOperation(connected, plan),
    prepareStatement: (plan) => prepareCustomStatement(connected, plan),
    begin: command('BEGIN'),
    commit: command('COMMIT'),
    rollback: command('ROLLBACK'),
    cancel: () => cancelRequest(client, parsed),
    reportWork: () => reportWork(client, version),
    wireBytes: () => ({ sent: socket.bytesWritten, received: socket.bytesRead }),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
