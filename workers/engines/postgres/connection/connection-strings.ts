import type { ConnectionStrings, Parameter, Reading } from '#engine-api/connection-strings/connection-strings.ts';
import { readPairs, readWords } from '#engine-api/connection-strings/pairs.ts';
import {
  dynosOwn,
  ignored,
  isYes,
  leftOut,
  oneHost,
  plainName,
  type Rules,
  readOnlyIfYes,
  readSettings,
  sessionSetting,
  severalHosts,
  type Taken,
  timeoutOf,
  tlsModeOf,
  withParts,
} from '#engine-api/connection-strings/reading.ts';
import { splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import type { TlsMode } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { descriptor } from '../descriptor.ts';

/** The engine's label and an example of its URLs, for messages. */
export const urlForm = { label: descriptor.label, example: 'postgres://user:password@host:5432/database' } as const;

/** Settings that decide about TLS together. */
const ofTls = [
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslca',
  'rootcertificate',
  'sslfactory',
  'channelbinding',
  'sslaccept',
  'sslrequire',
] as const;
const trustServer = 'trustservercertificate';

/** libpq's parameters (manual, "Parameter Key Words"), pgjdbc's, Npgsql's, and those of libraries on top of them. */
const rules: Rules = {
  ...dynosOwn,
  ...Object.fromEntries([...ofTls, trustServer].map((name) => [name, ignored])),
  host: hostOf,
  server: oneHost,
  servername: oneHost,
  hostaddr: ignored,
  port: 'port',
  dbname: 'database',
  database: 'database',
  db: 'database',
  user: 'user',
  username: 'user',
  userid: 'user',
  uid: 'user',
  password: 'password',
  pwd: 'password',
  pass: 'password',
  kerberos: 'kerberos',
  sslcert: 'cert',
  sslcertificate: 'cert',
  sslkey: 'key',
  sslpassword: 'keyPassword',
  connecttimeout: timeoutOf,
  logintimeout: timeoutOf,
  timeout: timeoutOf,
  options: settingsOf,
  schema: sessionSetting('search_path'),
  currentschema: sessionSetting('search_path'),
  searchpath: sessionSetting('search_path'),
  schemasearchpath: sessionSetting('search_path'),
  timezone: sessionSetting('TimeZone'),
  statementtimeout: sessionSetting('statement_timeout'),
  locktimeout: sessionSetting('lock_timeout'),
  idleintransactionsessiontimeout: sessionSetting('idle_in_transaction_session_timeout'),
  readonly: readOnlyIfYes,
  readonlymode: ignored,
  targetsessionattrs: onlyReads,
  targetservertype: onlyReads,
  targetsessionattributes: onlyReads,
  service: () => ({ problem: 'It names a service of pg_service.conf: import that file instead.' }),
  servicefile: () => ({ problem: 'It names a file of services: import that file instead.' }),
  passfile: () => ({ leftOut: 'a password file is imported by itself' }),
  requireauth: () => ({ problem: 'It names the ways to log in that are allowed, which Dyno cannot promise.' }),
  sslcrl: () => ({ problem: 'It names revoked certificates, which Dyno does not look for.' }),
  sslcrldir: () => ({ problem: 'It names revoked certificates, which Dyno does not look for.' }),
  checkcertificaterevocation: (value) =>
    isYes(value) === true ? { problem: 'It asks for revoked certificates, which Dyno does not look for.' } : {},
  sslminprotocolversion: (value) =>
    /^tlsv1(\.[012])?$/i.test(value)
      ? { leftOut: 'Dyno’s TLS begins with 1.2' }
      : { problem: 'It asks for a newer TLS than Dyno’s least, which is 1.2.' },
  gssencmode: (value) =>
    /^require$/i.test(value)
      ? { problem: 'It asks for encryption by GSSAPI, which Dyno does not have: take TLS.' }
      : { leftOut: 'Dyno has no encryption by GSSAPI' },
  integratedsecurity: (value) =>
    isYes(value) === false
      ? {}
      : { note: 'Integrated login (Windows, Kerberos) is not taken over: Dyno asks for what the server wants.' },
  ...leftOut(
    'a login by Kerberos is asked for by the field kerberos',
    'krbsrvname kerberosservername kerberosservicename includerealm gsslib gssdelegation jaasapplicationname jaaslogin usespnego gssresponsetimeout',
  ),
  ...leftOut(
    'it changes nothing about what is checked',
    'sslnegotiation sslcompression sslsni sslcertmode sslmaxprotocolversion sslresponsetimeout sslpasswordcallback authenticationpluginclassname sslfactoryarg sslhostnameverifier',
  ),
  sslhostnameverifier: () => ({ leftOut: 'Dyno compares the host’s name by itself' }),
};

/** SQLAlchemy's parameter host may have the port, too. */
function hostOf(value: string): Taken {
  const [, host = value, port] = /^([^:/,]+):(\d{1,5})$/.exec(value) ?? [];
  const taken = oneHost(host);
  return port === undefined ? taken : { values: { host, port: Number(port) } };
}

function onlyReads(value: string): Taken {
  const word = plainName(value);
  return /^(readonly|standby|preferstandby|secondary|prefersecondary|slave|preferslave)$/.test(word)
    ? { readOnly: true, note: `A server that is asked for as ${word} is one that is only read.` }
    : { leftOut: 'Dyno takes the one host as it is' };
}

/** `-c name=value` and `--name=value`, without quotes and blanks in values. The server reads - in a name as _. */
function settingsOf(options: string): Taken {
  const shape = /(?:-c\s*|--)([A-Za-z_][\w.-]*)=([^\s'"\\]+)/g;
  const found = [...options.matchAll(shape)];
  const isAll = options.replaceAll(shape, '').trim() === '';
  if (!isAll && /read[_-]only/i.test(options.replaceAll(shape, '')))
    return { problem: 'Its options ask for sessions that only read, in a way that Dyno does not read.' };
  return {
    values: {
      sessionSettings: Object.fromEntries(found.map(([, name = '', value = '']) => [name.replaceAll('-', '_'), value])),
    },
    ...(!isAll && { note: 'Parts of options are not taken over.' }),
  };
}

/** The TLS mode that follows from all settings together. The result is never less safe than the settings. */
function tlsOf(settings: readonly Parameter[], isJdbc: boolean): Omit<Reading, 'readOnly'> {
  const given = new Map(settings.map(([name, value]) => [plainName(name), value]));
  const text = (name: string) => given.get(name) || undefined;
  const notes: string[] = [];
  const authority = text('sslrootcert') ?? text('sslca') ?? text('rootcertificate');
  const isSystem = authority?.toLowerCase() === 'system';
  const modeText = text('sslmode');
  const ssl = given.has('ssl') ? given.get('ssl') || 'true' : undefined;
  let mode: TlsMode | undefined;
  if (modeText !== undefined) mode = modeFrom(modeText, notes);
  else if (ssl !== undefined && isYes(ssl) === true) {
    mode = /nonvalidating/i.test(text('sslfactory') ?? '') ? 'require' : 'verify-full';
    if (!isJdbc && mode === 'verify-full')
      notes.push('ssl=true becomes verify-full: some drivers check the certificate then. sslmode=require checks none.');
  } else if (ssl !== undefined) mode = modeFrom(ssl, notes);
  if (mode === undefined && (text('sslcert') ?? text('sslcertificate')) !== undefined) mode = 'require';
  if (isYes(text('sslrequire') ?? '') === true) mode ??= 'require';
  const stricter = (why: string) => {
    if (mode === 'disable') throw refused(`It switches TLS off, and has ${why}.`);
    if (mode === 'verify-full') return;
    mode = 'verify-full';
    notes.push(`The TLS mode becomes verify-full, because there is ${why}.`);
  };
  if (mode !== 'disable' && authority !== undefined) stricter('a certificate authority to check by');
  if (/^strict$/i.test(text('sslaccept') ?? '')) stricter('sslaccept=strict');
  if (/^require$/i.test(text('channelbinding') ?? ''))
    stricter('channel_binding=require, which Dyno does not have: the certificate and host name are checked instead');
  else if (given.has('channelbinding')) notes.push('Not taken over: channel_binding (Dyno’s driver has none).');
  if (isYes(text(trustServer) ?? '') === false && mode === 'require') stricter('Trust Server Certificate=false');
  return {
    values: {
      ...(mode !== undefined && { ssl: mode }),
      ...(authority !== undefined && !isSystem && { ca: authority }),
    },
    notes,
  };
}

function modeFrom(text: string, notes: string[]): TlsMode | undefined {
  const { ssl, note, problem } = tlsModeOf(text);
  if (problem !== undefined) throw refused(problem);
  if (note !== undefined) notes.push(note);
  return ssl;
}

const refused = (message: string) =>
  new DynoError('badInput', message, { hint: 'Write sslmode=verify-full, require or disable.' });

function readAll(settings: Iterable<Parameter>, isJdbc = false): Reading {
  const all = [...settings];
  const read = readSettings(all, rules, { label: descriptor.label, fields: descriptor.config });
  const tls = tlsOf(all, isJdbc);
  const address = all.find(([name]) => plainName(name) === 'hostaddr')?.[1];
  return {
    ...read,
    values: {
      // The address only saves a look-up of the host's name.
      ...(address && { host: address }),
      ...read.values,
      ...tls.values,
    },
    notes: [...tls.notes, ...read.notes],
  };
}

const scheme =
  /^(?<prefix>jdbc:|r2dbc:)?(?:postgres|postgresql|postgis|timescalegis|pgsql|psql)(?<library>\+\w+)?:(?<rest>.*)$/is;

/** Reads libpq's keywords, with blanks between them. */
const libpqWords = /^(host|hostaddr|dbname|user|port|password|service|sslmode)\s*=\s*('|[^;\s]*(\s|$))/i;

/**
 * Reads postgres://user:password@host:port/database?sslmode=…&sslrootcert=… (the folder of a Unix socket is a
 * percent-encoded host, or the parameter host, as in libpq), URLs of SQLAlchemy and JDBC, libpq's keywords, and pairs
 * of PDO, Npgsql and ODBC.
 */
export const connectionStrings: ConnectionStrings = {
  settings: (settings) => readAll(settings),
  read(given, certainty = 'own') {
    const text = given.trim();
    const match = scheme.exec(text)?.groups;
    if (match) {
      const { prefix, library, rest = '' } = match;
      const isJdbc = prefix?.toLowerCase() === 'jdbc:';
      // Recognises PDO's pairs, which have a blank or a semicolon between them.
      if (!prefix && /^\s*\w+\s*=/.test(rest)) return readAll(readPairs(rest.replaceAll(/\s+(?=\w+=)/g, ';'), 'plain'));
      if (!isJdbc && !rest.startsWith('//')) return null;
      return readUrl(rest.startsWith('//') ? rest : `///${rest.replace(/^\//, '')}`, isJdbc, library !== undefined);
    }
    if (/^\s*driver\s*=\s*\{?[^;]*(psqlodbc|postgres)/i.test(text)) return readAll(readPairs(text, 'odbc'));
    if (libpqWords.test(text) && !/\bconnectString\s*=/i.test(text)) return readAll(readWords(text));
    return isNpgsql(text, certainty === 'asked') ? readAll(readPairs(text, 'ado')) : null;
  },
};

/** Recognises Host=…;Username=…, as in Npgsql's manual. MySQL's connectors have the same words, but other ports. */
function isNpgsql(text: string, isAsked: boolean): boolean {
  if (!/^[\w ]+=/.test(text) || !text.includes(';')) return false;
  if (isAsked) return true;
  const has = (name: string) => new RegExp(`(^|;)\\s*(${name})\\s*=`, 'i').test(text);
  return (
    has('host|server') &&
    (has('username|search ?path|ssl ?certificate|include error detail') || /(^|;)\s*port\s*=\s*5432/i.test(text)) &&
    !has('driver')
  );
}

function readUrl(rest: string, isJdbc: boolean, isSqlAlchemy: boolean): Reading {
  const hasUser = /^\/\/[^/?]*@/.test(rest);
  const url = splitUrl(`postgres:${rest}`, {
    ...urlForm,
    userInfo: !isJdbc || hasUser,
    plusIsBlank: isJdbc || isSqlAlchemy,
  });
  const [host, ...others] = url.hosts;
  if (others.length > 0)
    throw new DynoError('badInput', severalHosts, { hint: 'Name the one that is to be measured.' });
  return withParts(readAll(url.parameters, isJdbc), { ...url, host: host?.host, port: host?.port });
}
