import { expect, it, vi } from 'vitest';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import type { FieldValues } from '#model/connections.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { checkTarget } from './check-connection.ts';
import {
  mongodbThatSaysYes,
  mysqlThatSaysYes,
  postgresThatSaysYes,
  ravendbThatSaysYes,
  tdsThatSaysYes,
} from './yes-servers.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const home = sharedHome();

const login = { host: '127.0.0.1', user: 'u', database: 'd', connectTimeoutMs: 10_000 };
it.for([
  { engine: 'postgres', start: postgresThatSaysYes, values: (port: number) => ({ ...login, port, ssl: 'disable' }) },
  { engine: 'mysql', start: mysqlThatSaysYes, values: (port: number) => ({ ...login, port }) },
  { engine: 'sqlserver', start: tdsThatSaysYes, values: (port: number) => ({ ...login, port, encrypt: 'false' }) },
  {
    engine: 'mongodb',
    start: mongodbThatSaysYes,
    values: (port: number) => ({ url: `mongodb://127.0.0.1:${port}/?directConnection=true` }),
  },
  {
    engine: 'ravendb',
    start: ravendbThatSaysYes,
    values: (port: number) => ({ url: `http://127.0.0.1:${port}`, database: 'd' }),
  },
])('a check of $engine fails where what answers says yes to everything', async ({ engine, start, values }) => {
  await using server = await start();
  const report = await checkTarget({
    home: home.home,
    target: usersConnection({ id: 'a1', name: 'x', engine, values: values(server.port) as FieldValues, passwords: {} }),
    variables: {},
    signal: new AbortController().signal,
    onChange: () => {},
  });
  expect(report.steps.find(({ state }) => state === 'failed')).toMatchObject({
    step: 'login',
    error: { code: 'noServer', message: expect.stringContaining('says yes, and does not do the work') },
  });
  expect(report.state).toBe('failed');
});
