import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { readConnectionUrl } from './connection-url.ts';

const read = (text: string) => {
  const { engine, values, passwords, notes, readOnly } = readConnectionUrl(text, null);
  return { engine, ...values, ...passwords, notes, readOnly };
};
const messageOf = (text: string): string => {
  try {
    return `accepted: ${JSON.stringify(readConnectionUrl(text, null))}`;
  } catch (thrown) {
    if (thrown instanceof DynoError) return `${thrown.message} ${thrown.data.hint}`;
    throw thrown;
  }
};

const pg = { engine: 'postgres', host: 'db.example.com', user: 'app', database: 'shop', password: 'x' };
const my = { ...pg, engine: 'mysql' };
const ms = { ...pg, engine: 'sqlserver' };
const ora = { engine: 'oracle', host: 'db.example.com', user: 'app', password: 'x' };

/** Texts from files of environment variables and manuals on the left, and the values that are read from them. */
const forms: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  // PostgreSQL
  ['postgresql://app:x@db.example.com:5432/shop?schema=public', { ...pg, sessionSettings: { search_path: 'public' } }],
  [
    'postgresql://app:x@db.example.com/shop?sslmode=require&channel_binding=require',
    { ...pg, ssl: 'verify-full', notes: [expect.stringContaining('channel_binding')] },
  ],
  ['jdbc:postgresql://db.example.com:5432/shop?user=app&password=x', pg],
  ['jdbc:postgresql://db.example.com/shop?user=app&password=x&ssl=true', { ...pg, ssl: 'verify-full' }],
  [
    'jdbc:postgresql://db.example.com/shop?user=app&ssl=true&sslfactory=org.postgresql.ssl.NonValidatingFactory&password=x',
    { ...pg, ssl: 'require' },
  ],
  [
    'jdbc:postgresql://db.example.com/shop?currentSchema=sales,public&ApplicationName=me&user=app&password=x',
    { ...pg, sessionSettings: { search_path: 'sales,public' }, notes: [expect.stringContaining('ApplicationName')] },
  ],
  ['jdbc:postgresql:shop?user=app', { engine: 'postgres', database: 'shop', user: 'app' }],
  ['postgresql+asyncpg://app:x@db.example.com/shop', pg],
  ['postgresql+psycopg2://app:x@db.example.com/shop?sslmode=prefer', { ...pg, ssl: 'require' }],
  ['postgresql+asyncpg://app:x@db.example.com/shop?ssl=require', { ...pg, ssl: 'require' }],
  ['postgres://app:x@db.example.com/shop?sslmode=require&sslaccept=strict', { ...pg, ssl: 'verify-full' }],
  ['postgres://app:x@db.example.com/shop?ssl_require=true', { ...pg, ssl: 'require' }],
  [
    'Host=db.example.com;Username=app;Database=shop;Password=x;Target Session Attributes=standby;Multiplexing=true',
    { ...pg, readOnly: true },
  ],
  ['jdbc:mysql://db.example.com/shop?user=app&password=x&useSSL=false&createDatabaseIfNotExist=true', my],
  ['postgis://app:x@db.example.com/shop', pg],
  ['psql://app:x@db.example.com/shop', pg],
  ['r2dbc:postgresql://app:x@db.example.com:5432/shop', pg],
  ['postgres://app:x@db.example.com/shop?sslmode=no-verify', { ...pg, ssl: 'require' }],
  [
    'postgres://app:x@db.example.com/shop?sslmode=require&sslrootcert=/ca.pem',
    { ...pg, ssl: 'verify-full', ca: '/ca.pem' },
  ],
  ['postgres://app:x@db.example.com/shop?sslmode=verify-full&sslrootcert=system', { ...pg, ssl: 'verify-full' }],
  ['postgres://app:x@db.example.com/shop?target_session_attrs=read-only', { ...pg, readOnly: true }],
  [
    'postgres://app:x@db.example.com/shop?connect_timeout=10&pool=5',
    { ...pg, notes: [expect.stringContaining('pool')] },
  ],
  ['Host=db.example.com;Port=5432;Database=shop;Username=app;Password=x;SSL Mode=Require', { ...pg, ssl: 'require' }],
  [
    'Host=db.example.com;Username=app;Password=x;Database=shop;Search Path=a',
    { ...pg, sessionSettings: { search_path: 'a' } },
  ],
  ['host=db.example.com port=5432 dbname=shop user=app password=x sslmode=verify-full', { ...pg, ssl: 'verify-full' }],
  ["host=db.example.com dbname=shop user=app password='it''s'", expect.anything()],
  ["host=db.example.com dbname=shop user=app password='i\\'t s'", { ...pg, password: "i't s" }],
  ['pgsql:host=db.example.com;port=5432;dbname=shop;user=app;password=x', pg],
  ['Driver={PostgreSQL Unicode};Server=db.example.com;Port=5432;Database=shop;Uid=app;Pwd={x};', pg],
  // MySQL and MariaDB
  ['jdbc:mariadb://db.example.com:3306/shop?user=app&password=x&useSSL=true', { ...my, ssl: 'verify-full' }],
  ['jdbc:mysql://db.example.com:3306/shop?user=app&useSSL=true&password=x', { ...my, ssl: 'require' }],
  [
    'jdbc:mysql://db.example.com/shop?useSSL=false&allowPublicKeyRetrieval=true&serverTimezone=UTC&user=app&password=x',
    my,
  ],
  ['jdbc:mysql://app:x@db.example.com/shop?sslMode=VERIFY_CA', { ...my, ssl: 'verify-full' }],
  [
    'mysql://app:x@db.example.com/shop?charset=utf8mb4&parseTime=True',
    { ...my, notes: [expect.stringContaining('charset, parseTime')] },
  ],
  ['mysql2://app:x@db.example.com/shop?pool=5&encoding=utf8mb4', my],
  ['mysql+pymysql://app:x@db.example.com/shop?charset=utf8mb4', my],
  ['mysql://app:x@db.example.com/shop?ssl={"rejectUnauthorized":true}', { ...my, ssl: 'verify-full' }],
  ['mysql://app:x@db.example.com/shop?sslaccept=strict', { ...my, ssl: 'verify-full' }],
  ['app:x@tcp(db.example.com:3306)/shop?parseTime=true&tls=true', { ...my, ssl: 'verify-full' }],
  ['app:x@tcp(db.example.com)/shop?tls=skip-verify&loc=Local', { ...my, ssl: 'require' }],
  ['app:p@s/s:#w%@tcp(db.example.com:3306)/shop', { ...my, password: 'p@s/s:#w%' }],
  ['app:x@unix(/run/mysqld/mysqld.sock)/shop', { ...my, host: '/run/mysqld/mysqld.sock' }],
  ["app:x@tcp(db.example.com)/shop?sql_mode='ANSI'", { ...my, sessionSettings: { sql_mode: 'ANSI' } }],
  [
    'mysql:host=db.example.com;port=3306;dbname=shop;charset=utf8mb4',
    { engine: 'mysql', host: 'db.example.com', database: 'shop' },
  ],
  ['Server=db.example.com;Port=3306;Database=shop;Uid=app;Pwd=x;SslMode=Required', { ...my, ssl: 'require' }],
  ['Driver={MySQL ODBC 8.0 Unicode Driver};Server=db.example.com;Database=shop;User=app;Password={x};Option=3;', my],
  [
    "jdbc:mysql://db.example.com/shop?sessionVariables=sql_mode='ANSI,TRADITIONAL',tx_isolation='x'&user=app&password=x",
    { ...my, sessionSettings: { sql_mode: 'ANSI,TRADITIONAL', tx_isolation: 'x' } },
  ],
  // SQL Server
  ['jdbc:sqlserver://db.example.com:1433;databaseName=shop;encrypt=true;user=app;password=x', ms],
  [
    'jdbc:sqlserver://db.example.com\\SQLEXPRESS;databaseName=shop;user=app;password={x;}}y}',
    { ...ms, instance: 'SQLEXPRESS', password: 'x;}y' },
  ],
  [
    'jdbc:sqlserver://db.example.com:1433;databaseName=shop;encrypt=strict;user=app;password=x',
    { ...ms, encrypt: 'strict' },
  ],
  ['jdbc:jtds:sqlserver://db.example.com:1433/shop;instance=A;user=app;password=x', ms],
  [
    'sqlserver://db.example.com:1433;database=shop;user=app;password=x;trustServerCertificate=true',
    { ...ms, trustServerCertificate: true },
  ],
  ['sqlserver://app:x@db.example.com:1433?database=shop&encrypt=disable', { ...ms, encrypt: 'false' }],
  ['sqlserver://app:x@db.example.com/SQLExpress?database=shop', { ...ms, instance: 'SQLExpress' }],
  [
    'mssql+pyodbc://app:x@db.example.com/shop?driver=ODBC+Driver+18+for+SQL+Server&Encrypt=yes&TrustServerCertificate=no',
    ms,
  ],
  [
    'mssql+pyodbc:///?odbc_connect=Driver%3D%7BODBC+Driver+18+for+SQL+Server%7D%3BServer%3Dtcp%3Adb.example.com%2C1433%3BDatabase%3Dshop%3BUid%3Dapp%3BPwd%3D%7Bx%3B1%7D%3BEncrypt%3Dyes',
    { ...ms, password: 'x;1' },
  ],
  ['mssql+pymssql://app:x@db.example.com/shop?charset=utf8', ms],
  ['Server=db.example.com;Database=shop;User Id=app;Password=x;Encrypt=True;TrustServerCertificate=False', ms],
  [
    'Server=tcp:db.example.com,1433;Initial Catalog=shop;Persist Security Info=False;User ID=app;Password="x;y""";MultipleActiveResultSets=False;Encrypt=True;TrustServerCertificate=False;Connection Timeout=30;',
    { ...ms, password: 'x;y"', connectTimeoutMs: 30_000 },
  ],
  [
    'Data Source=.\\SQLEXPRESS;Initial Catalog=shop;Integrated Security=True',
    { engine: 'sqlserver', instance: 'SQLEXPRESS', database: 'shop', notes: [expect.stringContaining('Integrated')] },
  ],
  [
    'Driver={ODBC Driver 18 for SQL Server};Server=db.example.com,1433;Database=shop;UID=app;PWD={x};Encrypt=yes;ApplicationIntent=ReadOnly',
    { ...ms, readOnlyIntent: true, readOnly: true },
  ],
  [
    'sqlsrv:Server=db.example.com,1433;Database=shop;Encrypt=1',
    { engine: 'sqlserver', host: 'db.example.com', database: 'shop' },
  ],
  // Oracle
  ['jdbc:oracle:thin:app/x@//db.example.com:1521/orders', { ...ora, serviceName: 'orders' }],
  ['jdbc:oracle:thin:app/x@db.example.com:1521:ORCL', { ...ora, sid: 'ORCL' }],
  [
    'jdbc:oracle:thin:@//db.example.com:1522/orders',
    { engine: 'oracle', host: 'db.example.com', port: 1522, serviceName: 'orders' },
  ],
  [
    'jdbc:oracle:thin:@tcps://db.example.com:2484/orders',
    { engine: 'oracle', host: 'db.example.com', protocol: 'tcps', serviceName: 'orders' },
  ],
  ['jdbc:oracle:thin:app/p@ss/w@db.example.com:1521/orders', { ...ora, password: 'p@ss/w', serviceName: 'orders' }],
  [
    'jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=a)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=s)))',
    { engine: 'oracle', connectString: expect.stringContaining('(HOST=a)') },
  ],
  ['app/x@//db.example.com:1521/orders', { ...ora, serviceName: 'orders' }],
  ['//db.example.com:1521/orders', { engine: 'oracle', host: 'db.example.com', serviceName: 'orders' }],
  ['oracle+oracledb://app:x@db.example.com:1521/?service_name=orders', { ...ora, serviceName: 'orders' }],
  ['oracle+cx_oracle://app:x@db.example.com:1521/ORCL', { ...ora, sid: 'ORCL' }],
  ['User Id=app;Password=x;Data Source=db.example.com:1521/orders;', { ...ora, serviceName: 'orders' }],
  ['user="app" password="x" connectString="db.example.com:1521/orders"', { ...ora, serviceName: 'orders' }],
  // Derby and its family
  [
    'jdbc:derby://db.example.com:1527/shop;create=true;user=app;password=x',
    { ...pg, engine: 'drda', notes: [expect.stringContaining('create')] },
  ],
  [
    'jdbc:derby://db.example.com:1527/shop;ssl=basic;securityMechanism=8;user=app',
    { engine: 'drda', ssl: 'require', security: 'substitute', user: 'app' },
  ],
  [
    'jdbc:snappydata://db.example.com:1527/;user=app;password=x',
    { ...pg, engine: 'drda', database: 'snappydata', dialect: 'sqlfire' },
  ],
  // MongoDB
  [
    'mongodb://app:x@a.example,b.example:27018/shop?replicaSet=rs0&authSource=admin&tls=true',
    {
      engine: 'mongodb',
      host: 'a.example,b.example:27018',
      database: 'shop',
      user: 'app',
      password: 'x',
      authSource: 'admin',
      replicaSet: 'rs0',
      tls: 'verify-full',
    },
  ],
  [
    'mongodb+srv://app:p@ss@cluster0.example.net/shop?retryWrites=true&w=majority&appName=c',
    { engine: 'mongodb', srv: true, password: 'p@ss', w: 'majority', notes: [expect.stringContaining('appName')] },
  ],
];

