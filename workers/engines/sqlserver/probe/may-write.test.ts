import type { Connection } from 'tedious';
import { expect, test, vi } from 'vitest';
import type { Server } from '../connection/server.ts';
import { query } from '../wire/request.ts';
import { fingerprint, mayWriteSql } from './fingerprint.ts';

vi.mock('../wire/request.ts', async (original) => ({ ...(await original<object>()), query: vi.fn() }));

const server = { version: '16.0', edition: 'Developer', emulator: null } as unknown as Server;

test.each([
  { allowed: 1, may: true },
  { allowed: 0, may: undefined },
])('the fingerprint says that the user may write where the server answers $allowed', async ({ allowed, may }) => {
  vi.mocked(query).mockImplementation(async (_, sql) => (sql === mayWriteSql ? [{ allowed }] : []) as never);
  expect((await fingerprint({} as Connection, server)).mayWrite).toBe(may);
});

test('a server that does not tell is said to', async () => {
  vi.mocked(query).mockImplementation(async (_, sql) => {
    if (sql === mayWriteSql) throw Object.assign(new Error('no such function'), { number: 195 });
    return [];
  });
  const { mayWrite, unavailable } = await fingerprint({} as Connection, server);
  expect(mayWrite).toBeUndefined();
  expect(unavailable.join()).toContain('Rights to write: this server does not tell');
});
