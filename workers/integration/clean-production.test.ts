import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Connection } from '#model/connections.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { testHome } from './home.fixture.ts';
import { controlOf, tableOf } from './on-servers/left-tables.fixture.ts';

const signal = new AbortController().signal;

test('a table goes from a read-only production connection, over which nothing makes a table, where its host was typed', async () => {
  await using own = testHome();
  const { home } = own;
  const path = join(home.root, 'live');
  const live = { id: 'live', name: 'live', engine: 'sqlite', values: { path }, passwords: {} };
  const make = async (connection: Connection) => {
    await using control = controlOf(home, 'live', 'sqlite', '0000dead', [connection]);
    await control.connect(signal);
    await control.ask({ call: 'prepareSchema', table: tableOf('0000dead') }, signal);
  };
  await make(live);
  const connection = { ...live, production: {} };
  await expect(make(connection)).rejects.toMatchObject({ data: { kind: 'permission' } });
  const target = { connection, passwords: {} };
  const options = { home, target, drops: true, signal, onActivity: () => {} };
  await expect(cleanTarget(options)).rejects.toMatchObject({ data: { kind: 'notConfirmed' } });
  expect(await cleanTarget({ ...options, confirmed: [path] })).toMatchObject({ dropped: ['dyno_0000dead_1'] });
});
