import type { ConnectionStrings, Parameter, Reading } from '#engine-api/connection-strings/connection-strings.ts';
import { readPairs } from '#engine-api/connection-strings/pairs.ts';
import {
  asksToRead,
  dynosOwn,
  ignored,
  isYes,
  leftOut,
  oneHost,
  plainName,
  type Rules,
  readOnlyIfYes,
  readSettings,
  severalHosts,
  type Taken,
  timeoutMsOf,
  timeoutOf,
  tlsModeOf,
  withParts,
} from '#engine-api/connection-strings/reading.ts';
import { readQuery, splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import type { TlsMode } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { descriptor } from '../descriptor.ts';

/** The engine's label and an example of its URLs, for messages. */
export const urlForm = { label: descriptor.label, example: 'mysql://user:password@host:3306/database' } as const;

/** Settings that decide about TLS together. */
const ofTls =
  'sslmode ssl tls usessl requiressl verifyservercertificate sslverifyservercert trustservercertificate disablesslhostnameverification sslaccept sslverify sslverifycert sslverifyidentity ssldisabled skipssl sslca cacertificatefile serversslcert';

/** Names of the clients' options, Connector/J's, MariaDB's, Connector/NET's, Go's, Python's and PHP's. */
const rules: Rules = {
  ...dynosOwn,
  ...Object.fromEntries(ofTls.split(' ').map((name) => [name, ignored])),
  host: oneHost,
  server: oneHost,
  servername: oneHost,
  datasource: oneHost,
  address: oneHost,
  addr: oneHost,
  socket: 'host',
  socketpath: 'host',
  unixsocket: 'host',
  localsocket: 'host',
  port: 'port',
  tcpport: 'port',
  database: 'database',
  dbname: 'database',
  db: 'database',
  initialcatalog: 'database',
  user: 'user',
  username: 'user',
  userid: 'user',
  uid: 'user',
  password: 'password',
  passwd: 'password',
  pwd: 'password',
  pass: 'password',
  sslcert: 'cert',
  sslkey: 'key',
  sslpassword: 'keyPassword',
  connecttimeout: (value, name) => (/[_\s-]/.test(name) ? timeoutOf(value) : timeoutMsOf(value)),
  connectiontimeout: timeoutOf,
  logintimeout: timeoutOf,
  timeout: (value) => {
    const [, amount = '', unit] = /^(\d+)(ms|s)?$/.exec(value) ?? [];
    return unit === 'ms' ? timeoutMsOf(amount) : timeoutOf(amount);
  },
  sessionvariables: sessionVariables,
  initcommand: initialStatement,
  initsql: initialStatement,
  connectioninitsql: initialStatement,
  readonly: readOnlyIfYes,
  rejectreadonly: ignored,
  ...leftOut('the isolation is a setting of the experiment', 'transactionisolation txisolation isolationlevel'),
  ...leftOut(
    'Dyno’s drivers decide by TLS what may be sent',
    'allowpublickeyretrieval serverrsapublickeyfile serverpubkey serverpublickey allowcleartextpasswords allownativepasswords allowoldpasswords defaultauth authenticationplugins defaultauthenticationplugin disabledauthenticationplugins plugindir restrictedauth allowfallbacktoplaintext enablecleartextplugin secureauth',
  ),
  ...leftOut(
    'Dyno reads PEM files alone: give ca, cert and key',
    'truststore truststoretype truststorepassword keystore keystoretype keystorepassword trustcertificatekeystoreurl trustcertificatekeystoretype trustcertificatekeystorepassword clientcertificatekeystoreurl clientcertificatekeystoretype clientcertificatekeystorepassword certificatefile certificatepassword certificatestorelocation certificatethumbprint fallbacktosystemtruststore fallbacktosystemkeystore sslcapath',
  ),
  sslcrl: () => ({ problem: 'It names revoked certificates, which Dyno does not look for.' }),
  sslcrlpath: () => ({ problem: 'It names revoked certificates, which Dyno does not look for.' }),
  ...Object.fromEntries(
    ['tlsversion', 'tlsversions', 'enabledtlsprotocols', 'enabledsslprotocolsuites'].map((name) => [name, leastTls]),
  ),
  ...Object.fromEntries(
    ['tlsciphersuites', 'sslcipher', 'enabledsslciphersuites', 'tlsciphersuites'].map((name) => [
      name,
      () => ({ problem: 'It names the ciphers that are allowed, which Dyno cannot choose.' }),
    ]),
  ),
  assurereadonly: readOnlyIfYes,
  integratedsecurity: (value) =>
    isYes(value) === false ? {} : { note: 'Integrated login is not taken over: give a user and a password.' },
};

/** Dyno's TLS begins with 1.2, so a setting that allows it is kept. */
function leastTls(value: string): Taken {
  return /1\.?2/.test(value)
    ? { leftOut: 'Dyno’s TLS begins with 1.2' }
    : { problem: 'It asks for a newer TLS than Dyno’s least, which is 1.2.' };
}

/** Connector/J's sessionVariables: a=1,b='x,y'. */
function sessionVariables(text: string): Taken {
  const found = [
    ...text.matchAll(/\s*(?:@@(?:session\.)?)?([A-Za-z_]\w*)\s*:?=\s*(?:'([^']*)'|"([^"]*)"|([^,;]*))\s*(?:[,;]|$)/g),
  ];
  const settings = found.map(([, name = '', single, double, bare]) => [name, single ?? double ?? bare?.trim() ?? '']);
  return { values: { sessionSettings: Object.fromEntries(settings) } };
}

function initialStatement(sql: string): Taken {
  const setting = /^\s*set\s+(?:session\s+)?([A-Za-z_]\w*)\s*=\s*(?:'([^']*)'|([\w.+-]+))\s*;?\s*$/i.exec(sql);
  if (setting) return { values: { sessionSettings: { [setting[1]!]: setting[2] ?? setting[3] ?? '' } } };
  return asksToRead(sql)
    ? { readOnly: true }
    : { leftOut: 'a session begins with no statement of one’s own: write session settings' };
}

