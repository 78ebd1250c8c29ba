import { type Found, ignored, isYes, noEngine, type Rule, takeOver, tlsOf, withTlsForCertificate } from './found.ts';
import { readSections } from './ini.ts';
import { encryptOf, integratedNote, serverOf } from './sql-server.ts';

type Rules = Readonly<Record<string, Rule>>;

/** Keys of every driver, in small letters. */
const common: Rules = {
  driver: ignored,
  driver64: ignored,
  description: ignored,
  setup: ignored,
  trace: ignored,
  tracefile: ignored,
  port: 'port',
  database: 'database',
  uid: 'user',
  user: 'user',
  username: 'user',
  pwd: 'password',
  password: 'password',
};

/** By what drivers are called: their name, or the path of their library. */
const products: readonly { readonly driver: RegExp; readonly engine: string; readonly rules: Rules }[] = [
  {
    driver: /psqlodbc|postgres/i,
    engine: 'postgres',
    rules: {
      ...common,
      server: 'host',
      servername: 'host',
      sslmode: tlsOf,
      pqopt: () => ({ note: 'Pqopt is not taken over.' }),
    },
  },
  {
    driver: /myodbc|maodbc|mysql|mariadb/i,
    engine: 'mysql',
    rules: {
      ...common,
      server: 'host',
      servername: 'host',
      db: 'database',
      socket: 'host',
      tcp_port: 'port',
      sslmode: tlsOf,
      ssl_mode: tlsOf,
      sslca: 'ca',
      sslcert: 'cert',
      sslkey: 'key',
      sslverify: (value) => (isYes(value) === true ? tlsOf('verify-full') : {}),
    },
  },
  {
    driver: /msodbcsql|sql server|freetds|tdsodbc/i,
    engine: 'sqlserver',
    rules: {
      ...common,
      server: serverOf,
      servername: serverOf,
      address: serverOf,
      encrypt: encryptOf,
      trustservercertificate: 'trustServerCertificate',
      trusted_connection: (value) => (isYes(value) === true ? integratedNote : {}),
      tds_version: ignored,
    },
  },
  {
    driver: /sqora|oracle/i,
    engine: 'oracle',
    rules: { ...common, servername: 'connectString', dbq: 'connectString', server: 'connectString', userid: 'user' },
  },
];

/** The data sources of an odbc.ini. What a driver is called may stand in the section [ODBC Data Sources] alone. */
export function odbcSources(text: string): readonly Found[] {
  const sections = readSections(text);
  const listed = new Map(
    sections.filter(({ name }) => /^odbc data sources$/i.test(name)).flatMap(({ settings }) => settings),
  );
  return sections
    .filter(({ name }) => name !== '' && !/^(odbc data sources|odbc|default)$/i.test(name))
    .map(({ name, settings }) => {
      const given = new Map(settings.map(([key, value]) => [key.toLowerCase(), value.replace(/^\{(.*)\}$/, '$1')]));
      const driver = [given.get('driver') ?? given.get('driver64') ?? '', listed.get(name) ?? ''];
      const product = products.find((one) => driver.some((text) => one.driver.test(text)));
      if (!product) return noEngine(name, driver.find((text) => text !== '') ?? '');
      return withTlsForCertificate(takeOver(name, product.engine, given, product.rules));
    });
}
