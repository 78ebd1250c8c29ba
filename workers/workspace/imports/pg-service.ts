import { type Found, takeOver } from './found.ts';
import { readSections } from './ini.ts';
import { type PgpassLine, pgpassOf } from './pgpass.ts';

/** The services of a pg_service.conf; `passwords`: the lines of the password file that belongs to it. */
export function pgServices(text: string, passwords: readonly PgpassLine[]): readonly Found[] {
  return readSections(text)
    .filter(({ name }) => name !== '')
    .map(({ name, settings, others }) => {
      const isLdap = (text: string) => /^ldaps?:\/\//i.test(text);
      const given = new Map(settings.filter(([key]) => !isLdap(key)));
      const found = takeOver(name, 'postgres', given);
      const asksLdap = [...settings.map(([key]) => key), ...others].some(isLdap);
      const notes = asksLdap ? [...found.notes, 'What an LDAP server would say is not taken over.'] : found.notes;
      if (given.has('password')) return { ...found, notes };
      const host = given.get('host') ?? given.get('hostaddr') ?? 'localhost';
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
