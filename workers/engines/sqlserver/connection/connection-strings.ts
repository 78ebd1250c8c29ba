import type {
  Certainty,
  ConnectionStrings,
  Parameter,
  Reading,
} from '#engine-api/connection-strings/connection-strings.ts';
import { readPairs } from '#engine-api/connection-strings/pairs.ts';
import {
  dynosOwn,
  ignored,
  isYes,
  leftOut,
  type Rules,
  readOnlyIfYes,
  readSettings,
  severalHosts,
  type Taken,
  timeoutOf,
  withParts,
} from '#engine-api/connection-strings/reading.ts';
import { decode, splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import { DynoError } from '#model/error.ts';
import { fields as configFields } from '../config-fields.ts';
import { descriptor } from '../descriptor.ts';

/** The engine's label and an example of its URLs, for messages. */
export const urlForm = {
  label: descriptor.label,
  example: 'mssql://user:password@host:1433/database?encrypt=true',
} as const;

/** The fields of a target by their own names, then the names of SqlClient, ODBC, JDBC, jTDS, Go and Node's drivers. */
const rules: Rules = {
  ...dynosOwn,
  ...Object.fromEntries(
    configFields.filter(({ kind }) => kind !== 'map').map(({ name }) => [name.toLowerCase(), name] as const),
  ),
  server: serverOf,
  servername: serverOf,
  datasource: serverOf,
  address: serverOf,
  addr: serverOf,
  networkaddress: serverOf,
  host: serverOf,
  hostname: serverOf,
  port: 'port',
  portnumber: 'port',
  instancename: 'instance',
  databasename: 'database',
  initialcatalog: 'database',
  db: 'database',
  userid: userOf,
  uid: userOf,
  user: userOf,
  username: userOf,
  pwd: 'password',
  encrypt: encryptOf,
  encryption: encryptOf,
  ssl: sslOf,
  trustservercertificate: 'trustServerCertificate',
  hostnameincertificate: 'serverName',
  certificate: 'ca',
  servercertificate: 'ca',
  integratedsecurity: (value) => (isYes(value) === false ? {} : integrated),
  trustedconnection: (value) => (isYes(value) === false ? {} : integrated),
  authentication: authenticationOf,
  authenticationtype: authenticationOf,
  authenticationscheme: (value) => (/^ntlm$/i.test(value) ? { values: { authentication: 'ntlm' } } : integrated),
  accesstoken: 'token',
  applicationintent: (value) => (/^read[\s_-]*only$/i.test(value) ? onlyReads : {}),
  readonlyintent: (value) => (isYes(value) === false ? {} : onlyReads),
  connecttimeout: timeoutOf,
  connectiontimeout: timeoutOf,
  logintimeout: timeoutOf,
  dialtimeout: timeoutOf,
  timeout: timeoutOf,
  locktimeout: (value) =>
    /^\d+$/.test(value) ? { values: { sessionSettings: { LOCK_TIMEOUT: value } } } : { leftOut: 'it is the default' },
  readonly: readOnlyIfYes,
  usentlmv2: ignored,
  ...leftOut('Dyno reads PEM files alone: give ca', 'truststore truststoretype truststorepassword trustmanagerclass'),
  trustmanagerconstructorarg: ignored,
  sslprotocol: (value) =>
    /1\.3$/.test(value) ? { problem: 'It asks for a newer TLS than Dyno’s least, which is 1.2.' } : {},
  fips: (value) => (isYes(value) === true ? { problem: 'It asks for FIPS, which Dyno cannot promise.' } : {}),
  attachdbfilename: () => ({ problem: 'It names a file of a database for the server to attach.' }),
};

/** A listener leads to a replica that only reads, and a primary refuses nothing, so Dyno has to. */
const onlyReads: Taken = { values: { readOnlyIntent: true }, readOnly: true };

const integrated: Taken = {
  note: 'Integrated login (Windows, Kerberos) is not taken over: give a user and a password.',
};

/** Reads the address of a SQL Server as its own clients write it: tcp:host,port or host\instance. */
function serverOf(text: string): Taken {
  if (/^(np|lpc|admin):|^\\\\/i.test(text))
    return { problem: 'Dyno reaches SQL Server over TCP, not by named pipes or shared memory.' };
  if (/^\(localdb\)/i.test(text))
    return { problem: 'It names a LocalDB, which is reached by named pipes alone, and Dyno connects over TCP.' };
  const [address = '', port] = text.replace(/^tcp:/i, '').split(',', 2);
  const [host = '', instance] = address.trim().split('\\', 2);
  const name = host === '.' || /^\(local\)$/i.test(host) ? 'localhost' : host;
  const [, bare = name, ownPort] = /^([^:]+):(\d{1,5})$/.exec(name) ?? [];
  const given = (port ?? ownPort ?? '').trim();
  return {
    values: {
      host: bare,
      ...(/^\d{1,5}$/.test(given) ? { port: Number(given) } : instance !== undefined && { instance }),
    },
  };
}

/** A Windows user is DOMAIN\name. */
function userOf(text: string): Taken {
  const [, domain, user] = /^([^\\@]+)\\(.+)$/.exec(text) ?? [];
  return { values: domain !== undefined && user !== undefined ? { domain, user } : { user: text } };
}

/** The values of Encrypt in Microsoft's drivers. */
function encryptOf(text: string): Taken {
  if (/^strict$/i.test(text)) return { values: { encrypt: 'strict' } };
  if (/^(optional|disable)$/i.test(text) || isYes(text) === false) return { values: { encrypt: 'false' } };
  return /^mandatory$/i.test(text) || isYes(text) === true
    ? { values: { encrypt: 'true' } }
    : { problem: 'It has a kind of encryption that Dyno does not know.' };
}

/** jTDS's modes. Only authenticate checks the certificate, and Dyno then does, too. */
function sslOf(text: string): Taken {
  return { values: { encrypt: isYes(text) === false ? 'false' : 'true' } };
}

function authenticationOf(text: string): Taken {
  const word = text.toLowerCase().replaceAll(/[\s_]/g, '');
  if (/^(sqlpassword|sql|notspecified|sqllogin|default)$/.test(word)) return {};
  if (/^(windows|activedirectoryintegrated|integrated)/.test(word)) return integrated;
  const known: Readonly<Record<string, string>> = {
    activedirectorypassword: 'azure-active-directory-password',
    activedirectoryserviceprincipal: 'azure-active-directory-service-principal-secret',
    activedirectorydefault: 'azure-active-directory-default',
    activedirectorymsi: 'azure-active-directory-msi-vm',
    activedirectorymanagedidentity: 'azure-active-directory-msi-vm',
  };
  const own = configFields.find(({ name }) => name === 'authentication')?.choices?.includes(word) ? word : undefined;
  const authentication = own ?? known[word];
  return authentication === undefined
    ? {
        values: { authentication: 'azure-active-directory-access-token' },
        note: 'The login in a browser becomes one by token: let a command print it (az account get-access-token).',
      }
    : { values: { authentication } };
}

function readAll(settings: Iterable<Parameter>): Reading {
  const read = readSettings(settings, rules, { label: descriptor.label, fields: configFields });
  const { instance: _, ...withoutInstance } = read.values;
  // If both are given, clients use the port.
  const both = read.values.port !== undefined && read.values.instance !== undefined;
  if (!both) return read;
  return { ...read, values: withoutInstance, notes: [...read.notes, 'The port is taken, and not the named instance.'] };
}

const scheme = /^(?<jdbc>jdbc:)?(?<jtds>jtds:)?(?:mssql|sqlserver|tds)(?<library>\+\w+)?:(?<rest>\/\/.*)$/is;

/**
 * Reads mssql://user:password@host:port/database?field=value… (the host may be host\instance) with the usual
 * percent-encoding, URLs of JDBC, jTDS, SQLAlchemy, Prisma and Go, and pairs of SqlClient, ODBC and PDO.
 */
export const connectionStrings: ConnectionStrings = {
  settings: readAll,
  read(given, certainty = 'own') {
    const text = given.trim();
    const match = scheme.exec(text)?.groups;
    if (match) {
      const { jdbc, jtds, library, rest = '' } = match;
      const semicolon = semicolonForm.exec(rest)?.groups;
      if (semicolon) return readSemicolons(semicolon, jtds !== undefined);
      return readUrl(rest, jdbc !== undefined, library?.toLowerCase());
    }
    if (/^sqlsrv:/i.test(text)) return readAll(readPairs(text.slice('sqlsrv:'.length), 'odbc'));
    if (/^\s*driver\s*=\s*\{?[^;]*(sql server|sqlserver|msodbcsql|freetds|tds)/i.test(text))
      return readAll(readPairs(text, 'odbc'));
    return readAdo(text, certainty);
  },
};

/**
 * Reads host[\instance][:port][/database] and ;name=value… of JDBC, jTDS and Prisma, in which no user stands before the
 * host.
 */
const semicolonForm =
  /^\/\/(?<host>\[[0-9a-f:.]+\]|[^\s:@/?#;\\]*)(?:\\(?<instance>[\w$-]+))?(?::(?<port>\d{1,5}))?(?:\/(?<database>[^\s:@/?#;]*))?\/?(?:;(?<pairs>.*))?$/is;

function readSemicolons(found: Readonly<Record<string, string | undefined>>, isJtds: boolean): Reading {
  const { host, instance, port, database, pairs = '' } = found;
  const read = readAll([
    ...(instance !== undefined ? [['instance', instance] as const] : []),
    ...(port !== undefined ? [['port', port] as const] : []),
    ...readPairs(pairs, isJtds ? 'plain' : 'odbc'),
  ]);
  return withParts(read, { host: host?.replace(/^\[(.*)\]$/, '$1'), port: null, path: database });
}

function readUrl(rest: string, isJdbc: boolean, library: string | undefined): Reading {
  // SQLAlchemy passes a whole ODBC string on.
  const inner = /[?&]odbc_connect=([^&]*)/i.exec(rest)?.[1];
  if (inner !== undefined) return readAll(readPairs(decode(inner.replaceAll('+', ' ')) ?? '', 'odbc'));
  const url = splitUrl(`mssql:${rest}`, { ...urlForm, plusIsBlank: isJdbc || library !== undefined });
  const [first, ...others] = url.hosts;
  if (others.length > 0)
    throw new DynoError('badInput', severalHosts, { hint: 'Name the one that is to be measured.' });
  const names = url.parameters.map(([name]) => name.toLowerCase());
  if (library === '+pyodbc' && !names.includes('driver'))
    throw new DynoError('badInput', 'The host of this URL is the name of an ODBC data source.', {
      hint: 'Import odbc.ini, or name the driver: mssql+pyodbc://user@host/database?driver=ODBC+Driver+18+for+SQL+Server.',
    });
  const [host, instance] = (first?.host ?? '').split('\\');
  // Go's driver has the instance in the path, and the database among the parameters.
  const isGo = names.includes('database') && url.path !== null;
  const user = url.user === null ? {} : userOf(url.user).values;
  const read = readAll([
    ...(instance !== undefined ? [['instance', instance] as const] : []),
    ...(isGo && url.path !== null ? [['instance', url.path] as const] : []),
    ...(first?.port != null ? [['port', String(first.port)] as const] : []),
    ...url.parameters,
  ]);
  const values = { ...user, ...read.values };
  return withParts({ ...read, values }, { host, port: null, password: url.password, path: isGo ? null : url.path });
}

const only =
  'initial ?catalog|integrated ?security|trusted_connection|encrypt|trust ?server ?certificate|multiple ?active ?result ?sets|persist ?security ?info|application ?intent|multi ?subnet ?failover|attach ?db ?filename|column ?encryption ?setting|user ?instance';
const server = 'server|data ?source|addr(ess)?|network ?address';

/**
 * Reads Server=…;Database=…;User Id=…;Password=…. Without a word of SQL Server's own it may belong to another server.
 */
function readAdo(text: string, certainty: Certainty): Reading | null {
  const has = (names: string) => new RegExp(`(^|;)\\s*(${names})\\s*=`, 'i').test(text);
  if (!/^[\w ]+=/.test(text) || !text.includes(';') || has('driver')) return null;
  const isSure = has(only) || /(^|;)\s*(server|data ?source)\s*=\s*(tcp:|[^;]*[\\,])/i.test(text);
  if (certainty === 'own' && !(has(server) && isSure)) return null;
  if (certainty === 'likely' && !has(server)) return null;
  const read = readAll(readPairs(text, 'ado'));
  if (certainty !== 'likely') return read;
  const note = 'It is taken as one for SQL Server; libraries of other servers write such strings, too.';
  return { ...read, notes: [note, ...read.notes] };
}
