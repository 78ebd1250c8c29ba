import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Connection } from '#model/connections.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { holdTables } from '#orchestrator/run/leftovers.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { testHome } from './home.fixture.ts';
import { controlOf, tableOf } from './on-servers/left-tables.fixture.ts';

const signal = new AbortController().signal;

test('a table goes from a read-only production connection, over which nothing makes a table, where its host was typed', async () => {
  await using own = testHome();
  const { home } = own;
  const path = join(home.root, 'live');
  const live = { id: 'live', name: 'live', engine: 'sqlite', values: { path }, passwords: {} };
  const make = async (connection: Connection) => {
    await using control = controlOf(home, usersConnection(connection), '0000dead');
    await control.connect(signal);
    await control.ask({ call: 'prepareSchema', table: tableOf('0000dead') }, signal);
  };
  await make(live);
  const connection = { ...live, production: {} };
  await expect(make(connection)).rejects.toMatchObject({ data: { kind: 'permission' } });
  const target = usersConnection(connection);
  const options = { home, target, drops: true, signal, onActivity: () => {} };
  await expect(cleanTarget(options)).rejects.toMatchObject({ data: { kind: 'notConfirmed' } });
  const confirmed = { ...options, confirmed: [path] };
  expect(await cleanTarget(confirmed)).toMatchObject({ dropped: [], tables: [{ isUnsure: true }] });
  expect(await cleanTarget({ ...confirmed, dropsUnsure: true })).toMatchObject({ dropped: ['dyno_0000dead_1'] });
});

test('tables of a run that goes on stay, also where another one is called like the beginning of their names', async () => {
  await using own = testHome();
  const { home } = own;
  const values = { path: join(home.root, 'files') };
  const connection = { id: 'a1', name: 'files', engine: 'sqlite', values, passwords: {} };
  const table = tableOf('0000dead');
  using held = holdTables(home, '0000dead');
  {
    await using control = controlOf(home, usersConnection(connection), '0000dead');
    const { place } = await control.connect(signal);
    for (const name of [table.name, 'dyno', 'renamed'])
      await control.ask({ call: 'prepareSchema', table: { ...table, name } }, signal);
    held.note(place);
  }
  const target = usersConnection(connection);
  const report = await cleanTarget({ home, target, drops: true, signal, onActivity: () => {} });
  expect(report.dropped).toEqual(['renamed']);
  expect(report.tables.filter(({ inUse }) => inUse !== null).map(({ name }) => name)).toEqual(['dyno', table.name]);
});
