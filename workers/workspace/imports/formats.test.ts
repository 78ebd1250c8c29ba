import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { azureConnections } from './azure-data-studio.ts';
import { beekeeperConnections } from './beekeeper.ts';
import { dbeaverConnections } from './dbeaver.ts';
import { judgeFound } from './find-connections.ts';
import type { Found } from './found.ts';
import { readLoginPath } from './mysql-login-path.ts';
import { mysqlOptions } from './mysql-options.ts';
import { odbcSources } from './odbc-ini.ts';
import { pgServices } from './pg-service.ts';
import { pgpassConnections, readPgpass } from './pgpass.ts';
import { tnsNames } from './tnsnames.ts';
import { urlConnections } from './urls.ts';

/** Samples from each program's manual, or as the program itself writes them. */
const by = (found: readonly Found[], name: string): Found => {
  const one = found.find((entry) => entry.name === name);
  if (!one) throw new Error(`${name} was not found among ${found.map((entry) => entry.name).join(', ')}.`);
  return one;
};
const addressOf = (one: Found): string | null => judgeFound([one], [])[0]?.address ?? null;

describe('pg_service.conf with .pgpass', () => {
  const passwords = readPgpass(
    '#hostname:port:database:username:password\nlocalhost:*:*:postgres:local\ndb.example.com:5432:*:app:s3cret\\:\\\\x\n*:*:*:backup:any\n',
  );
  const found = pgServices(
    `# services of the team
[staging]
host=db.example.com
port=5432
user=app
dbname=shop
sslmode=verify-ca
sslrootcert=/etc/ssl/root.crt
options=-c synchronous_commit=off --work_mem=64MB
keepalives_idle=30

[socket]
host=/var/run/postgresql
user=postgres
[pair]
host=a.example,b.example
[both]
hostaddr=192.0.2.7
host=db.example.com
user=backup
password=in the file
connect_timeout=5
[certificate]
host=c.example
sslcert=/k/client.crt
sslkey=/k/client.key
[directory]
ldap://ldap.example.com/dc=example,dc=com?uniqueMember?one?(cn=mydb)
`,
    passwords,
  );
  it('is read with passwords as libpq finds them', () => {
    expect(by(found, 'staging')).toEqual({
      name: 'staging',
      engine: 'postgres',
      values: {
        host: 'db.example.com',
        port: 5432,
        user: 'app',
        database: 'shop',
        ssl: 'verify-full',
        ca: '/etc/ssl/root.crt',
        sessionSettings: { synchronous_commit: 'off', work_mem: '64MB' },
      },
      passwords: { password: 's3cret:\\x' },
      notes: [expect.stringContaining('verify-ca'), expect.stringContaining('keepalives_idle')],
      problem: null,
    });
    expect(by(found, 'socket')).toMatchObject({
      values: { host: '/var/run/postgresql' },
      passwords: { password: 'local' },
    });
    expect(by(found, 'both')).toMatchObject({
      values: { host: 'db.example.com', connectTimeoutMs: 5_000 },
      passwords: { password: 'in the file' },
    });
    expect(by(found, 'certificate').values).toMatchObject({ cert: '/k/client.crt', ssl: 'require' });
  });

  it('says what it does not understand', () => {
    expect(by(found, 'pair').problem).toMatch(/several hosts/);
    expect(by(found, 'directory').notes).toEqual([expect.stringContaining('LDAP')]);
  });

  it('gives the lines of .pgpass that name a host', () => {
    const lines = pgpassConnections('*:*:*:backup:any\ndb.example.com:5433:shop:app:s3cret\n');
    expect(lines).toEqual([
      expect.objectContaining({
        name: 'app@db.example.com:5433/shop',
        values: { host: 'db.example.com', port: 5433, database: 'shop', user: 'app' },
        passwords: { password: 's3cret' },
      }),
    ]);
  });
});

