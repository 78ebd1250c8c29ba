import { type Found, takeOver } from './found.ts';
import { readSections } from './ini.ts';

/** Options about the connection, with dashes; other options are about the program on the terminal. */
const ofConnection =
  /^(host|port|user|password|database|socket|protocol|connect-timeout|default-character-set|compress|.*(ssl|tls|auth|secure|public-key).*)$/;

/** Sections of servers, and of programs without a user's connection. */
const ofServers =
  /^(mysqld|mariadbd?|server|mysqld_safe|mariadb_safe|mysqld_multi|galera|embedded|xtrabackup)([-_.\d].*)?$/;
/** The other sections that the interactive client reads besides [client]. */
const ofClients = /^(mysql|mariadb-client|client-server|client-mariadb)$/;

/**
 * The connections of an option file: [client] with the options of [mysql], and each other section that names a host, a
 * socket or a user, for example [client_production] or a login path.
 */
export function mysqlOptions(text: string): readonly Found[] {
  const sections = readSections(text);
  const settingsOf = (name: string) =>
    sections.filter((one) => one.name === name).flatMap(({ settings, others }) => [...settings, ...others.map(flag)]);
  const names = [...new Set(sections.map(({ name }) => name))];
  const client = new Map(settingsOf('client').map(plain));
  for (const [key, value] of names
    .filter((name) => ofClients.test(name))
    .flatMap(settingsOf)
    .map(plain))
    if (ofConnection.test(key)) client.set(key, value);
  const own = names.filter(
    (name) => name !== '' && name !== 'client' && !ofServers.test(name) && !ofClients.test(name),
  );
  return [
    ...(isConnection(client) ? [foundOf('client', client)] : []),
    ...own.flatMap((name) => {
      const suffixed = name.startsWith('client') && names.includes('client');
      const settings = new Map([...(suffixed ? client : []), ...settingsOf(name).map(plain)]);
      return isConnection(new Map(settingsOf(name).map(plain))) ? [foundOf(name, settings)] : [];
    }),
  ];
}

const isConnection = (settings: ReadonlyMap<string, string>): boolean =>
  ['host', 'socket', 'user'].some((key) => settings.has(key));

function foundOf(name: string, settings: ReadonlyMap<string, string>): Found {
  // A socket is only for connections to this machine.
  const remote = settings.has('host') && settings.get('host') !== 'localhost';
  const overTcp = remote || /^tcp$/i.test(settings.get('protocol') ?? '');
  return takeOver(
    name,
    'mysql',
    [...settings].filter(([key]) => !(key === 'socket' && overTcp)),
  );
}

/** An option without a value is on; a password without one is asked for. */
const flag = (line: string): [string, string] => [line, /^password$/i.test(line) ? '' : '1'];

/** Normalises a name, and a value as the clients read it: without quotes and comments, with escapes. */
function plain([name, value]: readonly [string, string]): readonly [string, string] {
  const key = name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^loose-/, '');
  const quoted = /^(["'])((?:\\.|(?!\1)[^\\])*)\1/.exec(value)?.[2];
  const bare = quoted ?? value.replace(/\s#.*$/, '').trimEnd();
  return [key, bare.replaceAll(/\\([btnrs\\"'])/g, (_, letter: string) => escapes[letter] ?? letter)];
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', r: '\r', s: ' ' };
