import type { ConfigParser, Endpoint, EngineConfig } from '#engine-api/config.ts';
import { given, readFields } from '#engine-api/config-fields.ts';
import { valuesOfUrl } from '#engine-api/connection-strings/reading.ts';
import { tlsModes } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import type { ServerConfig } from '../shared/server-config.ts';
import { pem, tlsModeFor } from '../shared/tls.ts';
import { fields, journals, mechanisms, readConcerns, readPreferences } from './config-fields.ts';
import { connectionStrings, optionProblem, urlForm } from './connection/connection-strings.ts';
import { greeting } from './connection/greeting.ts';
import { type Host, hostText, readHosts } from './connection/uri.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

function parse(raw: EngineConfig) {
  const { uriOptions: more, ...fromUrl } = valuesOfUrl(urlForm, connectionStrings.read, raw.url);
  const read = readFields(descriptor.label, fields, { ...fromUrl, ...raw });
  const srv = read.flag('srv', false);
  const has = (name: string) => read.text(name) !== null;
  const parsed = {
    /** The hosts as they are written: one, or several with commas. */
    host: read.text('host') ?? 'localhost',
    /** The port of hosts without a port. */
    port: read.whole('port', 27_017),
    srv,
    /** The database of Dyno's collections. */
    database: ownDatabase(read.text('database')),
    user: read.text('user'),
    password: read.text('password'),
    authSource: read.text('authSource'),
    authMechanism: read.choice('authMechanism', mechanisms, 'default'),
    replicaSet: read.text('replicaSet'),
    directConnection: read.flag('directConnection', false),
    tls: read.choice(
      'tls',
      tlsModes,
      srv || has('tlsCAFile') || has('tlsCertificateKeyFile') ? 'verify-full' : 'disable',
    ),
    tlsCAFile: read.text('tlsCAFile'),
    tlsCertificateKeyFile: read.text('tlsCertificateKeyFile'),
    tlsCertificateKeyFilePassword: read.text('tlsCertificateKeyFilePassword'),
    w: acknowledged(read.text('w')),
    journal: read.choice('journal', journals, 'default'),
    /** 0: there is no limit. */
    wtimeoutMs: read.whole('wtimeoutMs', 0),
    readConcernLevel: read.choice('readConcernLevel', readConcerns, 'default'),
    readPreference: read.choice('readPreference', readPreferences, 'primary'),
    retryWrites: read.flag('retryWrites', true),
    /** Empty: no compression. */
    compressors: read.text('compressors')?.replaceAll(/\s/g, '') ?? '',
    connectTimeoutMs: read.whole('connectTimeoutMs', 10_000),
    /** Options of the driver, as in a connection string. */
    uriOptions: ownOptions({ ...(more as Readonly<Record<string, string>> | undefined), ...read.map('uriOptions') }),
  };
  readHosts(parsed.host, srv, parsed.port); // refuses hosts that cannot be read
  return parsed;
}

export type MongoConfig = ServerConfig<ReturnType<typeof parse>>;

export const hostsOf = ({ host, srv, port }: MongoConfig): readonly Host[] => readHosts(host, srv, port);

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const config = parsed as MongoConfig;
    const said = { user: config.user, tls: config.tls, replicaSet: config.replicaSet, w: config.w };
    const journal = config.journal === 'default' ? null : config.journal;
    const readConcern = config.readConcernLevel === 'default' ? null : config.readConcernLevel;
    const readPreference = config.readPreference === 'primary' ? null : config.readPreference;
    const compressors = config.compressors || null;
    const details = given({ ...said, journal, readConcern, readPreference, compressors });
    return {
      address: `${config.srv ? 'srv:' : ''}${hostsOf(config).map(hostText).join(',')}/${config.database}`,
      details: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, String(value)])),
    };
  },
  endpoints: (parsed) => hostsOf(parsed as MongoConfig).filter(({ host }) => !host.endsWith('.sock')),
  leadsElsewhere: (parsed) =>
    (parsed as MongoConfig).srv ? 'The SRV records of the target’s host name others.' : null,
  socketFile(parsed) {
    const [one, ...others] = hostsOf(parsed as MongoConfig);
    return one && others.length === 0 && one.host.endsWith('.sock') ? one.host : null;
  },
  hostsRecord(parsed) {
    const [one] = hostsOf(parsed as MongoConfig);
    return (parsed as MongoConfig).srv && one ? `_mongodb._tcp.${one.host}` : null;
  },
  greeting,
  through: (parsed, elsewhere) => ({ ...parsed, via: elsewhere(onlyHost(parsed as MongoConfig)) }),
  withTls(parsed, on) {
    const { tls, tlsCAFile } = parsed as MongoConfig;
    const ca = on && tlsCAFile !== null ? pem('tlsCAFile', tlsCAFile) : tlsCAFile;
    return { ...parsed, tls: tlsModeFor(tls, on), tlsCAFile: ca };
  },
  grants: (parsed) => grants(parsed as MongoConfig),
};

/** Members of a replica set tell the driver their own addresses, which it then uses, past any network emulator. */
function onlyHost(config: MongoConfig): Endpoint {
  const [one, ...others] = hostsOf(config);
  if (one && one.port !== null && others.length === 0) return { host: one.host, port: one.port };
  throw new DynoError(
    'unsupported',
    'The driver connects to the addresses that the members tell it, past a network emulator, SSH tunnel or SOCKS proxy.',
    { hint: 'Name one member alone as the host, without srv: the primary.' },
  );
}

/** Without an acknowledgement the number of documents written is unknown. */
function acknowledged(w: string | null): string | null {
  if (w === null || /^[1-9]\d*$/.test(w) || /^[a-z]/i.test(w)) return w;
  throw new DynoError('badInput', 'w must be a number from 1, majority, or the name of a custom write concern.', {
    hint: 'Unacknowledged writes (w: 0) say nothing of what was written, so that there is nothing to count.',
  });
}

/**
 * The server's own databases are no place for collections; a URL may still name admin, as the database of its users.
 */
const ownDatabase = (name: string | null): string =>
  name === null || ['admin', 'local', 'config'].includes(name) ? 'dyno' : name;

function ownOptions(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(map);
  for (const name of names) {
    const problem = optionProblem(name);
    if (problem !== null) throw new DynoError('badInput', `uriOptions.${name.slice(0, 60)}: ${problem}`);
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw new DynoError('badInput', 'uriOptions: an option comes twice.');
  return map;
}