describe('tnsnames.ora', () => {
  const found = tnsNames(`# tnsnames.ora Network Configuration File
IFILE = /opt/oracle/common.ora

ORCLPDB1 =
  (DESCRIPTION =
    (ADDRESS = (PROTOCOL = TCP)(HOST = ora.example.com)(PORT = 1521))
    (CONNECT_DATA =
      (SERVER = DEDICATED)
      (SERVICE_NAME = orclpdb1.example.com) # the pluggable one
    )
  )

sales, sales.example.com = (DESCRIPTION=(ADDRESS_LIST=(FAILOVER=on)(ADDRESS=(PROTOCOL=tcp)(HOST=a)(PORT=1521))(ADDRESS=(PROTOCOL=tcp)(HOST=b)(PORT=1521)))(CONNECT_DATA=(SERVICE_NAME=sales)))

LISTENER_ORCL =
  (ADDRESS = (PROTOCOL = TCP)(HOST = ora.example.com)(PORT = 1521))

broken = (DESCRIPTION = (ADDRESS = (HOST = x)
`);
  it('gives each name with its descriptor', () => {
    expect(found.map(({ name }) => name)).toEqual([
      'IFILE',
      'ORCLPDB1',
      'sales',
      'sales.example.com',
      'LISTENER_ORCL',
      'broken',
    ]);
    expect(by(found, 'ORCLPDB1').values.connectString).toBe(
      '(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=ora.example.com)(PORT=1521))(CONNECT_DATA=(SERVER=DEDICATED)(SERVICE_NAME=orclpdb1.example.com)))',
    );
    expect(by(found, 'broken').problem).toMatch(/parentheses/);
    expect(judgeFound([by(found, 'sales')], [])[0]).toMatchObject({
      missing: expect.stringContaining('User'),
      problem: null,
    });
    expect(addressOf({ ...by(found, 'sales'), values: { ...by(found, 'sales').values, user: 'bench' } })).toBe(
      'a:1521,b:1521/sales',
    );
  });
});

describe('option files of MySQL', () => {
  it('give [client] and each section of its own', () => {
    const found = mysqlOptions(`!includedir /etc/mysql/conf.d/
[client]
host = db.example.com
port=3307
user=app # of the shop
password="pa#ss\\"word"
ssl_mode=VERIFY_IDENTITY
ssl-ca=/etc/mysql/ca.pem
[mysql]
database=shop
prompt="\\u@\\h> "
no-auto-rehash
[client_production]
host=prod.example.com
[mysqldump]
quick
[mysqld]
user=mysql
socket=/run/mysqld/mysqld.sock
[local]
user=root
socket=/run/mysqld/mysqld.sock
`);
    expect(found.map(({ name }) => name)).toEqual(['client', 'client_production', 'local']);
    expect(by(found, 'client')).toMatchObject({
      values: {
        host: 'db.example.com',
        port: 3307,
        user: 'app',
        database: 'shop',
        ssl: 'verify-full',
        ca: '/etc/mysql/ca.pem',
      },
      passwords: { password: 'pa#ss"word' },
      notes: [],
    });
    expect(by(found, 'client_production').values).toMatchObject({ host: 'prod.example.com', port: 3307, user: 'app' });
    expect(by(found, 'local').values).toEqual({ user: 'root', host: '/run/mysqld/mysqld.sock' });
  });

  it('are read where mysql_config_editor has made them unreadable', () => {
    const seed = Buffer.from(Array.from({ length: 20 }, (_, i) => i * 7 + 3));
    const key = Buffer.alloc(16);
    seed.forEach((byte, i) => {
      key[i % 16]! ^= byte;
    });
    const lines = ['[client]\n', 'user = "app"\n', 'password = "s3cret"\n', 'host = "db.example.com"\n'].map((line) => {
      const cipher = createCipheriv('aes-128-ecb', key, null);
      const sealed = Buffer.concat([cipher.update(line), cipher.final()]);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(sealed.length);
      return Buffer.concat([length, sealed]);
    });
    const file = Buffer.concat([Buffer.alloc(4), seed, ...lines]);
    expect(mysqlOptions(readLoginPath(file) ?? '')).toMatchObject([
      { name: 'client', values: { host: 'db.example.com', user: 'app' }, passwords: { password: 's3cret' } },
    ]);
    expect(readLoginPath(file.subarray(0, -3))).toBeNull();
    expect(readLoginPath(Buffer.from('[client]\nhost=a\nport=1\nuser=u\n'))).toBeNull();
  });
});

