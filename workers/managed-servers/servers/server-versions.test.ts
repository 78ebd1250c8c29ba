import { expect, it } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { adminOf } from '#engines/mysql/test-server.fixture.ts';
import { startKind } from '../test-kind.fixture.ts';
import { kinds, requireKind } from './kinds.ts';
import { missingVersion } from './server-versions.ts';

it('a version that is missing here says how to get it, from a registry if one has it', () => {
  expect(missingVersion('mariadb@11.4', 'MariaDB 11.4').fix).toContain('dyno servers install mariadb@11.4');
  expect(missingVersion('mongodb@8.2', 'MongoDB 8.2').fix).toContain('dyno servers install mongod`');
  const { what, fix } = missingVersion('mysql@8.4', 'MySQL 8.4');
  expect(what).toBe('MySQL 8.4 is not installed.');
  expect(fix).toContain('DYNO_SERVERS');
  expect(fix).not.toContain('dyno servers install');
});

it('every version names the program from which it starts, or is missing', async () => {
  for (const kind of kinds.filter(({ byVersion, engine }) => byVersion && engine !== 'postgres')) {
    const [, series = ''] = kind.id.split('@');
    const installed = await kind.installed?.();
    const missing = await kind.missing();
    expect(installed === null, kind.id).toBe(missing !== null);
    if (installed) expect(`${installed}.`, kind.id).toMatch(new RegExp(`^${series.replace('.', '\\.')}\\.`));
  }
});

const id = 'mariadb@11.4';
it.skipIf(isSkipped(id))(`${id} is the version of its name, with the rights of a managed server`, async () => {
  await using server = await startKind(requireKind(id));
  expect(server.dataFolder).toContain('mariadb-11.4');
  const admin = await adminOf(server.admin);
  const user = await adminOf(server.raw);
  try {
    const [[row]] = (await admin.query('SELECT version() AS version, @@ssl_key AS sslKey')) as unknown as [
      [{ version: string; sslKey: string }],
    ];
    expect(row.version).toMatch(/^11\.4\.\d+-MariaDB/);
    expect(row.sslKey, 'MariaDB would make an RSA key at each start').toMatch(/server\.key$/);
    await user.query('CREATE TABLE dyno.kept (id int)');
    await expect(user.query('CREATE DATABASE another')).rejects.toThrow('denied');
    await expect(user.query('SET GLOBAL max_connections = 5')).rejects.toThrow('denied');
  } finally {
    await admin.end();
    await user.end();
  }
});
