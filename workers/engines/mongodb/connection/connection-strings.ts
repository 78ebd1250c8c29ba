import { given as present } from '#engine-api/config-fields.ts';
import type {
  ConnectionStrings,
  Parameter,
  Reading,
  Values,
} from '#engine-api/connection-strings/connection-strings.ts';
import { leftOut, plainName, readSettings } from '#engine-api/connection-strings/reading.ts';
import { escapesHint, splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import { DynoError } from '#model/error.ts';
import { fields } from '../config-fields.ts';
import { descriptor } from '../descriptor.ts';

/** The engine's label and examples of its URLs, for messages. */
export const urlForm = {
  label: descriptor.label,
  example:
    'mongodb://user:password@host:27017,other:27017/?replicaSet=rs0 or mongodb+srv://user:password@cluster.example',
} as const;

/** Settings that Dyno decides itself: it opens one connection a session and no other, and names it after the run. */
const dynos = leftOut(
  'Dyno opens one connection a session and names it itself',
  'appname maxpoolsize minpoolsize maxconnecting maxidletimems waitqueuetimeoutms servermonitoringmode heartbeatfrequencyms',
);
const fieldOf = new Map(fields.map((field) => [field.name.toLowerCase(), field]));

/** Names in connection strings that differ from the names of the fields; both in lower case. */
const aliases: Readonly<Record<string, string>> = {
  ssl: 'tls',
  tlsinsecure: 'tls',
  tlsallowinvalidcertificates: 'tls',
  j: 'journal',
  wtimeout: 'wtimeoutms',
  sslcertificateauthorityfile: 'tlscafile',
  sslpemkeyfile: 'tlscertificatekeyfile',
};

/** Parts of a URL before its options; they are no options. */
const notInQuery = new Set(['url', 'host', 'port', 'srv', 'user', 'password', 'database', 'uriOptions']);

const balanced = 'behind a load balancer Dyno cannot tell which server it measures.';

/**
 * The options that a target may have besides its fields, in lower case. The driver has others that lead elsewhere, load
 * a program, write a file, or take apart what was read here.
 */
const options = new Set(
  [
    ...['authMechanismProperties', 'autoSelectFamily', 'autoSelectFamilyAttemptTimeout', 'enableOverloadRetargeting'],
    ...['family', 'keepAliveInitialDelay', 'localThresholdMS', 'maxAdaptiveRetries', 'maxStalenessSeconds'],
    ...['minHeartbeatFrequencyMS', 'monitorCommands', 'noDelay', 'readPreferenceTags', 'retryReads'],
    ...['serverSelectionTimeoutMS', 'socketTimeoutMS', 'srvMaxHosts', 'srvServiceName', 'timeoutMS'],
    ...['tlsAllowInvalidHostnames', 'tlsCRLFile', 'zlibCompressionLevel'],
  ].map((name) => name.toLowerCase()),
);

/** The reason why a name cannot stand among the options of a target; null if it can. */
export function optionProblem(name: string): string | null {
  const lower = name.toLowerCase();
  const field = fieldOf.get(aliases[lower] ?? lower);
  if (plainName(name) in dynos) return 'Dyno sets this itself.';
  if (lower === 'loadbalanced') return balanced;
  if (/^proxy/.test(lower)) return 'a SOCKS proxy is a part of a connection of Dyno’s.';
  if (field) return `this is the key ${field.name} of the target.`;
  return options.has(lower) ? null : 'this is no option that Dyno hands to the driver.';
}

/** The options of a connection string, under the names of the fields; those without a field stay options. */
function readOptions(settings: Iterable<Parameter>, srv: boolean): Reading {
  const found: Record<string, string | number | boolean> = {};
  const more: Record<string, string> = {};
  const own: Parameter[] = [];
  const said = new Map<string, string>();
  const flags: { tls: boolean | undefined; insecure: boolean } = { tls: srv || undefined, insecure: false };
  for (const [name, text] of settings) {
    const lower = name.toLowerCase();
    if (plainName(name) in dynos) {
      own.push([name, text]);
      continue;
    }
    if (lower === 'loadbalanced' && text === 'true') throw refused(`loadBalanced: ${balanced}`);
    if (/TOKEN\s*:/i.test(text) && lower === 'authmechanismproperties')
      throw refused('url has a token among its authMechanismProperties, which a connection cannot keep.');
    const field = fieldOf.get(aliases[lower] ?? lower);
    const plain = lower === 'ssl' ? 'tls' : lower;
    // The driver refuses these too: one of two contradicting values may be the one that protects the connection.
    if (field && (said.get(plain) ?? text) !== text) throw refused(`url: ${name} comes twice, with two values.`);
    said.set(plain, text);
    if (plain === 'tls') flags.tls = flag(name, text);
    else if (field?.name === 'tls') flags.insecure ||= flag(name, text);
    else if (Object.keys(more).some((one) => one.toLowerCase() === lower)) throw refused(`url: ${name} comes twice.`);
    else if (!field || notInQuery.has(field.name)) more[name] = text;
    else found[field.name] = valueIn(field.kind, name, text);
  }
  const tls = flags.tls === undefined ? null : !flags.tls ? 'disable' : flags.insecure ? 'require' : 'verify-full';
  const { notes } = readSettings(own, dynos, { label: descriptor.label, fields });
  const options = Object.keys(more).length > 0 ? { uriOptions: more } : {};
  return { values: { ...found, ...(tls !== null && { tls }), ...options }, notes, readOnly: false };
}

/** mongodb:// of one host or several, and mongodb+srv:// (manual, "Connection Strings"). */
export const connectionStrings: ConnectionStrings = {
  settings: (settings) => readOptions(settings, false),
  read(given) {
    const [, srv] = /^mongodb(\+srv)?:\/\//i.exec(given.trim()) ?? [];
    if (!/^mongodb(\+srv)?:/i.test(given.trim())) return null;
    const url = splitUrl(given, urlForm);
    if (url.hosts.some(({ host }) => host === ''))
      throw new DynoError('badInput', `url is not a ${urlForm.label} connection string: it names no host.`, {
        hint: `It looks like ${urlForm.example}. ${escapesHint}`,
      });
    const hosts = url.hosts
      .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`)
      .join(',');
    const read = readOptions(url.parameters, srv !== undefined);
    const { user, password, path: database } = url;
    // Users are looked up in the database of the URL, unless authSource names another one.
    const authSource = read.values.authSource ?? database;
    const parts = present({ host: hosts, srv: srv === undefined ? null : true, user, password, database });
    return { ...read, values: { ...(parts as Values), ...read.values, ...(authSource !== null && { authSource }) } };
  },
};

const refused = (message: string) => new DynoError('badInput', message);

function flag(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw refused(`url: ${name} must be true or false.`);
}

function valueIn(kind: string, name: string, text: string): string | number | boolean {
  if (kind === 'boolean') return flag(name, text);
  if (kind !== 'number') return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw refused(`url: ${name} must be a number.`);
}