describe('odbc.ini', () => {
  const found = odbcSources(`[ODBC Data Sources]
warehouse=ODBC Driver 18 for SQL Server
[ODBC]
Trace=no
[shop]
Driver=/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so
Servername=db.example.com
Port=5432
Database=shop
UserName=app
Password=s3cret
SSLmode=prefer
ReadOnly=No
[warehouse]
Server=tcp:sql.example.com,14330
Database=dw
UID=loader
PWD={s3;cret}
Encrypt=mandatory
TrustServerCertificate=yes
[named]
Driver=FreeTDS
Server=sql.example.com\\SQLEXPRESS
Trusted_Connection=yes
[orders]
Driver=MySQL ODBC 8.0 Unicode Driver
Server=my.example.com
User=app
[ora]
Driver=Oracle 21 ODBC driver
ServerName=//ora.example.com:1521/orclpdb1
UserID=bench
[hive]
Driver=Cloudera ODBC Driver for Apache Hive
HOST=h
`);
  it('is read by the driver of each source', () => {
    expect(by(found, 'shop')).toMatchObject({
      engine: 'postgres',
      values: { host: 'db.example.com', port: 5432, database: 'shop', user: 'app', ssl: 'require' },
      passwords: { password: 's3cret' },
      notes: [expect.stringContaining('prefer')],
    });
    expect(by(found, 'warehouse')).toMatchObject({
      engine: 'sqlserver',
      values: {
        host: 'sql.example.com',
        port: 14330,
        database: 'dw',
        user: 'loader',
        encrypt: 'true',
        trustServerCertificate: true,
      },
      passwords: { password: 's3;cret' },
    });
    expect(by(found, 'named')).toMatchObject({
      values: { host: 'sql.example.com', instance: 'SQLEXPRESS' },
      notes: [expect.stringContaining('Integrated')],
    });
    expect(addressOf(by(found, 'orders'))).toContain('my.example.com:3306');
    expect(addressOf(by(found, 'ora'))).toBe('ora.example.com:1521/orclpdb1');
    expect(by(found, 'hive').problem).toContain('Cloudera');
  });
});

describe('DBeaver', () => {
  const text = JSON.stringify({
    folders: {},
    connections: {
      'postgres-jdbc-17a3b0c5d2e-1': {
        provider: 'postgresql',
        driver: 'postgres-jdbc',
        name: 'Shop (staging)',
        'save-password': true,
        configuration: {
          host: 'db.example.com',
          port: '5432',
          database: 'shop',
          url: 'jdbc:postgresql://db.example.com:5432/shop',
          configurationType: 'MANUAL',
          type: 'dev',
          'auth-model': 'native',
          handlers: {
            ssh_tunnel: {
              type: 'TUNNEL',
              enabled: true,
              'save-password': true,
              properties: {
                host: 'bastion.example.com',
                port: 2222,
                authType: 'PUBLIC_KEY',
                keyPath: '/home/me/.ssh/id',
              },
            },
            postgre_ssl: { type: 'CONFIG', enabled: true, properties: { sslMode: 'require' } },
          },
        },
      },
      'oracle_thin-1': {
        provider: 'oracle',
        driver: 'oracle_thin',
        name: 'ERP',
        configuration: {
          host: 'ora.example.com',
          port: '1521',
          database: 'ERP',
          url: 'jdbc:oracle:thin:@ora.example.com:1521:ERP',
          configurationType: 'MANUAL',
          'provider-properties': { '@dbeaver-sid-service@': 'SID' },
        },
      },
      'mysql8-1': {
        provider: 'mysql',
        driver: 'mysql8',
        name: 'by URL',
        configuration: { url: 'jdbc:mysql://my.example.com:3307/shop?useSSL=true', configurationType: 'URL' },
      },
      'sqlite-1': { provider: 'sqlite', driver: 'sqlite_jdbc', name: 'file', configuration: { database: '/x.db' } },
    },
  });
  const iv = Buffer.alloc(16, 7);
  const cipher = createCipheriv('aes-128-cbc', Buffer.from('babb4a9f774ab853c96c2d653dfe544a', 'hex'), iv);
  const login = {
    'postgres-jdbc-17a3b0c5d2e-1': {
      '#connection': { user: 'app', password: 's3cret' },
      'network/ssh_tunnel': { user: 'jump' },
    },
    'oracle_thin-1': { '#connection': { user: 'bench' } },
  };
  const credentials = Buffer.concat([iv, cipher.update(JSON.stringify(login)), cipher.final()]);

  it('gives its connections with users, tunnels and passwords', () => {
    const found = dbeaverConnections(text, credentials);
    expect(by(found, 'Shop (staging)')).toEqual({
      name: 'Shop (staging)',
      engine: 'postgres',
      values: { host: 'db.example.com', port: 5432, database: 'shop', user: 'app', ssl: 'require' },
      passwords: { password: 's3cret' },
      ssh: { host: 'bastion.example.com', port: 2222, user: 'jump', identityFile: '/home/me/.ssh/id' },
      notes: [],
      problem: null,
    });
    expect(by(found, 'ERP')).toMatchObject({ values: { sid: 'ERP', user: 'bench' }, passwords: { password: null } });
    expect(by(found, 'by URL').values).toEqual({
      host: 'my.example.com',
      port: 3307,
      database: 'shop',
      ssl: 'require',
    });
    expect(by(found, 'file').problem).toContain('sqlite');
  });

  it('gives them without what a master password hides', () => {
    const found = dbeaverConnections(text, Buffer.alloc(64, 1));
    expect(by(found, 'Shop (staging)')).toMatchObject({ values: { host: 'db.example.com' }, passwords: {} });
  });
});