describe('connection strings as other libraries write them', () => {
  test.each(forms)('%s', (text, expected) => {
    if (expected.engine === undefined) expect(messageOf(text)).not.toContain('accepted');
    else expect(read(text)).toMatchObject(expected);
  });

  test('quotes of a shell or a file are not part of them', () => {
    expect(read('"postgres://app:x@db.example.com/shop"')).toMatchObject(pg);
    expect(read("'postgres://app:x@db.example.com/shop'")).toMatchObject(pg);
  });
});

describe('what would make a connection less safe is refused', () => {
  test.each([
    'postgres://app:c4nary@h/d?sslmod=require',
    'postgres://app:c4nary@h/d?sslcrl=/crl.pem',
    'postgres://app:c4nary@h/d?gssencmode=require',
    'postgres://app:c4nary@h/d?require_auth=scram-sha-256',
    'postgres://app:c4nary@h/d?ssl_min_protocol_version=TLSv1.3',
    'postgres://app:c4nary@h/d?sslmode=disable&channel_binding=require',
    'postgres://app:c4nary@a,b/d',
    'mysql://app:c4nary@h/d?ssl-mode=SOMETHING',
    'app:c4nary@tcp(h)/d?tls=custom',
    'mysql://app:c4nary@h/d?tlsVersions=TLSv1.3',
    'jdbc:mysql:replication://h,i/d?user=app&password=c4nary',
    'mssql://app:c4nary@h/d?encrypt=sometimes',
    'mssql+pyodbc://app:c4nary@dsn_name',
    'jdbc:oracle:thin:app/c4nary@alias?TNS_ADMIN=/x',
    'oracle://app:c4nary@h/s?mode=SYSDBA',
    'app/c4nary@h:1521/s?oracle.net.encryption_client=REQUIRED',
    'jdbc:oracle:thin:app/c4nary@tcp://h:1521/s?expire_time=1&ORACLE.NET.CRYPTO_CHECKSUM_CLIENT=required',
    'jdbc:oracle:thin:app/c4nary@h:1521/s?oracle.net.socksProxyHost=proxy',
    'User Id=app;Data Source=h:1521/s?oracle.net.encryption_client=REQUIRED',
    'User Id=app;Data Source=h:1521/s?TNS_ADMIN=/x',
    'jdbc:mysql://h/d?user=app&socksProxyHost=proxy',
    'jdbc:mysql://h/d?user=app&socketFactory=com.google.cloud.sql.mysql.SocketFactory',
    'app@tcp(h)/d?sshTunnel=bastion',
    'jdbc:postgresql://h/d?user=app&socketFactory=com.google.cloud.sql.postgres.SocketFactory',
    'jdbc:sqlserver://h;user=app;socketFactoryClass=com.google.cloud.sql.sqlserver.SocketFactory',
    'jdbc:derby:shop;user=app;password=c4nary',
    'jdbc:derby://h/d;ssl=peerAuthentication;password=c4nary',
    'mongodb://app:c4nary@h/?authMechanismProperties=AWS_SESSION_TOKEN:c4nary',
    'mysqlx://app:c4nary@h/d',
    'jdbc:sqlite:/home/c4nary.db',
  ])('%s', (text) => {
    const message = messageOf(text);
    expect(message).not.toContain('accepted');
    expect(message).not.toContain('No engine');
    expect(message).not.toContain('c4nary');
  });
});

