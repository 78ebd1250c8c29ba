import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { makeCertificates, openssl } from '../../shared/certificates.fixture.ts';
import { config, type SqlServerConfig } from '../config.ts';
import { close, connect } from '../connection/connect.ts';
import { toError } from '../errors.ts';
import { sessionOptions } from '../options.ts';
import { leanCalls } from './calls.ts';
import { LeanPath } from './lean-path.ts';
import { rpcRequest } from './request.ts';
import { done, encryptedGreeting, errorToken, packet, resultTokens, serveTds } from './tds-server.fixture.ts';
import { doneToken } from './tokens.fixture.ts';

const certificates = openssl === null ? null : makeCertificates();
afterAll(() => certificates?.[Symbol.dispose]());

const secured = (socket: Duplex): Duplex => {
  const { cert, key } = certificates!.server;
  return new TLSSocket(socket as Socket, {
    ...{ isServer: true, cert: readFileSync(cert), key: readFileSync(key), ALPNProtocols: ['tds/8.0'] },
  }).on('error', () => {});
};

const greetingType = 0x12;
const headerBytes = 8;

/** TLS within TDS: after the greeting, packets carry the records of the handshake, and then there are records alone. */
function securedAfterGreeting(socket: Socket): Duplex {
  const [inner, outer] = duplexPair();
  let isGreeted = false;
  let isOver = false;
  let flight: Buffer[] = [];
  const sendFlight = () => {
    socket.write(packet(Buffer.concat(flight)));
    flight = [];
  };
  outer.on('data', (records: Buffer) => {
    if (isOver) socket.write(records);
    else if (flight.push(records) === 1) setImmediate(sendFlight);
  });
  socket.on('data', (bytes: Buffer) => {
    isOver ||= bytes[0] !== greetingType;
    if (isOver) outer.write(bytes);
    else if (isGreeted) outer.write(bytes.subarray(headerBytes));
    else socket.write(encryptedGreeting);
    isGreeted = true;
  });
  return secured(inner);
}

const answer = (body: Buffer) => {
  const words = body.toString('latin1');
  if (words.includes('rows')) return { tokens: resultTokens(['a'], [['1'], ['x'.repeat(3_000)], [null]]) };
  if (words.includes('error'))
    return { tokens: Buffer.concat([errorToken(2627, 14, 'There is one.'), doneToken('done', null, 2)]) };
  return { tokens: done(null) };
};

/** The skipped tests say why. */
const without = openssl === null ? ' (SKIPPED: OpenSSL is not installed)' : '';
test.skipIf(openssl === null).each([
  ['true', securedAfterGreeting],
  ['strict', secured],
] as const)(`calls take the lean path with encrypt: %s${without}`, async (encrypt, secure) => {
  await using server = await listening((socket) => serveTds(secure(socket), answer));
  const { ca } = certificates!;
  const raw = { host: '127.0.0.1', port: server.port, user: 'app', password: 'x', encrypt, ca };
  const connection = await connect(config.parse(raw) as SqlServerConfig, 'dyno-test', {
    ...sessionOptions({}),
    isLean: true,
  });
  const calls = leanCalls(new LeanPath(connection), rpcRequest);
  const ask = (words: string) => calls.ask(calls.call(calls.head(Buffer.from(words))));
  for (let i = 0; i < 3; i++) {
    expect(await ask('rows')).toBe(3);
    expect(toError(await ask('error').catch((thrown: unknown) => thrown))).toMatchObject({ kind: 'uniqueViolation' });
    expect(await ask(`rows ${'of a long call'.repeat(5_000)}`)).toBe(3);
  }
  await close(connection);
});
