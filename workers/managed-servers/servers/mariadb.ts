import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Connection } from 'mysql2/promise';
import { config } from '#engines/mysql/config.ts';
import { descriptor } from '#engines/mysql/descriptor.ts';
import { characterSet, quote } from '#engines/mysql/names.ts';
import { DynoError } from '#model/error.ts';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import type { StopSignals } from '#platform/guard.ts';
import { findProgram } from '../install/tools.ts';
import { giveTo, type ServerAccount, serverHome } from '../process/account.ts';
import { onFreePort } from '../process/free-port.ts';
import { newPassword } from '../process/new-password.ts';
import { stopOrphan } from '../process/orphan.ts';
import { answers } from '../process/port-answers.ts';
import { programFor } from '../process/programs.ts';
import { checkSpace, serverError, wordsOf } from '../process/server-error.ts';
import type { RunningServer, ServerKind } from '../process/server-kind.ts';
import { serverEnvironment, startServerProcess } from '../process/server-process.ts';
import {
  baseOf,
  installCommand,
  missingProduct,
  type Product,
  productOf,
  seriesOf,
  usualProduct,
} from './mariadb-programs.ts';
import { makeServerCertificate, type ServerCertificate } from './server-certificate.ts';
import { installedText, serverByVersion } from './server-versions.ts';
import { sqlLines } from './sql-lines.ts';

const run = promisify(execFile);

/** Space for new system tables, the redo log and a starter experiment. */
const leastFreeBytes = 400 * 1024 * 1024;

/** A clean shutdown flushes the buffer pool. */
const signals: StopSignals = [
  ['SIGTERM', 30_000],
  ['SIGKILL', 5_000],
];

/** MariaDB if it is installed, else MySQL: commands and protocol are the same. */
export const mariadb: ServerKind = {
  id: 'local-mariadb',
  engine: 'mysql',
  label: 'MariaDB',
  missing: async () => ((await usualProduct()) ? null : missingProduct()),
  installed: async () => installedText(await usualProduct()),
  start: (folder, onActivity, parameters) => startMariadb(folder, onActivity, argumentsOf(parameters)),
  client: ({ port, user }, password) => {
    const program = findProgram(['mariadb', 'mysql']) ?? 'mariadb';
    // Since 11.4, MariaDB's client demands TLS; MySQL's does not, and refuses the option.
    const plain = basename(program, '.exe') === 'mariadb' ? ' --skip-ssl' : '';
    return `MYSQL_PWD="${password}" ${program}${plain} -h 127.0.0.1 -P ${port} -u ${user}`;
  },
};

/** MariaDB and MySQL by their version. */
export const mysqlByVersion: readonly ServerKind[] = descriptor.builtIn.flatMap((builtIn) => {
  const [, product, series] = /^(mariadb|mysql)@(.+)$/.exec(builtIn.target) ?? [];
  if (product === undefined || series === undefined) return [];
  return serverByVersion(
    mariadb,
    builtIn,
    () => productOf(product, series),
    (found, folder, onActivity, parameters) => startMariadb(folder, onActivity, argumentsOf(parameters), found),
  );
});

const argumentsOf = (parameters: ServerParameters = {}): readonly string[] =>
  Object.entries(parameters).map(([name, value]) => `--${name}=${value}`);

