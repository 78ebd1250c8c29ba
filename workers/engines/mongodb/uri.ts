import { DynoError } from '#model/error.ts';

/** A connection string's parts, decoded. Manual, "Connection Strings"; specification "Connection String Spec". */
export interface UriParts {
  readonly srv: boolean;
  /** As written, with commas: "a:27017,[::1]:27018". */
  readonly hosts: string;
  readonly user: string | null;
  readonly password: string | null;
  readonly database: string | null;
  /** In their order; names may come more than once. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const shape =
  /^(?<scheme>mongodb(?:\+srv)?):\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

const refused = (what: string, hint: string) => new DynoError('badInput', what, { hint });

/**
 * Several hosts make it no URL in the usual sense. Never echoed: it may hold a password.
 * @throws DynoError 'badInput'
 */
export function readUri(value: unknown): UriParts {
  const parts = typeof value === 'string' ? shape.exec(value.trim())?.groups : undefined;
  if (!parts)
    throw refused(
      'url is not a MongoDB connection string.',
      'It looks like mongodb://user:password@host:27017,other:27017/?replicaSet=rs0 or mongodb+srv://user:password@cluster.example; special characters in the password are percent-encoded.',
    );
  const query = [...(parts.query ?? '').matchAll(/([^&=]+)=?([^&]*)/g)];
  return {
    srv: parts.scheme?.toLowerCase() === 'mongodb+srv',
    hosts: decoded(parts.hosts) ?? '',
    user: decoded(parts.user),
    password: decoded(parts.password),
    database: decoded(parts.database),
    parameters: query.map(([, name, text]) => [decoded(name) ?? '', decoded(text) ?? '']),
  };
}

function decoded(part: string | undefined): string | null {
  if (!part) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused('url has a % that is not followed by two hexadecimal digits.', 'A % in a password is written %25.');
  }
}

export interface Host {
  readonly host: string;
  /** Null: a Unix socket, or found out by DNS. */
  readonly port: number | null;
}

/** "a, b:27018, [::1]:27019, /run/mongodb.sock" with the port of those that name none. */
export function readHosts(text: string, srv: boolean, port: number): readonly Host[] {
  const hosts = text.split(',').map((part) => {
    const one = part.trim();
    if (one.endsWith('.sock')) return { host: one, port: null };
    const found = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:[\]\s]+))(?::(?<port>\d{1,5}))?$/.exec(one)?.groups;
    const own = found?.port === undefined ? port : Number(found.port);
    if (!found || own < 1 || own > 65_535)
      throw refused(
        'host is not a list of hosts.',
        'Names or addresses with commas between them, each with its port where it is not the usual one: a.example:27017,[::1]:27018.',
      );
    if (srv && found.port !== undefined)
      throw refused('A host whose servers DNS tells has no port.', 'Leave the port out of a mongodb+srv URL.');
    return { host: found.v6 ?? found.name ?? '', port: srv ? null : own };
  });
  if (srv && hosts.length > 1) throw refused('DNS is asked for one host.', 'Give one host with srv.');
  return hosts;
}

export const hostText = ({ host, port }: Host): string =>
  port === null ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
