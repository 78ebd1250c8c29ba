import { expect, it } from 'vitest';
import { missingPrerequisites, missingPrograms } from './missing-prerequisites.mjs';

const found = {
  engines: [
    { id: 'postgres', label: 'PostgreSQL', targets: ['embedded-postgres'] },
    { id: 'mysql', label: 'MySQL', targets: ['local-mariadb'] },
    { id: 'drda', label: 'DRDA', targets: ['local-derby', 'local-snappydata'] },
    { id: 'sqlserver', label: 'SQL Server', targets: [] },
  ],
  targets: [{ name: 'embedded-postgres', engine: 'postgres', error: null }],
  missing: { 'local-mariadb': { what: 'It is not installed.', fix: 'apt install it' } },
  tools: [
    { name: 'mongod', engine: 'mongodb', about: 'MongoDB', installed: false },
    { name: 'sqlfluff', engine: null, about: 'a parser', installed: false },
  ],
};

const named = (environment) => missingPrerequisites(found, environment).map(({ part, skip }) => [part, ...skip]);

it('skips engines without a server and tools that are not there, each with its fix', () => {
  expect(named({})).toEqual([
    ['mysql', 'mysql', 'local-mariadb'],
    ['sqlserver', 'sqlserver'],
    ['sqlfluff', 'sqlfluff'],
  ]);
  const [mysql, sqlserver, sqlfluff] = missingPrerequisites(found, {});
  expect(mysql.reason).toContain('It is not installed.');
  expect(mysql.fix).toMatch(/^apt install it\nor DYNO_TEST_MYSQL=/);
  expect(sqlserver.fix).toMatch(/^DYNO_TEST_SQLSERVER=/);
  expect(sqlfluff.fix).toContain('servers install sqlfluff');
});

it('tests an engine on the server that was given, without the tests that need one of their own', () => {
  expect(named({ DYNO_TEST_SQLSERVER: 'mssql://…', DYNO_TEST_MYSQL: 'mysql://…' })).toEqual([
    ['local-mariadb', 'local-mariadb'],
    ['sqlfluff', 'sqlfluff'],
  ]);
});

it('tests an engine on its stand-in, where the tool and the extension of that are there', () => {
  const of = (installed, extension, environment = {}) =>
    missingPrerequisites(
      {
        engines: [{ id: 'oracle', label: 'Oracle Database', targets: [] }],
        targets: [],
        missing: {},
        tools: [{ name: 'seerdb', engine: null, about: 'a mirror', installed }],
      },
      environment,
      (name) => name === extension,
    );
  expect(of(true, 'orafce')).toEqual([]);
  expect(of(true, 'other')).toMatchObject([
    { part: 'oracle', skip: ['oracle', 'oracle-emulator'], fix: expect.stringMatching(/orafce\nor DYNO_TEST_ORACLE=/) },
  ]);
  expect(of(false, 'orafce')).toMatchObject([{ part: 'oracle', fix: expect.stringContaining('install seerdb') }]);
  expect(of(false, 'orafce', { DYNO_TEST_ORACLE: 'oracle://…' })).toMatchObject([
    { part: 'oracle-emulator', skip: ['oracle-emulator'] },
  ]);
});

it('skips an installed part that fails, with the message of the failure', () => {
  const broken = {
    ...found,
    missing: {},
    targets: [{ name: 'local-mariadb', error: { message: 'No space.', hint: 'Free some.' } }],
  };
  expect(missingPrerequisites(broken, {})[0]).toMatchObject({
    reason: expect.stringContaining('No space.'),
    fix: expect.stringContaining('Free some.'),
  });
});

it('skips a further product of an engine that is missing by itself, and the engine only without its first', () => {
  const snappydata = { 'local-snappydata': { what: 'There is no JDK 17.', fix: 'apt install one' } };
  const parts = (missing) => missingPrerequisites({ ...found, engines: [found.engines[2]], missing }, {}).slice(0, -1);
  expect(parts(snappydata)).toMatchObject([{ part: 'local-snappydata', skip: ['local-snappydata'] }]);
  const both = { ...snappydata, 'local-derby': { what: 'There is no JDK.', fix: 'apt install one' } };
  expect(parts(both)).toMatchObject([
    { part: 'drda', skip: ['drda', 'local-derby'] },
    { part: 'local-snappydata', skip: ['local-snappydata'] },
  ]);
});

it('names programs of tests that are not there, with the command that adds them', () => {
  expect(missingPrograms(['/nowhere'])).toMatchObject([
    { part: 'pgbouncer', skip: ['pgbouncer'], fix: 'apt-get install pgbouncer' },
  ]);
});