describe('settings.json of Azure Data Studio', () => {
  const found = azureConnections(`{
  // made by the program
  "workbench.colorTheme": "Default // Dark",
  "datasource.connectionGroups": [{ "name": "ROOT", "id": "C777F06B" }],
  "datasource.connections": [
    {
      "options": {
        "connectionName": "Warehouse", "server": "sql.example.com,14330", "database": "dw",
        "authenticationType": "SqlLogin", "user": "loader", "password": "", "encrypt": "Mandatory",
        "trustServerCertificate": true, "connectTimeout": 30, "applicationName": "azdata", "packetSize": 8192,
        "databaseDisplayName": "dw"
      },
      "groupId": "C777F06B", "providerName": "MSSQL", "savePassword": true, "id": "1"
    },
    { "options": { "server": "x.database.windows.net", "database": "app", "authenticationType": "AzureMFA",
      "user": "me@example.com", "azureTenantId": "t" }, "providerName": "MSSQL" },
    { "options": { "host": "pg.example.com", "dbname": "shop", "user": "app", "port": "5432" }, "providerName": "PGSQL" },
    { "options": { "server": "k" }, "providerName": "KUSTO" },
  ],
  "mssql.connections": [{ "server": "dev", "profileName": "Dev", "authenticationType": "Integrated" }],
}`);
  it('is read with its comments', () => {
    expect(by(found, 'Warehouse')).toMatchObject({
      engine: 'sqlserver',
      values: {
        host: 'sql.example.com',
        port: 14330,
        database: 'dw',
        user: 'loader',
        encrypt: 'true',
        trustServerCertificate: true,
        connectTimeoutMs: 30_000,
      },
      passwords: { password: null },
      notes: [expect.stringContaining('packetSize')],
    });
    expect(by(found, 'x.database.windows.net app')).toMatchObject({
      values: { authentication: 'azure-active-directory-access-token' },
      passwords: { token: null },
    });
    expect(addressOf(by(found, 'pg.example.com shop'))).toBe('pg.example.com:5432/shop');
    expect(by(found, 'Dev').notes).toEqual([expect.stringContaining('Integrated')]);
    expect(by(found, 'k').problem).toContain('KUSTO');
  });
});

it('Beekeeper Studio’s exported connections are read by its own field names', () => {
  const one = {
    connectionType: 'mysql',
    name: 'Shop',
    host: 'my.example.com',
    port: 3306,
    username: 'app',
    password: 's3cret',
    defaultDatabase: 'shop',
    ssl: true,
    sslCaFile: '/ca.pem',
    sslRejectUnauthorized: true,
    sshEnabled: true,
    sshHost: 'inner.example.com',
    sshPort: 22,
    sshMode: 'agent',
    sshUsername: 'me',
    sshBastionHost: 'bastion.example.com',
  };
  const others = [
    { connectionType: 'mongodb', name: 'Docs', url: 'mongodb://app:s3cret@a.example,b.example/shop?replicaSet=rs0' },
    { connectionType: 'redis', name: 'Cache', host: 'r' },
    {
      connectionType: 'postgresql',
      name: 'Local',
      socketPathEnabled: true,
      socketPath: '/var/run/postgresql',
      username: 'me',
      password: null,
    },
  ];
  const found = beekeeperConnections(JSON.stringify([one, ...others]));
  expect(beekeeperConnections(JSON.stringify({ version: 1, connections: [one, ...others] }))).toEqual(found);
  expect(by(found, 'Shop')).toMatchObject({
    values: { host: 'my.example.com', port: 3306, user: 'app', database: 'shop', ssl: 'verify-full', ca: '/ca.pem' },
    passwords: { password: 's3cret' },
    ssh: { host: 'inner.example.com', port: 22, user: 'me', jump: 'bastion.example.com' },
  });
  expect(by(found, 'Docs')).toMatchObject({ engine: 'mongodb', passwords: { password: 's3cret' } });
  expect(JSON.stringify(by(found, 'Docs').values)).not.toContain('s3cret');
  expect(by(found, 'Cache').problem).toContain('redis');
  expect(by(found, 'Local')).toMatchObject({ values: { host: '/var/run/postgresql' }, passwords: { password: null } });
});

