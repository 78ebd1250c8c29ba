import type { ConfigParser } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { descriptor } from './descriptor.ts';

const sslModes = ['disable', 'require', 'verify-full'] as const;

export interface PostgresConfig extends Readonly<Record<string, unknown>> {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | null;
  readonly ssl: (typeof sslModes)[number];
  /** PEM text or path. */
  readonly ca: string | null;
  readonly sessionSettings: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
}

export const config: ConfigParser = {
  parse(raw): PostgresConfig {
    const known = descriptor.config.map((field) => field.name);
    for (const key of Object.keys(raw)) {
      if (!known.includes(key)) {
        throw new DynoError('badInput', `PostgreSQL targets have no key "${key}".`, {
          hint: `Keys: ${known.join(', ')}.`,
        });
      }
    }
    const all = { ...(raw.url === undefined ? {} : fromUrl(raw.url)), ...raw };
    const user = text(all, 'user') ?? 'postgres';
    const ssl = text(all, 'ssl') ?? 'disable';
    const mode = sslModes.find((one) => one === ssl);
    if (!mode) throw new DynoError('badInput', `ssl must be one of ${sslModes.join(', ')}, not "${ssl}".`);
    return {
      host: text(all, 'host') ?? 'localhost',
      port: whole(all, 'port', 5_432, 1, 65_535),
      database: text(all, 'database') ?? user,
      user,
      password: text(all, 'password'),
      ssl: mode,
      ca: text(all, 'ca'),
      sessionSettings: settings(all.sessionSettings ?? {}),
      connectTimeoutMs: whole(all, 'connectTimeoutMs', 10_000, 1, 3_600_000),
    };
  },
  describe(parsed) {
    const { host, port, database, user, ssl, sessionSettings } = parsed as PostgresConfig;
    const set = Object.entries(sessionSettings).map(([name, value]) => [`SET ${name}`, value]);
    return {
      address: host.startsWith('/') ? `${host}/.s.PGSQL.${port} ${database}` : `${host}:${port}/${database}`,
      details: { user, ssl, ...Object.fromEntries(set) },
    };
  },
};

/** postgres://user:password@host:port/database?sslmode=…; percent-encoding as usual. Never echoes the URL: it may hold a password. */
function fromUrl(value: unknown): Record<string, unknown> {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new DynoError('badInput', 'url is not a PostgreSQL URL.', {
      hint: 'It looks like postgres://user:password@host:5432/database; special characters in the password are percent-encoded.',
    });
  }
  const parts: Record<string, unknown> = {};
  const put = (key: string, part: string | null) => {
    if (part) parts[key] = decode(part);
  };
  put('host', url.searchParams.get('host') ?? url.hostname.replace(/^\[|\]$/g, ''));
  put('user', url.username);
  put('password', url.password);
  put('database', url.pathname.slice(1));
  put('ssl', url.searchParams.get('sslmode'));
  if (url.port) parts.port = Number(url.port);
  return parts;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new DynoError('badInput', 'url has a % that is not followed by two hexadecimal digits.', {
      hint: 'A % in a password is written %25.',
    });
  }
}

function text(raw: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = raw[key];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new DynoError('badInput', `${key} must be text.`);
  return value;
}

function whole(
  raw: Readonly<Record<string, unknown>>,
  key: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = raw[key] ?? fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new DynoError('badInput', `${key} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

function settings(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DynoError('badInput', 'sessionSettings must be a map of setting: value.');
  }
  const entries = Object.entries(value).map(([name, setting]): [string, string] => {
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(name)) {
      throw new DynoError('badInput', `sessionSettings: "${name}" is not the name of a setting.`);
    }
    if (!['string', 'number', 'boolean'].includes(typeof setting)) {
      throw new DynoError('badInput', `sessionSettings.${name} must be a text, number or boolean.`);
    }
    // YAML 1.2 reads a bare on/off as text, true/false as boolean: both are what PostgreSQL understands.
    return [name, String(setting)];
  });
  return Object.fromEntries(entries);
}