/** The TLS mode that follows from all settings together. The result is never less safe than the settings. */
function tlsOf(settings: readonly Parameter[], checksByDefault: boolean): Omit<Reading, 'readOnly'> {
  const given = new Map(settings.map(([name, value]) => [plainName(name), value === '' ? 'true' : value]));
  const is = (name: string) => isYes(given.get(name) ?? '');
  const notes: string[] = [];
  const authority = given.get('sslca') ?? given.get('cacertificatefile') ?? given.get('serversslcert');
  let mode: TlsMode | undefined;
  const named = given.get('sslmode') ?? given.get('tls') ?? given.get('ssl');
  if (named !== undefined) mode = modeFrom(named, given.has('tls') && !given.has('sslmode'), notes);
  else if (is('usessl') !== null) mode = is('usessl') ? (checksByDefault ? 'verify-full' : 'require') : 'disable';
  if (is('ssldisabled') || is('skipssl')) mode = 'disable';
  const accept = plainName(given.get('sslaccept') ?? '');
  if (accept !== '') mode = accept === 'strict' ? 'verify-full' : 'require';
  if (is('trustservercertificate') && mode === 'verify-full' && !/verify/i.test(named ?? '')) mode = 'require';
  if (is('requiressl') && mode === undefined) mode = 'require';
  const stricter = (why: string) => {
    if (mode === 'disable') throw refused(`It switches TLS off, and has ${why}.`);
    if (mode !== 'verify-full') notes.push(`The TLS mode becomes verify-full, because there is ${why}.`);
    mode = 'verify-full';
  };
  for (const name of [
    'verifyservercertificate',
    'sslverifyservercert',
    'sslverify',
    'sslverifycert',
    'sslverifyidentity',
  ])
    if (is(name) && mode !== 'disable') stricter('a setting that has the certificate checked');
  if (authority !== undefined && mode !== 'disable') stricter('a certificate authority to check by');
  if (mode === undefined && given.has('sslcert')) mode = 'require';
  if (is('disablesslhostnameverification') && mode === 'verify-full')
    notes.push('The host name is checked all the same: Dyno has no TLS that checks the certificate alone.');
  if (!given.has('usessl') && named === undefined && is('disablesslhostnameverification') && mode === undefined)
    notes.push('Not taken over: disableSslHostnameVerification (there is no TLS).');
  return { values: { ...(mode && { ssl: mode }), ...(authority !== undefined && { ca: authority }) }, notes };
}

/** Go's tls=true checks the certificate; all other drivers have words for modes. */
function modeFrom(text: string, isGo: boolean, notes: string[]): TlsMode | undefined {
  if (isGo && isYes(text) === true) return 'verify-full';
  const { ssl, note, problem } = tlsModeOf(text);
  if (problem !== undefined) throw refused(problem);
  if (note !== undefined) notes.push(note);
  return ssl;
}

const refused = (message: string) =>
  new DynoError('badInput', message, { hint: 'Write ssl-mode=VERIFY_IDENTITY, REQUIRED or DISABLED.' });

/** Go's driver sends parameters that it does not know as system variables. */
const asVariable = (value: string, name: string): Taken => ({
  values: { sessionSettings: { [name]: value.replace(/^'(.*)'$/, '$1') } },
});

interface Origin {
  /** MariaDB's connector for Java checks certificates by default. */
  readonly checksByDefault?: boolean;
  readonly isGo?: boolean;
}

function readAll(settings: Iterable<Parameter>, { checksByDefault = false, isGo = false }: Origin = {}): Reading {
  const all = [...settings];
  // A socket leads to this machine alone, and takes the place of the host's name.
  const isSocket = ([name]: Parameter) => /socket(path)?$/.test(plainName(name));
  const ordered = [...all.filter((one) => !isSocket(one)), ...all.filter(isSocket)];
  const read = readSettings(all.some(isSocket) ? ordered : all, rules, {
    label: descriptor.label,
    fields: descriptor.config,
    ...(isGo && { others: asVariable }),
  });
  const tls = tlsOf(all, checksByDefault);
  return { ...read, values: { ...read.values, ...tls.values }, notes: [...tls.notes, ...read.notes] };
}

