import type { Session } from '#engine-api/session.ts';
import type { PostgresConfig } from './config.ts';
import { type Connected, cancelRequest } from './connection/connect.ts';
import { reportWork } from './probe/probe.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';
import { simpleQuery } from './wire/messages.ts';
import { MessagesRequest, send } from './wire/requests.ts';

const [begin, commit, rollback] = [simpleQuery('BEGIN'), simpleQuery('COMMIT'), simpleQuery('ROLLBACK')];

export function openSession({ client, socket }: Connected, parsed: PostgresConfig, version: number): Session {
  const run = async (messages: Uint8Array) => void (await send(client, new MessagesRequest(messages)));
  return {
    prepare: (plan) => prepareOperation(client, plan),
    prepareStatement: (plan) => prepareCustomStatement(client, plan),
    begin: () => run(begin),
    commit: () => run(commit),
    rollback: () => run(rollback),
    cancel: () => cancelRequest(client, parsed),
    reportWork: () => reportWork(client, version),
    wireBytes: () => ({ sent: socket.bytesWritten, received: socket.bytesRead }),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
