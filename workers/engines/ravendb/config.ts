import type { ConfigParser, Endpoint } from '#engine-api/config.ts';
import { readFields } from '#engine-api/config-fields.ts';
import type { ConnectionStrings } from '#engine-api/connection-strings/connection-strings.ts';
import { readSettings } from '#engine-api/connection-strings/reading.ts';
import { splitUrl } from '#engine-api/connection-strings/url-parts.ts';
import { DynoError } from '#model/error.ts';
import { fields } from './config-fields.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

export interface RavenConfig extends Readonly<Record<string, unknown>> {
  /** The URL of a node, or those of several with commas, without paths: "https://a.example:8080,https://b.example". */
  readonly url: string;
  /** The database of Dyno's collections. */
  readonly database: string;
  /** The path of a PFX or PEM file. Null: none, as for http. */
  readonly certificate: string | null;
  readonly certificatePassword: string | null;
  /** PEM text or the path of a PEM file. */
  readonly ca: string | null;
  readonly verifyServer: boolean;
  readonly connectTimeoutMs: number;
  /** For each of the URLs the address of its connections (ConfigParser.through). */
  readonly via?: Readonly<Record<string, Endpoint>>;
}

export const urlsOf = ({ url }: RavenConfig): readonly string[] => url.split(',');

const urlForm = { label: descriptor.label, example: 'https://a.example:8080/database' } as const;
const rules = { certificate: 'certificate' } as const;

const noUrl = () =>
  new DynoError('badInput', `url is not a ${descriptor.label} URL.`, { hint: `It looks like ${urlForm.example}.` });

const base = (scheme: string, host: string, port: number | null): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;

/** http:// or https:// alone, as in the browser, is no address. The rest stays in the field `url`. */
const connectionStrings: ConnectionStrings = {
  settings: (settings) => readSettings(settings, rules, { label: descriptor.label, fields }),
  read(given) {
    const text = given.trim();
    if (!/^https?:\/\//i.test(text)) return null;
    const { urls, database, certificate } = readNodes(text);
    const notes = text
      .split(',')
      .flatMap((part) => connectionStrings.settings(splitUrl(part, urlForm).parameters).notes);
    return {
      values: {
        url: urls.join(','),
        ...(database !== null && { database }),
        ...(certificate !== null && { certificate }),
      },
      notes,
      readOnly: false,
    };
  },
};

export const config: ConfigParser = {
  connectionStrings,
  parse(raw): RavenConfig {
    const read = readFields(descriptor.label, fields, raw);
    const nodes = readNodes(read.text('url') ?? 'http://localhost:8080');
    const config: RavenConfig = {
      url: nodes.urls.join(','),
      database: databaseName(read.text('database') ?? nodes.database ?? 'dyno'),
      certificate: read.text('certificate') ?? nodes.certificate,
      certificatePassword: read.text('certificatePassword'),
      ca: read.text('ca'),
      verifyServer: read.flag('verifyServer', true),
      connectTimeoutMs: read.whole('connectTimeoutMs', 10_000),
    };
    checkCertificate(config, nodes.secured);
    return config;
  },
  describe(parsed) {
    const config = parsed as RavenConfig;
    const details: Record<string, string> = {};
    if (config.certificate !== null) details.certificate = config.certificate;
    if (!config.verifyServer) details.verifyServer = 'false';
    return { address: `${config.url}/${config.database}`, details };
  },
  endpoints: (parsed) => urlsOf(parsed as RavenConfig).map(endpointOf),
  greeting,
  through: (parsed, elsewhere) => {
    const urls = urlsOf(parsed as RavenConfig);
    return { ...parsed, via: Object.fromEntries(urls.map((url) => [url, elsewhere(endpointOf(url))])) };
  },
  grants: (parsed) => grants(parsed as RavenConfig),
};

/** The host and port of a node. */
export function endpointOf(url: string): Endpoint {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

interface Nodes {
  readonly urls: readonly string[];
  readonly secured: boolean;
  readonly database: string | null;
  /** The path of the client's certificate. Null: the URL has none. */
  readonly certificate: string | null;
}

/** Throws 'badInput'. The message never repeats the text, which may hold a password. */
function readNodes(text: string): Nodes {
  const nodes = text.split(',').map((part) => {
    if (!/^https?:\/\//i.test(part.trim())) throw noUrl();
    const url = splitUrl(part, urlForm);
    const { values } = readSettings(url.parameters, rules, { label: descriptor.label, fields });
    if (url.user !== null || url.password !== null)
      throw new DynoError('badInput', 'url names a user or password, which RavenDB does not have.', {
        hint: 'A secured server knows its users by their certificates: give the target a certificate.',
      });
    const [one] = url.hosts;
    const address = base(url.scheme, one?.host ?? '', one?.port ?? null);
    if (!one?.host || !URL.canParse(address)) throw new DynoError('badInput', 'url names no host.');
    const path = url.path?.replace(/\/+$/, '').replace(/^databases\//i, '') || null;
    return {
      url: address,
      secured: url.scheme === 'https',
      database: path,
      certificate: typeof values.certificate === 'string' ? values.certificate : null,
    };
  });
  const secured = nodes.some((node) => node.secured);
  if (secured && nodes.some((node) => !node.secured))
    throw new DynoError('badInput', 'url mixes http and https: a cluster has one of them.');
  return {
    urls: nodes.map(({ url }) => url),
    secured,
    database: nodes.find(({ database }) => database !== null)?.database ?? null,
    certificate: nodes.find(({ certificate }) => certificate !== null)?.certificate ?? null,
  };
}

/** The database's name, if the server accepts it: letters, digits, and . - _ (RavenDB, "Create Database"). */
function databaseName(name: string): string {
  // A name of dots alone would be another path of the server.
  if (/^(?!\.+$)[\w.-]{1,128}$/.test(name) && !/^system$/i.test(name)) return name;
  throw new DynoError('badInput', 'database must be a name of letters, digits, dots, dashes and underscores.');
}

function checkCertificate({ certificate, certificatePassword }: RavenConfig, secured: boolean): void {
  if (certificate?.includes('-----BEGIN'))
    throw new DynoError('badInput', 'certificate must be the path of a file: a private key does not belong here.');
  if (secured && certificate === null)
    throw new DynoError('badInput', 'certificate is missing: a RavenDB server with https asks for one.', {
      hint: 'Its administrator makes one in the Studio (Manage Server, Certificates); give its PFX or PEM file, in a URL as ?certificate=PATH.',
    });
  if (!secured && certificate !== null)
    throw new DynoError('badInput', 'certificate is given, and url is http: certificates are shown over https alone.');
  if (certificate === null && certificatePassword !== null)
    throw new DynoError('badInput', 'certificatePassword opens a certificate, and none is given.');
}
