import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { test as anyTest, expect } from 'vitest';
import { findProgram } from '#managed-servers/install/tools.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { findEngine } from '../catalog.ts';
import { loadEngine } from '../load.ts';
import { failureOf } from '../shared/failure.fixture.ts';

/**
 * Through a network emulator (ConfigParser.through) certificates are still checked against the target's own name: every
 * driver that can be had to begin TLS with a server that knows nothing else. MySQL's are tested on a real one
 * (mysql/connection/tls.test.ts).
 */
const openssl = findProgram(['openssl']);
const test = anyTest.skipIf(openssl === null);
let folder: string;
let server: Server;
/** The names that clients asked the server for. */
const asked: (string | false)[] = [];

const certificate = () => join(folder, 'cert.pem');
const both = () => join(folder, 'both.pem');

beforeTests(async (opened) => {
  folder = temporaryFolder(opened);
  const subject = ['-subj', '/CN=db.example', '-addext', 'subjectAltName=DNS:db.example'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', '-x509', ...key, '-days', '2', ...subject];
  execFileSync(openssl!, [...args, '-keyout', both(), '-out', certificate()], { stdio: 'ignore' });
  const cert = readFileSync(certificate(), 'utf8');
  const secureContext = createSecureContext({ cert, key: readFileSync(both(), 'utf8') });
  appendFileSync(both(), cert);
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => {
      // PostgreSQL's SSLRequest (8 bytes) is answered with an S; all else is TLS.
      const first: Buffer = socket.read() ?? Buffer.alloc(0);
      if (first.length === 8 && first[0] === 0) socket.write('S');
      else socket.unshift(first);
      secure(socket);
    });
  }).listen(0, '127.0.0.1');
  function secure(socket: Socket): void {
    const tls = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['tds/8.0', 'http/1.1'] });
    tls.on('error', () => {});
    tls.on('secure', () => {
      asked.push((tls as TLSSocket & { readonly servername: string | false }).servername);
      tls.destroy();
    });
  }
  opened.defer(() => void server.close());
  await once(server, 'listening');
});

const targets: Readonly<Record<string, (host: string) => Readonly<Record<string, unknown>>>> = {
  postgres: (host) => ({ host, ssl: 'verify-full', ca: certificate() }),
  sqlserver: (host) => ({ host, encrypt: 'strict', ca: certificate(), connectTimeoutMs: 2_000 }),
  mongodb: (host) => ({ host, tls: 'verify-full', tlsCAFile: certificate(), connectTimeoutMs: 2_000 }),
  drda: (host) => ({ host, database: 'd', ssl: 'verify-full', ca: certificate() }),
  ravendb: (host) => ({ url: `https://${host}`, certificate: both(), ca: certificate() }),
};

test.each(Object.keys(targets))('%s', async (id) => {
  const engine = await loadEngine(id);
  const { config } = findEngine(id)!;
  const { port } = server.address() as AddressInfo;
  const reach = (host: string) => {
    const through = config.through!(config.parse(targets[id]!(host)), () => ({ host: '127.0.0.1', port }));
    return failureOf(engine)(engine.open(through, 'dyno-via', new AbortController().signal));
  };
  asked.length = 0;
  // The server hangs up once TLS is there, so that each driver fails, but not for the certificate.
  expect((await reach('db.example'))?.message).not.toMatch(/certificate|altname/i);
  expect(asked[0]).toBe('db.example');
  const refused = await reach('other.example');
  expect(refused).toMatchObject({ kind: 'tls' });
  expect(refused?.message).toContain('other.example');
});