test.each([
  'Driver={MySQL ODBC 8.0 Unicode Driver};Server=h;UID=app;INITSTMT=SET SESSION TRANSACTION READ ONLY',
  'Driver={PostgreSQL Unicode};Server=h;UID=app;ConnSettings=SET default_transaction_read_only TO on',
  'jdbc:postgresql://h/d?user=app&connectionInitSql=SET%20SESSION%20CHARACTERISTICS%20AS%20TRANSACTION%20READ%20ONLY',
  'Driver={MySQL ODBC 8.0 Unicode Driver};Server=h;UID=app;initCommand=SET @@session.transaction_read_only = 1',
  'Server=h;Database=d;User Id=app;Application Intent=Read Only;Encrypt=True',
  'Server=h,1433;Database=d;User Id=app;ApplicationIntent=READONLY',
  'jdbc:sqlserver://h;databaseName=d;applicationIntent=ReadOnly;user=app',
  'sqlserver://app@h?database=d&ApplicationIntent=ReadOnly',
  'Driver={FreeTDS};Server=h;UID=app;ReadOnlyIntent=Yes',
  'postgres://app@h/d?options=-c%20default_transaction_read_only%3Don',
  'postgres://app@h/d?options=-c%20search_path%3Da%20--default-transaction-read-only%3Dtrue',
  'postgres://app@h/d?options=-cdefault_transaction_read_only%3D1',
  "host=h user=app options='-c transaction_read_only=yes'",
  'Host=h;Username=app;Options=-c default_transaction_read_only=on',
  'jdbc:postgresql://h/d?user=app&options=-c%20default_transaction_read_only=on',
  'jdbc:mysql://h/d?user=app&sessionVariables=sql_mode=ANSI,transaction_read_only=1',
  'jdbc:mariadb://h/d?user=app&sessionVariables=@@SESSION.tx_read_only:=ON',
  'mysql://app@h/d?init_command=SET%20SESSION%20transaction_read_only=1',
  'app@tcp(h)/d?transaction_read_only=1',
  "app@tcp(h)/d?tx_read_only='ON'",
])('a statement that begins sessions which only read, under whatever name: %s', (text) => {
  expect(read(text).readOnly).toBe(true);
});

