import type { ConfigParser, Endpoint, EngineConfig } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';
import type { Access } from './connecting.ts';

/**
 * The configuration that an engine's parser makes of a target. `via`: the address to connect to instead
 * (ConfigParser.through).
 */
export type ServerConfig<Parsed> = EngineConfig & Readonly<Parsed> & Access & { readonly via?: Endpoint };

/** ConfigParser.through for targets with one host and port. */
export const throughEndpoint: NonNullable<ConfigParser['through']> = (parsed, instead) => {
  const { host, port } = parsed as ServerConfig<Endpoint>;
  return { ...parsed, via: instead({ host, port }) };
};

/** ConfigParser.endpoints for targets whose host may be the path of a Unix socket. */
export const endpointUnlessSocket: ConfigParser['endpoints'] = (parsed) => {
  const { host, port } = parsed as ServerConfig<Endpoint>;
  return host.startsWith('/') ? [] : [{ host, port }];
};

type Settings = Readonly<Record<string, string>>;

/** The session settings of a target. Throws 'badInput' for names that are no `name` of a setting. */
export function settingsNamed(name: RegExp, settings: Settings): Settings {
  for (const key of Object.keys(settings))
    if (!name.test(key)) throw new DynoError('badInput', `sessionSettings: "${key}" is not the name of a setting.`);
  return settings;
}

/** Session settings in the details of a target, each with the `statement` that makes it. */
export const settingDetails = (statement: string, settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${statement} ${name}`, value]));