it('URLs are read as they are, one a line or as variables', () => {
  const found = urlConnections(`# .env
export DATABASE_URL="postgres://app:s3cret@db.example.com/shop?sslmode=require"
mongodb://a.example,b.example/?replicaSet=rs0
OTHER=1
jdbc:mysql://my.example.com/shop
redis://localhost
`);
  expect(found).toMatchObject([
    {
      name: 'DATABASE_URL',
      engine: 'postgres',
      values: { host: 'db.example.com', user: 'app', database: 'shop', ssl: 'require' },
      passwords: { password: 's3cret' },
    },
    { engine: 'mongodb' },
    { engine: 'mysql', values: { host: 'my.example.com' } },
    { name: 'URL', engine: null, problem: expect.stringContaining('redis://') },
  ]);
});

describe('a file of environment variables', () => {
  const found = urlConnections(`
RAW=postgres://app:wiX11&U%cMa@db.example.com/shop
RAWAT=postgres://app:p@ss@db.example.com/shop  # the shop
export RAWHASH='postgres://app:p#ss@db.example.com/shop'
QUOTED="postgres://app:p\\"q@db.example.com/shop"; # a comment
AMBIGUOUS=postgres://app:p@ss/w@db.example.com/shop
SPRING_DATASOURCE_URL=jdbc:postgresql://db.example.com:5432/shop
SPRING_DATASOURCE_USERNAME=app
SPRING_DATASOURCE_PASSWORD=s3cret
PGHOST=db.example.com
COMPOSED=postgres://app:s3cret@\${PGHOST}/shop
UNKNOWN=postgres://app:s3cret@\${NOT_HERE}/shop
ADO="Server=db.example.com;Database=shop;User Id=app;Password=s3cret;Encrypt=True;TrustServerCertificate=False"
GO=app:s3cret@tcp(db.example.com:3306)/shop?parseTime=true
LIBPQ="host=db.example.com dbname=shop user=app password=s3cret sslmode=require"
SITE=https://shop.example.com/
NODE_ENV=production
`);
  it.each([
    ['RAW', 'wiX11&U%cMa'],
    ['RAWAT', 'p@ss'],
    ['RAWHASH', 'p#ss'],
    ['QUOTED', 'p"q'],
    ['SPRING_DATASOURCE_URL', 's3cret'],
    ['COMPOSED', 's3cret'],
    ['ADO', 's3cret'],
    ['GO', 's3cret'],
    ['LIBPQ', 's3cret'],
  ])('has %s whole', (name, password) => {
    expect(by(found, name)).toMatchObject({
      values: { host: 'db.example.com', user: 'app', database: 'shop' },
      passwords: { password },
      problem: null,
    });
  });

  it('says what cannot be read, without a part of a password', () => {
    expect(by(found, 'AMBIGUOUS').problem).toMatch(/more than one way.*%40/);
    expect(by(found, 'AMBIGUOUS').problem).not.toMatch(/p@ss|ss\/w/);
    expect(by(found, 'UNKNOWN').problem).toMatch(/variable that is not in the file/);
    expect(found.map(({ name }) => name)).not.toContain('SITE');
  });
});