test.each([
  'Server=h,1433;Database=d;User Id=app;ApplicationIntent=ReadWrite',
  'Driver={FreeTDS};Server=h;UID=app;ReadOnlyIntent=No',
  'postgres://app@h/d?options=-c%20default_transaction_read_only%3Doff',
  'postgres://app@h/d?options=-c%20search_path%3Dread_only',
  'jdbc:mysql://h/d?user=app&sessionVariables=transaction_read_only=0',
  'mysql://app@h/d?init_command=SET%20@@session.transaction_read_only%20=%200',
  'app@tcp(h)/d?transaction_read_only=OFF',
])('sessions that may write: %s', (text) => {
  expect(read(text).readOnly).toBe(false);
});

test.each([
  'postgresql+psycopg2://u:c4nary@/d?host=h1:5432&host=h2:5432',
  'postgresql+psycopg2://u:c4nary@/d?host=h1&host=h2',
  'postgres://u:c4nary@h/d?sslmode=verify-full&ssl_mode=disable',
  'host=h1 host=h2 user=u password=c4nary',
  'Host=h1;Username=app;Password=c4nary;Host=h2',
  'Server=h,1433;Database=d;User Id=app;Password=c4nary;Encrypt=True;encrypt=False',
  'Driver={MySQL ODBC 8.0 Unicode Driver};Server=h1;Server=h2;UID=app;PWD={c4nary}',
  'jdbc:mysql://h/d?user=app&password=c4nary&useSSL=true&useSSL=false',
  'app:c4nary@tcp(h)/d?tls=true&tls=false',
  'oracle+oracledb://app:c4nary@h:1521/?service_name=a&service_name=b',
  'mongodb://app:c4nary@h/d?tls=true&tls=false',
])('a setting that comes twice with two values is refused: %s', (text) => {
  const message = messageOf(text);
  expect(message).toContain('twice, with different values');
  expect(message).not.toContain('c4nary');
});

