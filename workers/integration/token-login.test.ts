import { expect, it } from 'vitest';
import type { EngineConfig } from '#engine-api/config.ts';
import type { SqlServerConfig } from '#engines/sqlserver/config.ts';
import { close, connect } from '#engines/sqlserver/connection/connect.ts';
import { sessionOptions } from '#engines/sqlserver/options.ts';
import { tdsServer } from '#engines/sqlserver/wire/tds-server.fixture.ts';
import { configureTarget } from '#orchestrator/worker/targets.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { testHome } from './home.fixture.ts';

it('SQL Server receives the token of a command at the login with Microsoft Entra', async () => {
  const logins: Buffer[] = [];
  await using server = await tdsServer(undefined, (message) => logins.push(message));
  await using test = testHome();
  const print = "console.log(JSON.stringify({ accessToken: 'e'.repeat(2000) + '.t0ken', expires_in: 3599 }))";
  const connection = {
    id: 'a1',
    name: 'azure',
    engine: 'sqlserver',
    values: {
      host: '127.0.0.1',
      port: server.port,
      authentication: 'azure-active-directory-access-token',
      encrypt: 'false',
    },
    passwords: { token: { command: [process.execPath, '-e', print] } },
  };
  const signal = new AbortController().signal;
  const target = await configureTarget(usersConnection(connection), test.home, {}, () => {}, signal);
  expect(target.secrets).toContain(`${'e'.repeat(2_000)}.t0ken`);
  expect(target.expiresAt).toBeGreaterThan(Date.now() + 3_000_000);
  await close(await connect(target.config as EngineConfig as SqlServerConfig, 'tag', sessionOptions({})));
  expect(logins).toHaveLength(1);
  expect(logins[0]?.includes(Buffer.from('.t0ken', 'utf16le'))).toBe(true);
});