describe('what protects a connection of another program', () => {
  const entry = (more: object, configuration: object) => ({
    provider: 'postgresql',
    driver: 'postgres-jdbc',
    name: 'one',
    ...more,
    configuration: { host: 'db.example.com', database: 'shop', ...configuration },
  });
  const dbeaver = (more: object, configuration: object, file: object = {}) =>
    dbeaverConnections(JSON.stringify({ connections: { a: entry(more, configuration) }, ...file }), null)[0]!;
  const url = 'jdbc:postgresql://db.example.com:5433/shop?ssl=true&sslmode=verify-full&user=app';

  it('is taken over from DBeaver, by fields and by URL', () => {
    const byUrl = dbeaver({ 'read-only': true, folder: 'Shop' }, { url, configurationType: 'URL', type: 'prod' });
    expect(byUrl).toMatchObject({
      values: { host: 'db.example.com', port: 5433, database: 'shop', user: 'app', ssl: 'verify-full' },
      production: {},
      group: 'Shop',
      notes: [expect.stringContaining('only read')],
      problem: null,
    });
    expect(dbeaver({}, { type: 'prod' }).production).toEqual({});
    expect(dbeaver({ restrictions: ['restrict.edit.data'] }, {}).production).toEqual({});
    expect(dbeaver({}, { type: 'dev' }).production).toBeUndefined();
    expect(
      dbeaver({}, { properties: { readOnly: 'true', sslmode: 'verify-ca', prepareThreshold: '5' } }),
    ).toMatchObject({
      production: {},
      values: { ssl: 'verify-full' },
      notes: expect.arrayContaining([expect.stringContaining('prepareThreshold')]),
    });
    expect(judgeFound([byUrl], [])).toMatchObject([{ production: true, problem: null, missing: null }]);
  });

  it('is refused where it cannot be kept', () => {
    const through = { handlers: { aws_ssm: { enabled: true } } };
    expect(dbeaver({}, through).problem).toContain('aws_ssm');
    expect(dbeaver({}, { 'config-profile': 'office' }).problem).toContain('network profile');
    expect(dbeaver({}, { properties: { sslcrl: '/crl.pem' } }).problem).toContain('revoked');
    expect(dbeaver({}, { properties: { sslSomething: 'x' } }).problem).toContain('sslSomething');
  });

  it('is taken over with proxies, certificates and network profiles', () => {
    const socks = {
      socks_proxy: { enabled: true, properties: { 'socks-host': 'proxy.example.com', 'socks-port': 1080 } },
    };
    const profile = { 'network-profiles': { office: { handlers: socks } } };
    expect(dbeaver({}, { 'config-profile': 'office' }, profile).socks).toEqual({
      host: 'proxy.example.com',
      port: 1080,
    });
    const ssl = {
      postgre_ssl: {
        enabled: true,
        properties: {
          sslMode: 'require',
          'ssl.ca.cert': '/ca.pem',
          'ssl.client.cert': '/c.pem',
          'ssl.client.key': '/k.pem',
        },
      },
    };
    expect(dbeaver({}, { handlers: ssl }).values).toMatchObject({
      ssl: 'verify-full',
      ca: '/ca.pem',
      cert: '/c.pem',
      key: '/k.pem',
    });
    expect(dbeaver({}, { bootstrap: { defaultSchema: 'sales' } }).values).toMatchObject({
      sessionSettings: { search_path: 'sales' },
    });
  });

  it('is taken over from the other programs', () => {
    const services = pgServices(
      '[a]\nhost=h\nuser=u\ntarget_session_attrs=read-only\n[b]\nhost=h\nrequire_auth=scram-sha-256\n',
      [],
    );
    expect(by(services, 'a').production).toEqual({});
    expect(by(services, 'b').problem).toContain('ways to log in');
    const studio = { connectionType: 'postgresql', name: 'x', host: 'h', ssl: true, sslRejectUnauthorized: true };
    expect(beekeeperConnections(JSON.stringify([{ ...studio, readOnlyMode: true }]))[0]).toMatchObject({
      production: {},
      values: { ssl: 'verify-full' },
    });
    const whole = 'Server=sql.example.com;Database=dw;User Id=app;Password=s3cret;Encrypt=Strict';
    const settings = { 'datasource.connections': [{ options: { connectionString: whole }, providerName: 'MSSQL' }] };
    expect(azureConnections(JSON.stringify(settings))[0]).toMatchObject({
      values: { host: 'sql.example.com', encrypt: 'strict' },
      passwords: { password: 's3cret' },
    });
    expect(mysqlOptions('[client]\nhost=h\nuser=u\nssl-ca=/ca.pem\n')[0]!.values).toMatchObject({ ssl: 'verify-full' });
    expect(mysqlOptions('[client]\nhost=h\nuser=u\nssl-crl=/crl.pem\n')[0]!.problem).toContain('revoked');
  });
});
