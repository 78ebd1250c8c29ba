import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Access, basicOf, withoutCredentials } from './download.ts';
import { readSettings } from './user-settings.ts';

/** The registry of a package, and the settings for reaching it. */
interface NpmRegistry extends Access {
  /** The registry's address, which ends in a slash. */
  readonly registry: string;
}

/**
 * npm's settings of a package's registry: its address, proxy, certificates and credentials. npm itself may be missing,
 * because Dyno's packages bring a Node without it. The environment has priority, then the user's .npmrc, then the
 * system's.
 */
export function npmRegistryOf(name: string, environment: NodeJS.ProcessEnv = process.env): NpmRegistry {
  const settings = new Map(
    [...systemFiles, userFile(environment)].flatMap((file) => [...readSettings(file, environment)]),
  );
  for (const [variable, value] of Object.entries(environment)) {
    const [, key] = /^npm_config_(.+)$/i.exec(variable) ?? [];
    if (key !== undefined && value)
      settings.set(/^[@/]/.test(key) ? key : key.toLowerCase().replaceAll(/(?!^)_/g, '-'), value);
  }
  const [scope] = /^@[^/]+/.exec(name) ?? [];
  const own = scope === undefined ? undefined : settings.get(`${scope}:registry`);
  const { address, authorization } = withoutCredentials(
    own ?? settings.get('registry') ?? 'https://registry.npmjs.org',
  );
  return {
    registry: address,
    authorization: authorization ?? authorizationFor(address, settings),
    proxy: settings.get('https-proxy') ?? settings.get('proxy'),
    noProxy: settings.get('noproxy'),
    certificates: settings.get('cafile'),
  };
}

const systemFiles = process.platform === 'win32' ? [] : ['/usr/etc/npmrc', '/usr/local/etc/npmrc', '/etc/npmrc'];

const userFile = (environment: NodeJS.ProcessEnv): string =>
  environment.npm_config_userconfig ?? environment.NPM_CONFIG_USERCONFIG ?? join(homedir(), '.npmrc');

/** Credentials are named after the registry's address, or a folder above it: `//host/path/:_authToken`. */
function authorizationFor(registry: string, settings: ReadonlyMap<string, string>): string | undefined {
  const { host, pathname } = new URL(registry);
  for (let path = pathname; path !== ''; path = path.replace(/[^/]*\/$/, '')) {
    const of = (name: string) => settings.get(`//${host}${path}:${name}`);
    const [token, basic, user, password] = ['_authToken', '_auth', 'username', '_password'].map(of);
    if (token) return `Bearer ${token}`;
    if (basic) return `Basic ${basic}`;
    if (user && password) return basicOf(user, Buffer.from(password, 'base64').toString());
  }
  return undefined;
}
