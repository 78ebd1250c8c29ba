import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { loadEngine } from '#engines/load.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { startKind } from '../test-kind.fixture.ts';
import { kinds } from './kinds.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

/** Takes connections and says nothing. */
const stranger = createServer((socket) => sockets.push(socket));
const sockets: Socket[] = [];
const taken = vi.hoisted(() => ({ port: 0 }));

/** Between the look for a free port and the server's start the stranger has taken it. */
vi.mock('../process/free-port.ts', async (importOriginal) => {
  const { onFreePort } = await importOriginal<typeof import('../process/free-port.ts')>();
  return {
    onFreePort<T>(start: (port: number) => Promise<T>) {
      let attempts = 0;
      return onFreePort((port) => start(attempts++ === 0 ? taken.port : port));
    },
  };
});

beforeAll(async () => {
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  taken.port = (stranger.address() as AddressInfo).port;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  stranger.close();
});

const here = kinds.filter(({ id, engine }) => !isSkipped(id) && !isSkipped(engine));

test.for(smokeOf(here))('$id takes another port where its own is taken', async (kind, { skip }) => {
  const missing = await kind.missing();
  if (missing) skip(missing.what);
  await using server = await startKind(kind);
  expect(server.port).not.toBe(taken.port);
  const engine = await loadEngine(kind.engine);
  await using database = await engine.open(
    findEngine(kind.engine)!.config.parse(server.raw),
    'dyno-test',
    new AbortController().signal,
  );
  await database.ping();
});