/** `more`: more arguments of the server, beyond its defaults. */
export async function startMariadb(
  wished: string,
  onActivity: (text: string) => void,
  more: readonly string[] = [],
  chosen?: Product,
): Promise<RunningServer> {
  const product = chosen ?? (await usualProduct());
  if (!product) throw new DynoError('unsupported', missingProduct().what, { hint: missingProduct().fix });
  const { label } = product;
  const { account, folder } = serverHome(wished, label, onActivity);
  const server = programFor(product.program, product.fetched, account, onActivity);
  const data = await ensureData(folder, { ...product, server }, account, onActivity);
  if (await stopOrphan(data)) onActivity(`Stopped a ${label} that a crash had left running.`);
  const certificate = await makeServerCertificate(join(folder, 'tls'), account, onActivity);
  onActivity(`Starting ${label}.`);
  const passwords = { admin: newPassword(), user: newPassword() };
  const login = join(folder, 'dyno-login.sql');
  try {
    return await onFreePort(async (port) => {
      writeFileSync(login, loginSql(label, passwords), { mode: 0o600 });
      giveTo(account, login);
      const process = await startServerProcess({
        label,
        file: server,
        args: [
          '--no-defaults', // this machine's own configuration is not for this server
          ...baseOf(server),
          ...[`--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1', '--socket=dyno.sock'],
          ...['--pid-file=dyno.pid', '--skip-name-resolve', '--local-infile=1', `--init-file=${login}`],
          // Otherwise a restart would silently fill the buffer pool again.
          '--innodb-buffer-pool-load-at-startup=OFF',
          // MariaDB would accept any user's DATA DIRECTORY; MySQL accepts only innodb_directories.
          label === 'MySQL' ? '--mysqlx=OFF' : '--skip-symbolic-links',
          ...tlsArguments(label, certificate),
          ...more,
        ],
        cwd: data,
        env: serverEnvironment(),
        account,
        log: join(folder, 'server.log'),
        isReady: () => answers(port, isGreeting),
        signals,
        failed,
      });
      const reached = { host: '127.0.0.1', port };
      const raw = { ...reached, user: 'dyno', password: passwords.user, ...(certificate && { ca: certificate.ca }) };
      const admin = { ...reached, user: 'root', password: passwords.admin };
      try {
        await putBack(admin, onActivity);
      } catch (thrown) {
        await process.stop();
        throw failed(`${label} could not be set up`, wordsOf(thrown));
      }
      return { ...process, raw, admin, port, dataFolder: data };
    });
  } finally {
    rmSync(login, { force: true });
  }
}

/**
 * Without a certificate, MariaDB 11.4 and newer would make an RSA key of 4,096 bits at each start: 5 to 17 s of a
 * processor in builds with wolfSSL. MySQL keeps the certificate that it makes once.
 */
const tlsArguments = (label: Product['label'], certificate: ServerCertificate | null): readonly string[] => {
  if (certificate) return [`--ssl-cert=${certificate.cert}`, `--ssl-key=${certificate.key}`];
  return label === 'MySQL' ? [] : ['--skip-ssl'];
};

/** The system tables, made on first use in a folder of their own that is renamed when it is complete. */
async function ensureData(
  folder: string,
  { server, label, ...product }: Product & { readonly server: string },
  account: ServerAccount | null,
  onActivity: (text: string) => void,
): Promise<string> {
  // Each version has data of its own.
  const data = join(folder, `${label.toLowerCase()}-${seriesOf({ label, ...product })}`);
  if (existsSync(join(data, 'mysql'))) return data;
  onActivity(`Creating ${label}’s system tables (once, a few seconds).`);
  checkSpace(folder, label, leastFreeBytes);
  const half = mkdtempSync(join(folder, 'install-'));
  giveTo(account, half);
  try {
    const [program, args] = installCommand(server, label, half);
    // Several servers would take each other's temporary tables in a shared folder.
    const env = { ...serverEnvironment(), TMPDIR: half };
    await run(program, args, { cwd: half, env, windowsHide: true, ...account });
    rmSync(data, { recursive: true, force: true });
    renameSync(half, data);
    return data;
  } catch (thrown) {
    rmSync(half, { recursive: true, force: true });
    throw failed(`${label}’s system tables could not be created`, wordsOf(thrown));
  }
}

/**
 * The server runs this before it accepts logins, one statement a line. Nobody else has an account, or one without a
 * password. Experiments run as “dyno”, which is made anew each time with the rights that dyno grants advises.
 */
function loginSql(label: Product['label'], passwords: { readonly admin: string; readonly user: string }): string {
  const grants = config.grants(config.parse({ user: 'dyno' })) ?? '';
  return [
    "DROP USER IF EXISTS 'mysql'@'localhost', 'root'@'127.0.0.1', 'root'@'::1';",
    "DROP USER IF EXISTS 'dyno'@'%', 'dyno'@'127.0.0.1', 'dyno'@'localhost';",
    ...sqlLines(grants).map((line) => `${line};`),
    // The user's right to alter tables includes altering their database.
    `CREATE DATABASE IF NOT EXISTS \`dyno\` ${characterSet};`,
    // This needs MySQL 8.0.22; before, the database can be altered.
    ...(label === 'MySQL' ? ['/*!80022 ALTER DATABASE `dyno` READ ONLY = 0 */;'] : []),
    `ALTER DATABASE \`dyno\` ${characterSet};`,
    `ALTER USER 'dyno'@'%' IDENTIFIED BY '${passwords.user}' ACCOUNT UNLOCK;`,
    `CREATE USER 'root'@'127.0.0.1' IDENTIFIED BY '${passwords.admin}';`,
    "GRANT ALL PRIVILEGES ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
    `ALTER USER 'root'@'localhost' IDENTIFIED BY '${passwords.admin}';`,
    '',
  ].join('\n');
}

/** Puts back what statements of earlier runs have changed beyond Dyno's tables. */
async function putBack(admin: RunningServer['raw'], onActivity: (text: string) => void): Promise<void> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({ ...admin });
  try {
    await rollBackPrepared(connection, onActivity);
    await dropViewsAndTriggers(connection, onActivity);
  } finally {
    await connection.end();
  }
}

/** Nothing runs when the server starts, so that no trial needs its views and triggers any more. */
async function dropViewsAndTriggers(connection: Connection, onActivity: (text: string) => void): Promise<void> {
  const [found] = await connection.query({
    sql: `SELECT 'VIEW', table_name FROM information_schema.views WHERE table_schema = 'dyno'
          UNION ALL SELECT 'TRIGGER', trigger_name FROM information_schema.triggers WHERE trigger_schema = 'dyno'`,
    rowsAsArray: true,
  });
  for (const [kind, name] of found as unknown as readonly [string, string][]) {
    await connection.query(`DROP ${kind} IF EXISTS \`dyno\`.${quote(name)}`);
    onActivity(`Put back what a statement had changed: dropped the ${kind.toLowerCase()} ${name}.`);
  }
}

/**
 * Rolls back transactions that were prepared (XA PREPARE) and never ended. They outlive their session and the server,
 * keep their locks, and hold back the purge of younger row versions. Everybody may prepare one.
 */
async function rollBackPrepared(connection: Connection, onActivity: (text: string) => void): Promise<void> {
  const [found] = await connection.query({
    sql: 'XA RECOVER',
    rowsAsArray: true,
    typeCast: (field, next) => (field.name === 'data' ? field.buffer() : next()),
  });
  for (const [format, global, branch, data] of found as unknown as readonly [number, number, number, Buffer][]) {
    const part = (from: number, to: number) => `X'${data.subarray(from, to).toString('hex')}'`;
    await connection.query(`XA ROLLBACK ${part(0, global)}, ${part(global, global + branch)}, ${Number(format)}`);
    onActivity('Put back what a statement had changed: rolled back a transaction that was left prepared.');
  }
}

/**
 * True if the packet is a greeting, which every client gets once the server has started: protocol version 10 behind the
 * packet's header.
 */
const isGreeting = (packet: Buffer): boolean => packet[4] === 10;

const damaged =
  /is corrupt|corrupted|Database page corruption|Unknown\/unsupported storage engine: InnoDB|Plugin 'InnoDB' (?:init|registration)|Can't open and lock privilege tables|Upgrade after a crash is not supported|Unable to lock \.\/ibdata1/i;
const taken = /Bind on TCP\/IP port|Do you already have another/i;

function failed(what: string, said: string): DynoError {
  // Adds words that serverError() recognises.
  return serverError(what, taken.test(said) ? `${said}\naddress already in use` : said, damaged);
}
