import { describe, expect, test, vi } from 'vitest';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { derby } from '#managed-servers/servers/derby.ts';
import { snappydata } from '#managed-servers/servers/snappydata.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Escapist, escapist, openFolder } from '../conformance/escapes.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });
type Escape = readonly [what: string, ...texts: readonly string[]];

const folder = openFolder();
const written = `${folder.path}/written`;
beforeTests((opened) => opened.use(folder));

const sqlless = (head: string, name: string) =>
  `CREATE ${head} LANGUAGE JAVA PARAMETER STYLE JAVA NO SQL EXTERNAL NAME '${name}'`;

/** A routine of Java's, declared and called. */
const java: readonly Escape[] = [
  [
    'reads a property of the process',
    sqlless('FUNCTION property(name VARCHAR(99)) RETURNS VARCHAR(999)', 'java.lang.System.getProperty'),
    "VALUES property('user.home')",
  ],
  [
    'changes a property of the process',
    sqlless('FUNCTION change(name VARCHAR(99), v VARCHAR(99)) RETURNS VARCHAR(999)', 'java.lang.System.setProperty'),
    "VALUES change('derby.user.dyno', 'x')",
  ],
  [
    'reads the environment',
    sqlless('FUNCTION variable(name VARCHAR(99)) RETURNS VARCHAR(999)', 'java.lang.System.getenv'),
    "VALUES variable('HOME')",
  ],
  ['loads a library', sqlless('PROCEDURE load(name VARCHAR(99))', 'java.lang.System.load'), "CALL load('/tmp/x.so')"],
  ['ends the server', sqlless('PROCEDURE leave_it(code INTEGER)', 'java.lang.System.exit'), 'CALL leave_it(1)'],
];
const utilities = (prefix: string): readonly Escape[] => [
  ['exports a table', `CALL ${prefix}EXPORT_TABLE('SYS', 'SYSUSERS', '${written}', NULL, NULL, NULL)`],
  ['exports a query', `CALL ${prefix}EXPORT_QUERY('SELECT * FROM SYS.SYSTABLES', '${written}', NULL, NULL, NULL)`],
  ['imports a file', `CALL ${prefix}IMPORT_TABLE('DYNO', 'LINES', '/etc/passwd', NULL, NULL, NULL, 0)`],
  [
    'imports data of a file',
    `CALL ${prefix}IMPORT_DATA('DYNO', 'LINES', NULL, NULL, '/etc/passwd', NULL, NULL, NULL, 0)`,
  ],
  ['backs up the database', `CALL ${prefix}BACKUP_DATABASE('${folder.path}')`],
  ['installs a jar', "CALL SQLJ.INSTALL_JAR('/tmp/x.jar', 'DYNO.X', 0)"],
  ['sets a property of the database', `CALL ${prefix}SET_DATABASE_PROPERTY('derby.user.other', 'x')`],
];

suite(derby, [
  ...utilities('SYSCS_UTIL.SYSCS_'),
  ['makes a user', "CALL SYSCS_UTIL.SYSCS_CREATE_USER('OTHER', 'x')"],
  ['registers a tool', "CALL SYSCS_UTIL.SYSCS_REGISTER_TOOL('foreignViews', TRUE, 'jdbc:derby:x', 'X')"],
  ['makes a schema', 'CREATE SCHEMA others'],
  ['makes a role', 'CREATE ROLE other'],
  ['reads passwords', 'SELECT * FROM SYS.SYSUSERS'],
  ['makes a table among others’', 'CREATE TABLE APP.MINE (x INT)'],
  [
    'reads another document',
    `CREATE FUNCTION documents(a VARCHAR(99), b VARCHAR(99)) RETURNS TABLE (line VARCHAR(99)) LANGUAGE JAVA PARAMETER STYLE DERBY_JDBC_RESULT_SET NO SQL EXTERNAL NAME 'org.apache.derby.vti.XmlVTI.xmlVTI'`,
    "SELECT * FROM TABLE(documents('file:///etc/hosts', 'x')) t",
  ],
  [
    'connects to another database',
    `CREATE FUNCTION far(s VARCHAR(99), t VARCHAR(99), u VARCHAR(199)) RETURNS TABLE (line VARCHAR(99)) LANGUAGE JAVA PARAMETER STYLE DERBY_JDBC_RESULT_SET READS SQL DATA EXTERNAL NAME 'org.apache.derby.vti.ForeignTableVTI.readForeignTable'`,
    `SELECT * FROM TABLE(far('SYS', 'SYSTABLES', 'jdbc:derby:${written};create=true')) t`,
  ],
  [
    'exports by the routine’s own name',
    sqlless(
      'PROCEDURE export(a VARCHAR(99), b VARCHAR(99), c VARCHAR(99), d CHAR(1), e CHAR(1), f VARCHAR(9))',
      'org.apache.derby.catalog.SystemProcedures.SYSCS_EXPORT_TABLE',
    ),
    `CALL export('SYS', 'SYSTABLES', '${written}', NULL, NULL, NULL)`,
  ],
  ...java,
]);

suite(snappydata, [
  ...utilities('SYSCS_UTIL.'),
  ['makes a user', "CALL SYS.CREATE_USER('OTHER', 'x')"],
  ['makes a disk store', `CREATE DISKSTORE elsewhere ('${folder.path}')`],
  ['makes a schema', 'CREATE SCHEMA others'],
  ['makes a table among others’', 'CREATE TABLE APP.MINE (x INT)'],
  ...java,
]);

function suite(kind: ServerKind, escapes: readonly Escape[]): void {
  // `npm run test:long -- servers` tries the descendant of SQLFire, too.
  describe.skipIf(isSkipped(kind.id) || (kind !== derby && !whole))(kind.label, () => {
    let server: TestServer;
    let trial: Escapist;
    beforeTests(async (opened) => {
      server = opened.use(await startTestServer(kind));
      trial = opened.use(await escapist(engine, config, server.raw));
      expect(await trial.attempt('CREATE TABLE DYNO.LINES (LINE VARCHAR(999))')).toBeNull();
    });

    test.each(escapes)('a statement that %s is refused', async (_, ...texts) => {
      const refusals = [];
      for (const text of texts) refusals.push(await trial.attempt(text));
      expect(refusals.at(-1)).toMatchObject({ kind: expect.stringMatching(/^(permission|syntax)$/) });
      if (texts.length === 1) expect(refusals).toMatchObject([{ kind: 'permission' }]);
      expect(folder.entries()).toEqual([]);
      expect(await trial.attempt('SELECT COUNT(*) FROM DYNO.LINES'), 'the server is there').toBeNull();
    });

    test('mathematics and tables of Dyno’s go on to work', async () => {
      expect(await trial.attempt('VALUES SIN(1.0)')).toBeNull();
      expect(await trial.attempt("INSERT INTO DYNO.LINES VALUES ('x')")).toBeNull();
    });
  });
}