test('a setting that comes twice with one value, and a host with its port', () => {
  expect(read('postgresql+psycopg2://u@/d?host=h1:5433&host=h1:5433')).toMatchObject({ host: 'h1', port: 5433 });
  expect(read('postgres://h/d?options=-cwork_mem%3D1&options=-cjit%3Doff')).toMatchObject({
    sessionSettings: { work_mem: '1', jit: 'off' },
  });
});

describe('passwords with every printable character', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 14,
  });
  const hostile = fc.oneof(printable, fc.stringMatching(/^[@/:#?%&+=;'"{}a1\\]{1,10}$/));
  const percent = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const schemes = [
    'postgres',
    'postgresql+asyncpg',
    'mysql',
    'mysql+pymysql',
    'mssql',
    'sqlserver',
    'oracle',
    'mongodb',
    'drda',
  ];

  test.each(schemes)('%s:// reads what was percent-encoded', (scheme) => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (password, isWhole) => {
        const written = isWhole ? percent(password) : encodeURIComponent(password);
        expect(read(`${scheme}://app:${written}@db.example.com:1700/shop`)).toMatchObject({ user: 'app', password });
      }),
    );
  });

  test.each(schemes)('%s:// reads a raw one as it is, or refuses it without repeating it', (scheme) => {
    fc.assert(
      fc.property(hostile, fc.constantFrom('', '/shop', ':1700/shop'), (password, rest) => {
        const marked = `c4n${password}c4n`;
        // An escape is decoded, as the URL's library does.
        if (/%[0-9a-f]{2}/i.test(marked)) return;
        const message = messageOf(`${scheme}://app:${marked}@db.example.com${rest}`);
        if (message.startsWith('accepted'))
          expect(read(`${scheme}://app:${marked}@db.example.com${rest}`)).toMatchObject({
            host: expect.stringMatching(/^db\.example\.com(:1700)?$/),
            user: 'app',
            password: marked,
          });
        else expect(message).not.toContain('c4n');
      }),
      { numRuns: 400, examples: [['@/?', '']] },
    );
  });

  const quoted: readonly (readonly [string, (password: string) => string])[] = [
    ['libpq', (text) => `host=db.example.com user=app password='${text.replaceAll(/['\\]/g, '\\$&')}' dbname=shop`],
    ['Npgsql', (text) => `Host=db.example.com;Username=app;Password="${text.replaceAll('"', '""')}";Database=shop`],
    ['SqlClient', (text) => `Server=db.example.com;User Id=app;Password='${text.replaceAll("'", "''")}';Encrypt=True`],
    [
      'ODBC',
      (text) =>
        `Driver={ODBC Driver 18 for SQL Server};Server=db.example.com;UID=app;PWD={${text.replaceAll('}', '}}')}};Encrypt=yes`,
    ],
    [
      'JDBC for SQL Server',
      (text) => `jdbc:sqlserver://db.example.com;user=app;password={${text.replaceAll('}', '}}')}};encrypt=true`,
    ],
    [
      'JDBC for PostgreSQL',
      (text) => `jdbc:postgresql://db.example.com/shop?user=app&password=${encodeURIComponent(text)}&ssl=true`,
    ],
    [
      'JDBC for MySQL',
      (text) => `jdbc:mysql://db.example.com/shop?user=app&password=${encodeURIComponent(text)}&useSSL=true`,
    ],
    ['Go', (text) => `app:${text}@tcp(db.example.com:3306)/shop`],
    ['Oracle', (text) => `app/${text.replaceAll('"', 'q')}@db.example.com:1521/shop`],
  ];

  test.each(quoted)('%s reads what was quoted as it wants', (_, write) => {
    fc.assert(
      fc.property(hostile, (password) => {
        const plain = write('').startsWith('app/') ? password.replaceAll('"', 'q') : password;
        expect(read(write(password))).toMatchObject({ host: 'db.example.com', user: 'app', password: plain });
      }),
    );
  });

  test.each([
    ['a query', (text: string) => `jdbc:postgresql://db.example.com/shop?user=app&password=${text}`],
    ['pairs', (text: string) => `Server=db.example.com;User Id=app;Encrypt=True;Password=${text}`],
    ['ODBC', (text: string) => `Driver={ODBC Driver 18 for SQL Server};Server=db.example.com;UID=app;PWD=${text}`],
    ['Derby', (text: string) => `jdbc:derby://db.example.com/shop;user=app;password=${text}`],
    ['words', (text: string) => `host=db.example.com user=app password=${text}`],
  ] as const)('a raw password in %s is read as it is, or refused without repeating it', (_, write) => {
    fc.assert(
      fc.property(hostile, (password) => {
        const marked = `c4n${password}c4n`;
        if (/%[0-9a-f]{2}/i.test(marked)) return;
        const message = messageOf(write(marked));
        if (message.startsWith('accepted')) {
          const { password: got } = read(write(marked)) as { password?: string };
          // In libpq's keyword strings, a backslash escapes the next character.
          expect(got).toBe(_ === 'words' ? marked.replaceAll(/\\(.)/g, '$1') : marked);
        } else expect(message).not.toContain('c4n');
      }),
      { numRuns: 300 },
    );
  });
});
