import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { readFields } from '#engine-api/config-fields.ts';
import { valuesOfUrl } from '#engine-api/connection-strings/reading.ts';
import { DynoError } from '#model/error.ts';
import type { Access } from '../shared/connecting.ts';
import { settingDetails, settingsNamed } from '../shared/server-config.ts';
import {
  addressesOf,
  connectStringText,
  redirectedConnectString,
  requireReadable,
  walletIn,
} from './connection/connect-string.ts';
import { connectionStrings, urlForm } from './connection/connection-strings.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

const protocols = ['tcp', 'tcps'] as const;
const modes = ['thin', 'thick'] as const;

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, {
    ...valuesOfUrl(urlForm, connectionStrings.read, raw.url),
    ...raw,
  });
  const protocol = fields.choice('protocol', protocols, 'tcp');
  const user = fields.text('user');
  if (user === null) throw new DynoError('badInput', 'user is missing.', { hint: 'Dyno’s tables belong to it.' });
  const place =
    fields.text('connectString') ??
    connectString({
      protocol,
      host: fields.text('host') ?? 'localhost',
      port: fields.whole('port', protocol === 'tcps' ? 2_484 : 1_521),
      serviceName: fields.text('serviceName'),
      sid: fields.text('sid'),
    });
  requireReadable(place);
  return {
    /** Easy Connect text or a descriptor; if host, port and service were given, it is made from them. */
    connectString: place,
    user,
    password: fields.text('password'),
    serverDnMatch: fields.flag('serverDnMatch', true),
    walletLocation: fields.text('walletLocation') ?? walletIn(place),
    walletPassword: fields.text('walletPassword'),
    mode: fields.choice('mode', modes, 'thin'),
    libDir: fields.text('libDir'),
    sessionSettings: settings(fields.map('sessionSettings')),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
  };
}

export type OracleConfig = EngineConfig &
  Readonly<ReturnType<typeof parse>> &
  Access & {
    /** The connect string that is used instead of connectString (ConfigParser.through). */
    readonly via?: string;
  };

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { connectString, user, mode, walletLocation, sessionSettings } = parsed as OracleConfig;
    return {
      address: connectStringText(connectString),
      details: {
        user,
        mode,
        ...(walletLocation && { wallet: walletLocation }),
        ...settingDetails('ALTER SESSION SET', sessionSettings),
      },
    };
  },
  endpoints: (parsed) => addressesOf((parsed as OracleConfig).connectString),
  greeting,
  through: (parsed, elsewhere) => {
    const { connectString, serverDnMatch } = parsed as OracleConfig;
    return { ...parsed, via: redirectedConnectString(connectString, serverDnMatch, elsewhere) };
  },
  grants: (parsed) => grants(parsed as OracleConfig),
};

interface Address {
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
  readonly serviceName: string | null;
  readonly sid: string | null;
}

/** A descriptor (Net Services Reference, "Local Naming Parameters"), the only form that can name a SID. */
function connectString({ protocol, host, port, serviceName, sid }: Address): string {
  const data = sid ?? serviceName;
  if (data === null)
    throw new DynoError('badInput', 'serviceName is missing.', {
      hint: 'The database’s service (`lsnrctl services` lists them), or sid, or a whole connectString.',
    });
  for (const [name, value] of Object.entries({ host, [sid === null ? 'serviceName' : 'sid']: data }))
    if (/[()=\s"']/.test(value))
      throw new DynoError('badInput', `${name} has a character that names do not have: ( ) = quotes or a blank.`);
  const key = sid === null ? 'SERVICE_NAME' : 'SID';
  return `(DESCRIPTION=(ADDRESS=(PROTOCOL=${protocol})(HOST=${host})(PORT=${port}))(CONNECT_DATA=(${key}=${data})))`;
}

function settings(map: Readonly<Record<string, string>>) {
  settingsNamed(/^[a-z_][a-z0-9_$]*$/i, map);
  for (const [name, value] of Object.entries(map)) {
    if (name.toLowerCase() === 'current_schema')
      throw new DynoError(
        'badInput',
        'sessionSettings: Dyno’s tables are the user’s own, so current_schema cannot be set.',
        { hint: 'Name the owner as user.' },
      );
    if (value.includes("'") && !/^'[^']*'$/.test(value))
      throw new DynoError('badInput', `sessionSettings.${name}: a quote within the value.`);
  }
  return map;
}
