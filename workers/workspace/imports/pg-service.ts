import { type Found, ignored, type Rule, takeOver, timeoutOf, tlsOf, withTlsForCertificate } from './found.ts';
import { readSections } from './ini.ts';
import { type PgpassLine, pgpassOf } from './pgpass.ts';

/** libpq's parameters (manual, "Parameter Key Words"). */
const rules: Readonly<Record<string, Rule>> = {
  host: (value) =>
    value.includes(',')
      ? { problem: 'It names several hosts, and Dyno connects to one.' }
      : { values: { host: value } },
  port: 'port',
  dbname: 'database',
  user: 'user',
  password: 'password',
  sslmode: tlsOf,
  sslrootcert: 'ca',
  sslcert: 'cert',
  sslkey: 'key',
  sslpassword: 'keyPassword',
  connect_timeout: timeoutOf,
  options: settingsOf,
  application_name: ignored,
  client_encoding: ignored,
};

/** `-c name=value` and `--name=value`, without quotes and blanks in values. */
function settingsOf(options: string): ReturnType<Exclude<Rule, string>> {
  const found = [...options.matchAll(/(?:-c\s*|--)([A-Za-z_][\w.]*)=([^\s'"\\]+)/g)];
  const isAll = options.replaceAll(/(?:-c\s*|--)[A-Za-z_][\w.]*=[^\s'"\\]+/g, '').trim() === '';
  return {
    values: { sessionSettings: Object.fromEntries(found.map(([, name = '', value = '']) => [name, value])) },
    ...(!isAll && { note: 'Parts of options are not taken over.' }),
  };
}

/** The services of a pg_service.conf; `passwords`: the lines of the password file that belongs to it. */
export function pgServices(text: string, passwords: readonly PgpassLine[]): readonly Found[] {
  return readSections(text)
    .filter(({ name }) => name !== '')
    .map(({ name, settings, others }) => {
      const isLdap = (text: string) => /^ldaps?:\/\//i.test(text);
      const given = new Map(settings.filter(([key]) => !isLdap(key)));
      // The address is only to spare a look-up of the host's name.
      const address = given.get('hostaddr');
      given.delete('hostaddr');
      if (address !== undefined && !given.has('host')) given.set('host', address);
      const found = withTlsForCertificate(takeOver(name, 'postgres', given, rules));
      const asksLdap = [...settings.map(([key]) => key), ...others].some(isLdap);
      const notes = asksLdap ? [...found.notes, 'What an LDAP server would say is not taken over.'] : found.notes;
      if (given.has('password')) return { ...found, notes };
      const host = given.get('host') ?? 'localhost';
      const user = given.get('user') ?? '';
      const password = pgpassOf(passwords, {
        host: host.startsWith('/') ? 'localhost' : host,
        port: given.get('port') ?? '5432',
        database: given.get('dbname') ?? user,
        user,
      });
      return { ...found, notes, ...(password !== null && { passwords: { ...found.passwords, password } }) };
    });
}
