import { isMapping } from '#model/is-mapping.ts';
import { type Found, ignored, noEngine, type Rule, takeOver, timeoutOf } from './found.ts';
import { readMapping, textIn, textsOf } from './json.ts';
import { encryptOf, integratedNote, serverOf } from './sql-server.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Options of Azure Data Studio, and of the extension mssql of Visual Studio Code, which came from it. */
const rules: Readonly<Record<string, Rule>> = {
  server: serverOf,
  port: 'port',
  database: 'database',
  user: 'user',
  password: 'password',
  authenticationType: loginOf,
  encrypt: encryptOf,
  trustServerCertificate: 'trustServerCertificate',
  connectTimeout: timeoutOf,
  multiSubnetFailover: 'multiSubnetFailover',
  applicationIntent: (value) => (/^readonly$/i.test(value) ? { values: { readOnlyIntent: true } } : {}),
  hostNameInCertificate: 'serverName',
  ...Object.fromEntries(
    ['connectionName', 'profileName', 'id', 'groupId', 'applicationName', 'databaseDisplayName', 'savePassword']
      .concat(['emptyPasswordInput', 'accountStore', 'email', 'accountId', 'connectRetryCount', 'connectRetryInterval'])
      .concat(['connectionString', 'commandTimeout', 'configSource', 'profileSource'])
      .map((key) => [key, ignored]),
  ),
};

const postgresRules: Readonly<Record<string, Rule>> = {
  ...rules,
  server: 'host',
  host: 'host',
  dbname: 'database',
  authenticationType: ignored,
};

function loginOf(kind: string): ReturnType<Exclude<Rule, string>> {
  if (/^integrated$/i.test(kind)) return integratedNote;
  if (!/^(azure|activedirectory|dstsauth)/i.test(kind)) return {};
  return {
    values: { authentication: 'azure-active-directory-access-token' },
    passwords: { token: null },
    note: 'The login in a browser becomes one by token: let a command print it (az account get-access-token).',
  };
}

/** The connections of a settings.json. Passwords are in the system's store, where Dyno does not look. */
export function azureConnections(text: string): readonly Found[] {
  const settings = readMapping(text);
  const list = (key: string): readonly Mapping[] => {
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
    return Array.isArray(value) ? value.filter(isMapping) : [];
  };
  return [
    ...list('datasource.connections').map((one) => connectionOf(isMapping(one.options) ? one.options : {}, one)),
    ...list('mssql.connections').map((one) => connectionOf(one, { ...one, providerName: 'MSSQL' })),
  ];
}

function connectionOf(options: Mapping, { providerName }: Mapping): Found {
  const server = textIn(options, 'server') || textIn(options, 'host');
  const database = textIn(options, 'database') || textIn(options, 'dbname');
  const name =
    textIn(options, 'connectionName') || textIn(options, 'profileName') || [server, database].filter(Boolean).join(' ');
  const provider = typeof providerName === 'string' ? providerName : '';
  if (!/^(mssql|pgsql)$/i.test(provider)) return noEngine(name, provider);
  const isPostgres = /^pgsql$/i.test(provider);
  const found = takeOver(
    name,
    isPostgres ? 'postgres' : 'sqlserver',
    textsOf(options),
    isPostgres ? postgresRules : rules,
  );
  const asks = Object.keys(found.passwords).length === 0 && textIn(options, 'user') !== '';
  return asks ? { ...found, passwords: { password: null } } : found;
}
