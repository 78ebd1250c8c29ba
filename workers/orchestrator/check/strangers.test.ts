import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import { sharedTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { CheckReport, FieldValues } from '#model/connections.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { checkTarget } from './check-connection.ts';
import { whoAnswers } from './who-answers.ts';

// Real processes, on machines that may be busy. Checks wait for time limits: those of two engines at the same time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000, maxConcurrency: 2 });

const badRequest = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
/** This is the part of MariaDB's first packet that the check reads. */
const handshake = Buffer.from('\x2e\0\0\0\x0a5.5.5-10.11.6-MariaDB\0\x01\0\0\0abcdefgh\0\xfe\xf7\xff', 'latin1');

const strangers = {
  http: (socket: Socket) => socket.once('data', () => socket.end(badRequest)),
  ssh: (socket: Socket) => void socket.write('SSH-2.0-OpenSSH_9.2p1\r\n'),
  silent: () => {},
  hangsUp: (socket: Socket) => socket.destroy(),
  postgres: (socket: Socket) =>
    socket.once('data', (data) => (data.readInt32BE(4) === 80_877_103 ? socket.write('N') : socket.destroy())),
  mysql: (socket: Socket) => {
    socket.write(handshake);
    socket.once('data', () => socket.destroy());
  },
} as const satisfies Record<string, (socket: Socket) => unknown>;
type Stranger = keyof typeof strangers;

/** Expected words of the message, per case. */
const words: Readonly<Record<Stranger, RegExp>> = {
  http: /is answered by an HTTP server, not by/,
  ssh: /is answered by an SSH server, not by/,
  silent: /accepts connections there, and says nothing/,
  hangsUp: /accepts connections there, and closes them at once/,
  postgres: /is answered by PostgreSQL, not by/,
  mysql: /is answered by MySQL \/ MariaDB, not by/,
};

/** A target of each engine as a file writes it. Drivers with long time limits get shorter ones here. */
const targets: Readonly<Record<string, (port: number) => Readonly<Record<string, unknown>>>> = {
  postgres: (port) => ({ host: '127.0.0.1', port, connectTimeoutMs: 2_000 }),
  mysql: (port) => ({ host: '127.0.0.1', port, connectTimeoutMs: 2_000 }),
  sqlserver: (port) => ({ host: '127.0.0.1', port, user: 'sa', password: 'x', connectTimeoutMs: 2_000 }),
  oracle: (port) => ({
    connectString: `127.0.0.1:${port}/FREEPDB1`,
    user: 'x',
    password: 'x',
    connectTimeoutMs: 2_000,
  }),
  mongodb: (port) => ({ url: `mongodb://127.0.0.1:${port}/?directConnection=true`, connectTimeoutMs: 2_000 }),
  ravendb: (port) => ({ url: `http://127.0.0.1:${port}`, database: 'x' }),
  drda: (port) => ({ host: '127.0.0.1', port, database: 'x', connectTimeoutMs: 2_000 }),
};

/** The same target at another address, which stands in brackets within a URL. */
const at = (host: string, target: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(target).map(([name, value]) => [
      name,
      value === '127.0.0.1' ? host : typeof value === 'string' ? value.replace('127.0.0.1', `[${host}]`) : value,
    ]),
  );

async function check(home: Home, engine: string, stranger: Stranger, host = '127.0.0.1'): Promise<CheckReport> {
  await using server = await listening(strangers[stranger], { host, port: 0 });
  return await checkAt(home, engine, at(host, targets[engine]?.(server.port) ?? {}));
}

const checkAt = (home: Home, engine: string, fields: Readonly<Record<string, unknown>> | undefined) =>
  checkTarget({
    home,
    target: usersConnection({ id: 'a1', name: 'x', engine, values: fields as FieldValues, passwords: {} }),
    variables: {},
    signal: new AbortController().signal,
    onChange: () => {},
  });

const loopback = { host: '127.0.0.1', port: 0 } as const;

describe('a check of a port at which something else answers says so', () => {
  const test = sharedHome();

  it.concurrent.for(smokeOf(Object.keys(targets), 2))('%s', async (engine) => {
    const others = (Object.keys(strangers) as Stranger[]).filter((one) => one !== engine);
    const reports = await Promise.all(
      others.map(async (stranger) => ({ stranger, steps: (await check(test.home, engine, stranger)).steps })),
    );
    for (const report of reports) {
      const failed = report.steps.find(({ state }) => state === 'failed');
      const said = `${failed?.error?.message}\n${failed?.error?.hint}`;
      expect(said, `${engine} at ${report.stranger}`).toMatch(words[report.stranger]);
      expect(said, `${engine} at ${report.stranger}`).toMatch(/port of another service/);
    }
  });
});

/** These first bytes can make a driver loop, wait for gigabytes, or accept whatever follows. */
const hostile: Readonly<Record<string, (socket: Socket) => void>> = {
  'a message of length zero': (socket) => void socket.write(Buffer.alloc(4)),
  'a flood of zeros': (socket) => flood(socket, Buffer.alloc(65_536)),
  'a length of 2 GiB, big-endian': (socket) => flood(socket, Buffer.from('7fffffff'.repeat(16_384), 'hex')),
  'a length of 2 GiB, little-endian': (socket) => flood(socket, Buffer.from('ffffff7f'.repeat(16_384), 'hex')),
  'a byte now and then': (socket) => {
    const drip = setInterval(() => socket.write('R'), 50);
    socket.once('close', () => clearInterval(drip));
  },
};

/** Sends 16 MiB, more than any login reads. Each write has its own turn of the event loop, so the end is noticed. */
function flood(socket: Socket, chunk: Buffer, left = 256): void {
  if (left > 0 && !socket.destroyed) socket.write(chunk, () => setImmediate(flood, socket, chunk, left - 1));
}

describe('a check of a port whose server misuses the protocol fails within its limits', () => {
  const test = sharedHome();

  it.concurrent.for(smokeOf(Object.keys(targets), 3))('%s', async (engine) => {
    const reports = await Promise.all(
      Object.entries(hostile).map(async ([what, misuse]) => {
        await using server = await listening((socket) => socket.once('data', () => misuse(socket)), loopback);
        return { what, report: await checkAt(test.home, engine, targets[engine]?.(server.port)) };
      }),
    );
    for (const { what, report } of reports) {
      const error = report.steps.find(({ state }) => state === 'failed')?.error;
      expect(error, what).toBeDefined();
      // A check gives each step half a minute: the login ended by itself before.
      expect(error?.message, what).not.toMatch(/within 30 s/);
    }
  });
});

describe('a host that has IPv6 alone is reached', () => {
  const test = sharedHome();

  it.concurrent.for(smokeOf(Object.keys(targets), 2))('by %s', async (engine) => {
    const { steps } = await check(test.home, engine, 'http', '::1');
    expect(steps.find(({ state }) => state === 'failed')?.error?.message).toMatch(words.http);
  });
});

describe.skipIf(isSkipped('embedded-postgres'))('a server is known', () => {
  let server: TestServer;
  beforeTests(async (opened) => {
    server = opened.use(await sharedTestServer());
  });

  it('as itself to its own engine, and by its name to another one', async () => {
    const endpoint = { host: String(server.raw.host), port: Number(server.raw.port) };
    const { signal } = new AbortController();
    expect(await whoAnswers('postgres', endpoint, signal)).toEqual({ is: 'itself' });
    expect(await whoAnswers('drda', endpoint, signal)).toEqual({ is: 'stranger', name: 'PostgreSQL' });
  });
});
