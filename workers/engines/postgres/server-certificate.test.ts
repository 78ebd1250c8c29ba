import { readFileSync } from 'node:fs';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { makeCertificates, openssl } from '../shared/certificates.fixture.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

const canary = 'canary-7d1f-password';

test.skipIf(openssl === null)(
  'a certificate that is expired, of another host or another CA ends the login',
  async () => {
    const made = makeCertificates();
    onTestFinished(() => made[Symbol.dispose]());
    let heard = '';
    const failures = [];
    for (const { cert, key } of [made.expired, made.elsewhere, made.stranger]) {
      const options = { isServer: true, cert: readFileSync(cert), key: readFileSync(key) };
      // Agrees to TLS, and would then hear the password.
      await using server = await listening((socket) =>
        socket.once('data', () => {
          socket.write('S');
          const secured = new TLSSocket(socket, options);
          secured.on('error', () => {});
          secured.on('data', (data) => {
            heard += data.toString('latin1');
          });
        }),
      );
      const raw = {
        host: '127.0.0.1',
        port: server.port,
        user: 'x',
        password: canary,
        ssl: 'verify-full',
        ca: made.ca,
      };
      const opened = engine.open(config.parse(raw), 'dyno-cert', new AbortController().signal);
      failures.push(await failureOf(engine)(opened));
    }
    expect(failures).toMatchObject([
      { kind: 'tls', code: 'CERT_HAS_EXPIRED' },
      { kind: 'tls', code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      { kind: 'tls', message: expect.stringMatching(/certificate|issuer/i) },
    ]);
    expect(heard).toBe('');
  },
);