const scheme =
  /^(?<prefix>jdbc:|r2dbc:)?(?<name>mysql2?|mariadb|mysqli|mysqlgis|mysql-connector|pdo-mysql)(?<library>\+\w+)?:(?<rest>.*)$/is;
/** Reads Go's form: user:password@tcp(host:3306)/database?parseTime=true. Only values in it are percent-encoded. */
const goForm =
  /^(?:(?<user>[^:@/]*)(?::(?<password>.*))?@)?(?:(?<net>tcp|tcp4|tcp6|unix)\((?<address>[^()]*)\))?\/(?<database>[^?/]*)(?:\?(?<query>.*))?$/s;

/**
 * Reads mysql://user:password@host:port/database?ssl-mode=…&socket=… with the usual percent-encoding (mysql2 and the
 * connector say socketPath), URLs of SQLAlchemy and JDBC, Go's form, PDO's, and pairs of Connector/NET and ODBC.
 */
export const connectionStrings: ConnectionStrings = {
  settings: (settings) => readAll(settings),
  read(given, certainty = 'own') {
    const text = given.trim();
    const match = scheme.exec(text)?.groups;
    if (match) {
      const { prefix, library, name = '', rest = '' } = match;
      if (!prefix && /^\s*\w+\s*=/.test(rest)) return readAll(readPairs(rest, 'plain'));
      const isJdbc = prefix?.toLowerCase() === 'jdbc:';
      const ofSeveral = isJdbc && /^(replication|loadbalance|sequential|failover|aurora)/i.test(rest);
      if (ofSeveral || /^\/\/(address=|\()/i.test(rest))
        throw new DynoError('badInput', severalHosts, { hint: 'Name the one that is to be measured: host:port.' });
      if (!rest.startsWith('//')) return null;
      const hasUser = /^\/\/[^/?]*@/.test(rest);
      const plusIsBlank = isJdbc || library !== undefined;
      const checksByDefault = isJdbc && /^mariadb/i.test(name);
      return readUrl(rest, { userInfo: !isJdbc || hasUser, plusIsBlank }, { checksByDefault });
    }
    if (/^mysqlx(\+srv)?:\/\//i.test(text))
      throw new DynoError('badInput', 'It leads to MySQL’s X protocol, and Dyno speaks the classic one.', {
        hint: 'Write mysql:// and the port of the classic protocol, usually 3306.',
      });
    if (/^\s*driver\s*=\s*\{?[^;]*(mysql|mariadb|maodbc)/i.test(text)) return readAll(readPairs(text, 'odbc'));
    if (
      /@(tcp[46]?|unix)\(/.test(text) ||
      /^(tcp[46]?|unix)\([^()]*\)\//.test(text) ||
      /^[\w.-]+:(?!\/\/)[^\s;=]*@\/[\w-]*(\?|$)/.test(text)
    )
      return readGo(text);
    return isPairs(text, certainty === 'asked') ? readAll(readPairs(text, 'ado')) : null;
  },
};

/** Recognises Server=…;Uid=…;Pwd=… by a word that only connectors of MySQL and MariaDB have. */
function isPairs(text: string, isAsked: boolean): boolean {
  if (!/^[\w ]+=/.test(text) || !text.includes(';')) return false;
  const only =
    'ssl ?mode|allow ?public ?key ?retrieval|allow ?user ?variables|char ?set|character ?set|convert ?zero ?datetime|allow ?zero ?datetime|treat ?tiny ?as ?boolean|default ?command ?timeout|ssl ?ca|ca ?certificate ?file|guid ?format|use ?affected ?rows';
  return isAsked || new RegExp(`(^|;)\\s*(${only}|port\\s*=\\s*33\\d\\d)\\s*(=|;|$)`, 'i').test(text);
}

function readGo(text: string): Reading {
  if ((text.match(/@(tcp[46]?|unix)\(/g) ?? []).length > 1)
    throw new DynoError('badInput', 'url can be read in more than one way: it names two addresses.', {
      hint: 'Leave the password out of it, and give it as the field password.',
    });
  const { user, password, net, address = '', database, query } = goForm.exec(text)?.groups ?? {};
  if (database === undefined)
    throw new DynoError('badInput', 'url is not a form of Go’s driver for MySQL.', {
      hint: 'It looks like user:password@tcp(host:3306)/database.',
    });
  const [, name, port] = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(address) ?? [];
  const host = net === 'unix' ? address : name?.replace(/^\[(.*)\]$/, '$1');
  return withParts(readAll(readQuery(query ?? '', true), { isGo: true }), {
    host,
    port: net === 'unix' || port === undefined ? null : Number(port),
    user,
    password,
    path: database,
  });
}

function readUrl(rest: string, form: { userInfo: boolean; plusIsBlank: boolean }, origin: Origin): Reading {
  const url = splitUrl(`mysql:${rest}`, { ...urlForm, ...form });
  const [host, ...others] = url.hosts;
  if (others.length > 0)
    throw new DynoError('badInput', severalHosts, { hint: 'Name the one that is to be measured.' });
  return withParts(readAll(url.parameters, origin), { ...url, host: host?.host, port: host?.port });
}
