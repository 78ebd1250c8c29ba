import type { ConnectionStrings, Parameter, Reading } from '#engine-api/connection-strings/connection-strings.ts';
import { readPairs } from '#engine-api/connection-strings/pairs.ts';
import {
  dynosOwn,
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
import { splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import { DynoError } from '#model/error.ts';
import { descriptor } from '../descriptor.ts';

/** The engine's label and an example of its URLs, for messages. */
export const urlForm = { label: descriptor.label, example: 'oracle://user:password@host:1521/service' } as const;

/** The fields of a target by their own names, then those of ODP.NET, ODBC, JDBC, SQLAlchemy and Go's drivers. */
const rules: Rules = {
  ...dynosOwn,
  ...Object.fromEntries(
    descriptor.config.filter(({ kind }) => kind !== 'map').map(({ name }) => [name.toLowerCase(), name] as const),
  ),
  server: (value) => placeOf(value),
  servername: (value) => placeOf(value),
  datasource: (value) => placeOf(value),
  dbq: (value) => placeOf(value),
  dbname: (value) => placeOf(value),
  connectstring: (value) => placeOf(value),
  username: 'user',
  userid: 'user',
  uid: 'user',
  pwd: 'password',
  pass: 'password',
  service: 'serviceName',
  database: 'serviceName',
  wallet: 'walletLocation',
  'oracle.net.walletlocation': 'walletLocation',
  'oracle.net.sslserverdnmatch': 'serverDnMatch',
  sslserverdnmatch: 'serverDnMatch',
  sslverify: (value) => ({ values: { serverDnMatch: isYes(value) !== false } }),
  ssl: (value) => (/^enable$/i.test(value) || isYes(value) === true ? { values: { protocol: 'tcps' } } : {}),
  mode: (value) =>
    /^(thin|thick)$/i.test(value)
      ? { values: { mode: value.toLowerCase() } }
      : /^(0|default|default_auth)$/i.test(value)
        ? {}
        : privileged,
  internallogon: () => privileged,
  dbaprivilege: () => privileged,
  sysdba: (value) => (isYes(value) === true ? privileged : {}),
  readonly: readOnlyIfYes,
  connectiontimeout: timeoutOf,
  connecttimeout: timeoutOf,
  'oracle.net.connecttimeout': (value) => ({
    values: /^\d+$/.test(value) ? { connectTimeoutMs: Number(value) } : {},
  }),
  tnsadmin: () => ({ problem: 'It names a folder with a tnsnames.ora: import that file instead.' }),
  'oracle.net.tnsadmin': () => ({ problem: 'It names a folder with a tnsnames.ora: import that file instead.' }),
  'oracle.net.encryptionclient': nativeEncryption,
  'oracle.net.cryptochecksumclient': nativeEncryption,
  proxyuserid: () => ({ problem: 'It logs in through a proxy user, which Dyno does not do.' }),
  ...leftOut(
    'Dyno’s Oracle wallets are PEM files',
    'javax.net.ssl.truststore javax.net.ssl.truststoretype javax.net.ssl.truststorepassword javax.net.ssl.keystore javax.net.ssl.keystoretype javax.net.ssl.keystorepassword',
  ),
  ...leftOut(
    'Dyno’s drivers have no such setting',
    'events threaded encoding nencoding purity cclass standaloneconnection heterogeneouspool metadatapooling selftuning statementcachepurge haevents loadbalancing contextconnection dbport prefetchrows prefetchcount lobfetch v$session.program v$session.osuser v$session.machine defaultrowprefetch remarksreporting includesynonyms fixedstring',
  ),
};

const privileged: Taken = {
  problem: 'It logs in with a privilege of administrators (SYSDBA and its like), and Dyno does not.',
};

/** It is a function, because the rules above name it. */
function nativeEncryption(value: string): Taken {
  return /^(rejected|accepted)$/i.test(value)
    ? {}
    : {
        problem: 'It asks for Oracle’s native network encryption, which Dyno’s driver does not have: take TLS (tcps).',
      };
}

const easy =
  /^(?:(?<protocol>tcps?):)?(?:\/\/)?(?<host>\[[0-9a-f:.]+\]|[^\s:@/?#()=,]+)(?::(?<port>\d{1,5}))?(?:\/(?<service>[\w.$#-]+))?$/i;
const withSid = /^(?:\/\/)?(?<host>\[[0-9a-f:.]+\]|[^\s:@/?#()=,]+):(?<port>\d{1,5}):(?<sid>[\w.$#-]+)$/i;

/**
 * Throws 'badInput' if a parameter of Easy Connect asks for a feature that Dyno's driver lacks. The driver itself reads
 * the other parameters, and ignores unknown ones.
 */
function refuseParameters(connectString: string): void {
  if (connectString.startsWith('(')) return;
  const query = connectString.split('?').slice(1).join('?');
  readAll([...new URLSearchParams(query)].filter(([name]) => /tns_?admin|encryption|checksum|socks/i.test(name)));
}

/** The parts of a connect string, if it has no other parts. */
function placeOf(given: string): Taken {
  const text = given.trim();
  refuseParameters(text);
  const parts = easy.exec(text)?.groups ?? withSid.exec(text)?.groups;
  const host = parts?.host?.replace(/^\[(.*)\]$/, '$1');
  if (!parts || (parts.port === undefined && parts.service === undefined && parts.sid === undefined))
    return { values: { connectString: text } };
  const { protocol, port, service, sid } = parts;
  return {
    values: {
      ...(host && { host }),
      ...(port !== undefined && { port: Number(port) }),
      ...(service !== undefined && { serviceName: service }),
      ...(sid !== undefined && { sid }),
      ...(protocol?.toLowerCase() === 'tcps' && { protocol: 'tcps' }),
    },
  };
}

const readAll = (settings: Iterable<Parameter>): Reading =>
  readSettings(settings, rules, { label: descriptor.label, fields: descriptor.config });

const urlScheme = /^(?<name>oracles?)(?<library>\+\w+)?:(?<rest>\/\/.*)$/is;
/** The text behind the last @: an address, a descriptor, or the name of a service. */
const destination =
  /^(?:(?:tcps?:)?(?:\/\/)?(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:[/:][\w.$#-]+)*(?:\?[^@]*)?|\(\s*(?:DESCRIPTION|ADDRESS).*\))$/is;

/**
 * Reads oracle://user:password@host:port/service?sid=…&walletLocation=… with the usual percent-encoding (oracles:// is
 * TLS), JDBC's, SQLAlchemy's and SQL*Plus's forms, descriptors, pairs of ODP.NET and ODBC, and PDO's form.
 */
export const connectionStrings: ConnectionStrings = {
  settings: readAll,
  read(given, certainty = 'own') {
    const text = given.trim();
    const url = urlScheme.exec(text)?.groups;
    if (url) return readUrl(url.rest ?? '', url.name ?? '', url.library !== undefined);
    const jdbc = /^jdbc:oracle:(?:thin|oci8?|kprb):(?<rest>.*)$/is.exec(text)?.groups;
    if (jdbc) return readLogin(jdbc.rest ?? '');
    if (/^jdbc:oracle:/i.test(text)) throw notOracle();
    if (/^oci:/i.test(text)) return readAll(readPairs(text.slice('oci:'.length), 'plain'));
    if (/^\s*driver\s*=\s*\{?[^;]*oracle/i.test(text)) return readAll(readPairs(text, 'odbc'));
    const words = /^\s*(?:\w+="(?:[^"\\]|\\.)*"\s*)+$/.test(text) && /\bconnectString=/i.test(text);
    if (words)
      return readAll(
        [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
          name,
          value.replaceAll(/\\(.)/g, '$1'),
        ]),
      );
    if (/^[\w ]+=/.test(text) && text.includes(';') && /(^|;)\s*data ?source\s*=/i.test(text))
      return readAll(readPairs(text, 'ado'));
    if (/^\/\/[\w.-]+(:\d+)?\/[\w.$#-]+/.test(text) || /^\(\s*DESCRIPTION\s*=/i.test(text)) return readLogin(text);
    const isLogin =
      /^[\w$#]{1,128}\/.*@(\/\/)?([\w.-]+(:\d{1,5})?\/[\w.$#-]+|[\w.-]+:\d{1,5}:\w+|\(\s*DESCRIPTION)/i.test(text);
    return isLogin || (certainty === 'asked' && destination.test(text)) ? readLogin(text) : null;
  },
};

const notOracle = () =>
  new DynoError('badInput', 'url is not an Oracle connect string.', {
    hint: 'It looks like jdbc:oracle:thin:@//host:1521/service, user/password@host:1521/service, or oracle://user:password@host:1521/service.',
  });

/** [user[/password]]@destination, as JDBC and SQL*Plus have it. Passwords are not percent-encoded, and may be in "". */
function readLogin(text: string): Reading {
  const at = text.startsWith('(') ? -1 : text.lastIndexOf('@');
  const to = text.slice(at + 1);
  if (!destination.test(to)) throw notOracle();
  const login = at <= 0 ? '' : text.slice(0, at);
  const slash = login.indexOf('/');
  const user = slash < 0 ? login : login.slice(0, slash);
  const password = slash < 0 ? '' : login.slice(slash + 1).replace(/^"(.*)"$/s, '$1');
  if (/\s+as\s+sys/i.test(login)) throw new DynoError('badInput', privileged.problem ?? '');
  const [address = '', query] = to.startsWith('(') ? [to] : [to.split('?', 1)[0], to.split('?').slice(1).join('?')];
  if (query) refuseParameters(to);
  const place = {
    values: (query ? { connectString: to.replace(/^\/\//, '') } : placeOf(address).values) ?? {},
    notes: [],
    readOnly: false,
  };
  return withParts(place, { user: user.replace(/^"(.*)"$/, '$1'), password });
}

function readUrl(rest: string, scheme: string, isSqlAlchemy: boolean): Reading {
  const url = splitUrl(`oracle:${rest}`, { ...urlForm, plusIsBlank: isSqlAlchemy });
  const [host, ...others] = url.hosts;
  if (others.length > 0)
    throw new DynoError('badInput', severalHosts, { hint: 'Name the one that is to be measured.' });
  const read = readAll(url.parameters);
  // SQLAlchemy has a SID in the path.
  const path = url.path === null ? {} : { [isSqlAlchemy ? 'sid' : 'serviceName']: url.path };
  const values = { ...(scheme.toLowerCase() === 'oracles' && { protocol: 'tcps' }), ...path, ...read.values };
  return withParts({ ...read, values }, { ...url, host: host?.host, port: host?.port, path: null });
}
