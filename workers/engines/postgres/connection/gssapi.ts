/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.attachListeners, event error of Connection.
 */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { DynoError } from '#model/error.ts';
import type { PostgresConfig } from '../config.ts';

/**
 * Kerberos logins (pg_hba.conf's method gss), which `pg` does not support; it sees nothing of them. They need npm's
 * `kerberos`, native code that the user installs: Dyno's own packages run no program at their installation.
 */

/** The part of npm's `kerberos` that Dyno uses; tokens are base64. */
interface Kerberos {
  readonly GSS_MECH_OID_KRB5: number;
  initializeClient(service: string, options: { readonly mechOID: number }): Promise<Context>;
}
interface Context {
  step(challenge: string): Promise<string | null>;
}

type Connection = pg.Connection & {
  attachListeners(stream: Socket): void;
  emit(event: 'error', error: Error): void;
};

/** The first bytes of messages (PostgreSQL's protocol, “Message Formats”). */
const authentication = 'R'.charCodeAt(0);
const response = 'p'.charCodeAt(0);
const requests = { gss: 7, continue: 8 } as const;
const headBytes = 5;

/**
 * Makes the connection answer a server that asks for Kerberos. `kerberos` false: the target does not allow it, and the
 * login fails. `host`: the name of the service in Kerberos.
 */
export function answerGssapi(connection: pg.Connection, { kerberos, host }: PostgresConfig): void {
  const driver = connection as Connection;
  const attach = driver.attachListeners;
  const begins = () => (kerberos ? begin(host) : Promise.reject(notAllowed()));
  driver.attachListeners = (stream) => attach.call(driver, loginOf(stream, driver, host, begins));
}

const notAllowed = (): DynoError =>
  new DynoError('authentication', 'The server asks for a login by Kerberos, which this target does not allow.', {
    hint: 'Set its field kerberos to true, if this server may know who you are.',
  });

/**
 * Takes the place of the socket while `pg` attaches its listeners, and hands over all bytes of the login but
 * Kerberos's.
 */
function loginOf(stream: Socket, driver: Connection, host: string, begins: () => Promise<Context>): Socket {
  const on = (event: string, listener: (...values: unknown[]) => void) => {
    if (event === 'data') watch(stream, listener, driver, host, begins);
    else stream.on(event, listener);
  };
  return { on } as Socket;
}

function watch(
  stream: Socket,
  tell: (bytes: Buffer) => void,
  driver: Connection,
  host: string,
  begins: () => Promise<Context>,
): void {
  let rest: Buffer = Buffer.alloc(0);
  let context: Promise<Context> | null = null;
  const answer = async (challenge: Buffer) => {
    try {
      context ??= begins();
      const token = Buffer.from((await (await context).step(challenge.toString('base64'))) ?? '', 'base64');
      // The last challenge proves the server's identity and has no answer.
      if (token.length > 0) stream.write(messageOf(token));
    } catch (thrown) {
      driver.emit('error', refused(thrown, host));
    }
  };
  const read = (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= headBytes) {
      const end = 1 + rest.readUInt32BE(1);
      const isLogin = rest[0] === authentication && end >= headBytes + 4;
      if (isLogin && rest.length < end) return;
      const request = isLogin ? rest.readUInt32BE(headBytes) : null;
      if (request !== requests.gss && request !== requests.continue) {
        // No Kerberos follows, so the driver listens by itself from here on.
        stream.off('data', read).on('data', tell);
        tell(rest);
        return;
      }
      void answer(rest.subarray(headBytes + 4, end));
      rest = rest.subarray(end);
    }
  };
  stream.on('data', read);
}

function begin(host: string): Promise<Context> {
  const driver = kerberos();
  return driver.initializeClient(`postgres@${host}`, { mechOID: driver.GSS_MECH_OID_KRB5 });
}

function messageOf(token: Buffer): Buffer {
  const message = Buffer.alloc(headBytes + token.length, response);
  message.writeUInt32BE(headBytes - 1 + token.length, 1);
  token.copy(message, headBytes);
  return message;
}

/** @throws DynoError 'unsupported' if the package is not installed. */
function kerberos(): Kerberos {
  const place = process.env.DYNO_KERBEROS ?? 'kerberos';
  try {
    return createRequire(import.meta.url)(place) as Kerberos;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
    throw new DynoError('unsupported', `The server asks for Kerberos, which needs npm’s package kerberos: ${why}`, {
      hint: 'Install it in a folder of your own (npm install kerberos; it needs a compiler and the headers of libkrb5, Debian: libkrb5-dev), and set DYNO_KERBEROS to its path, which ends with node_modules/kerberos.',
    });
  }
}

const refused = (thrown: unknown, host: string): DynoError =>
  thrown instanceof DynoError
    ? thrown
    : new DynoError('authentication', `Kerberos: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
        hint: `Is there a ticket (klist; kinit gets one), and does the realm know the service postgres/${host}?`,
      });
