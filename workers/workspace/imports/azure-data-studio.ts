import { isMapping } from '#model/is-mapping.ts';
import { type Found, noEngine, readBy, takeOver } from './found.ts';
import { readMapping, textIn, textsOf } from './json.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Options that say nothing about the server. */
const ofTheProgram = new Set(
  'connectionName profileName id groupId databaseDisplayName savePassword emptyPasswordInput accountStore email accountId configSource profileSource azureTenantId azureAccount user azureAccountToken expiresOn connectionString containerName providerName tags isPreProfile applicationName commandTimeout'.split(
    ' ',
  ),
);

/** The connections of a settings.json. Passwords are in the system's store, which Dyno does not read. */
export function azureConnections(text: string): readonly Found[] {
  const settings = readMapping(text);
  const list = (key: string): readonly Mapping[] => {
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
    return Array.isArray(value) ? value.filter(isMapping) : [];
  };
  return [
    ...list('datasource.connections').map((one) => connectionOf(isMapping(one.options) ? one.options : {}, one)),
    ...list('mssql.connections').map((one) => connectionOf(one, { ...one, providerName: 'MSSQL' })),
    ...list('pgsql.connections').map((one) => connectionOf(one, { ...one, providerName: 'PGSQL' })),
  ];
}

function connectionOf(options: Mapping, { providerName }: Mapping): Found {
  const server = textIn(options, 'server') || textIn(options, 'host');
  const database = textIn(options, 'database') || textIn(options, 'dbname');
  const user = textIn(options, 'user');
  const name =
    textIn(options, 'connectionName') || textIn(options, 'profileName') || [server, database].filter(Boolean).join(' ');
  const provider = typeof providerName === 'string' ? providerName : '';
  if (!/^(mssql|pgsql)$/i.test(provider)) return noEngine(name, provider);
  const isPostgres = /^pgsql$/i.test(provider);
  const whole = textIn(options, 'connectionString');
  const settings = textsOf(options).filter(
    ([key]) => !ofTheProgram.has(key) && !(isPostgres && key === 'authenticationType'),
  );
  const engine = isPostgres ? 'postgres' : 'sqlserver';
  const found =
    whole !== ''
      ? readBy(
          name || 'connection string',
          engine,
          ({ config }) => config.connectionStrings?.read(whole, 'asked') ?? null,
        )
      : takeOver(name, engine, [['user', user], ...settings]);
  if (found.values.authentication === 'azure-active-directory-access-token')
    return { ...found, passwords: { token: null } };
  const asks = Object.keys(found.passwords).length === 0 && user !== '';
  return asks ? { ...found, passwords: { password: null } } : found;
}
