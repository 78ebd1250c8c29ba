import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { descriptor } from '#engines/mongodb/descriptor.ts';
import { rightsOf } from '#engines/mongodb/grants.ts';
import { cacheParameter } from '#engines/mongodb/server-parameters.ts';
import { DynoError } from '#model/error.ts';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { type InstalledServer, installedServers, newestOf } from '../install/installed-servers.ts';
import { findMongod } from '../install/tools.ts';
import { accountFolder, giveTo, serverHome } from '../process/account.ts';
import { onFreePort } from '../process/free-port.ts';
import { newPassword } from '../process/new-password.ts';
import { stopOrphan } from '../process/orphan.ts';
import { programFor } from '../process/programs.ts';
import { checkSpace, serverError } from '../process/server-error.ts';
import type { Missing, RunningServer, ServerKind } from '../process/server-kind.ts';
import { serverEnvironment, startServerProcess } from '../process/server-process.ts';
import { makeServerCertificate, type ServerCertificate } from './server-certificate.ts';
import { installedText, serverByVersion } from './server-versions.ts';

/** MongoDB as a replica set of one member, because transactions need one. */
export const mongodb: ServerKind = {
  id: 'local-mongodb',
  engine: 'mongodb',
  label: 'MongoDB',
  missing: async () => missing(),
  installed: async () => {
    const usual = findMongod()?.program;
    return installedText((await allMongods()).find(({ program }) => program === usual) ?? null);
  },
  start: (folder, onActivity, parameters) => startMongod(folder, onActivity, wishesOf(parameters)),
};

/** MongoDB by its version. */
export const mongodbByVersion: readonly ServerKind[] = descriptor.builtIn.flatMap((builtIn) => {
  const [, series] = /^mongodb@(.+)$/.exec(builtIn.target) ?? [];
  if (series === undefined) return [];
  return serverByVersion(
    mongodb,
    builtIn,
    async () => newestOf(await allMongods(), series),
    (found, folder, onActivity, parameters) =>
      startMongod(folder, onActivity, { ...wishesOf(parameters), mongod: mongodOf(found) }),
  );
});

/** The cache's size is an option of mongod, which may be given only once; all other settings are parameters. */
function wishesOf({ [cacheParameter]: cacheGb, ...parameters }: ServerParameters = {}): Wishes {
  const args = Object.entries(parameters).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]);
  return { args, ...(cacheGb !== undefined && { cacheGb }) };
}

const allMongods = (): Promise<readonly InstalledServer[]> =>
  installedServers({
    names: ['mongod'],
    more: [findMongod()?.program ?? ''].filter(Boolean),
    versionArgs: ['--version'],
  });

const mongodOf = ({ program, fetched }: InstalledServer): Mongod => ({
  program,
  libraries: fetched && join(fetched, 'lib'),
});

/** Space for the journal, the oplog and a starter experiment. */
const leastFreeBytes = 500 * 1024 * 1024;
const replicaSet = 'rs0';
const [user, database] = ['dyno', 'dyno'];
/** The server's own user, whom the content of the key file proves. */
const itself = { user: '__system', authSource: 'local', authMechanism: 'SCRAM-SHA-256' } as const;

function missing(): Missing | null {
  if (findMongod()) return null;
  const named = process.env.DYNO_MONGOD;
  if (named)
    return { what: `DYNO_MONGOD names no program: ${named}`, fix: 'Give it the path of a mongod, or unset it.' };
  const installable = process.platform === 'linux' && process.arch === 'x64';
  return {
    what: 'There is no mongod',
    fix: installable
      ? '`dyno servers install mongod`, or MongoDB Community Server of your own, with mongod on the PATH (or its path in DYNO_MONGOD).'
      : 'Install MongoDB Community Server, with mongod on the PATH (or its path in DYNO_MONGOD).',
  };
}

type Mongod = NonNullable<ReturnType<typeof findMongod>>;

interface Wishes {
  /** Absent: the usual one. */
  readonly mongod?: Mongod;
  /** False: the server belongs to no replica set, and has no transactions. */
  readonly replicaSet?: boolean;
  readonly args?: readonly string[];
  /** Its arguments for TLS. Default: those by which clients choose, with a certificate of this start. */
  readonly tls?: readonly string[];
  /** The size of WiredTiger's cache. */
  readonly cacheGb?: string;
}

export async function startMongod(
  wished: string,
  onActivity: (text: string) => void,
  wishes: Wishes = {},
): Promise<RunningServer> {
  const mongod = wishes.mongod ?? findMongod();
  if (!mongod)
    throw new DynoError('unsupported', missing()?.what ?? 'There is no mongod', { hint: missing()?.fix ?? null });
  const member = wishes.replicaSet ?? true;
  const { account, folder } = serverHome(wished, 'MongoDB', onActivity);
  checkSpace(folder, 'MongoDB', leastFreeBytes);
  const dataFolder = accountFolder(join(folder, 'mongodb'), account);
  const within = mongod.libraries && dirname(mongod.libraries);
  const runnable = (path: string) => programFor(path, within, account, onActivity);
  if (await stopOrphan(dataFolder)) onActivity('Stopped a MongoDB that a crash had left running.');
  const certificate = await makeServerCertificate(join(folder, 'tls'), account, onActivity);
  onActivity('Starting MongoDB.');
  // The key by which members of a replica set trust each other. It is new on each start, and in no file once the server
  // has read it.
  const key = randomBytes(48).toString('base64');
  const keyFile = join(folder, 'mongod.key');
  const log = join(folder, 'server.log');
  try {
    return await onFreePort(async (port) => {
      writeFileSync(keyFile, key, { mode: 0o600 });
      giveTo(account, keyFile);
      const process = await startServerProcess({
        label: 'MongoDB',
        file: runnable(mongod.program),
        args: [
          ...['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket', '--dbpath', dataFolder],
          ...['--auth', '--keyFile', keyFile, `--${cacheParameter}`, wishes.cacheGb ?? '0.25'],
          // Experiments run no JavaScript ($where, $function, mapReduce); Dyno itself uses none.
          '--noscripting',
          // Otherwise the first client to reach the port could create the first user.
          ...['--setParameter', 'enableLocalhostAuthBypass=0'],
          // Its clients choose; the server's own connections have no TLS.
          ...(wishes.tls ?? (certificate ? tlsArguments(certificate) : [])),
          ...(member ? ['--replSet', replicaSet, '--oplogSize', '64'] : []),
          ...(wishes.args ?? []),
        ],
        cwd: dataFolder,
        env: serverEnvironment(mongod.libraries === null ? {} : { LD_LIBRARY_PATH: runnable(mongod.libraries) }),
        account,
        log,
        isReady: () => readFileSync(log, 'utf8').includes('"msg":"Waiting for connections"'),
        failed,
      });
      try {
        const password = newPassword();
        await setUp(port, key, password, member);
        const reached = { host: '127.0.0.1', port, ...(member ? { replicaSet } : {}) };
        const trusted = certificate && { tls: 'disable', tlsCAFile: certificate.ca };
        const raw = { ...reached, user, password, ...trusted };
        return { ...process, raw, admin: { ...reached, ...itself, password: key }, port, dataFolder };
      } catch (thrown) {
        await process.stop();
        throw failed('MongoDB could not be set up', thrown instanceof Error ? thrown.message : String(thrown));
      }
    });
  } finally {
    rmSync(keyFile, { force: true });
  }
}

/** Clients need no certificate of their own; the server wants a CA all the same. */
const tlsArguments = ({ ca, both }: ServerCertificate): readonly string[] => [
  ...['--tlsMode', 'allowTLS', '--tlsCertificateKeyFile', both],
  ...['--tlsCAFile', ca, '--tlsAllowConnectionsWithoutCertificates'],
];

/**
 * Makes it the primary of its replica set under its present port, and makes the user with a new password and the rights
 * that dyno grants advises; acts as the server itself. The password travels over this connection alone.
 */
async function setUp(port: number, key: string, password: string, member: boolean): Promise<void> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(`mongodb://127.0.0.1:${port}`, {
    auth: { username: itself.user, password: key },
    authSource: itself.authSource,
    authMechanism: itself.authMechanism,
    directConnection: true,
    serverMonitoringMode: 'poll',
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    const admin = client.db('admin');
    if (member) await makePrimary(admin, `127.0.0.1:${port}`);
    const { checkpoint, roles } = rightsOf(database);
    const { role, ...rights } = checkpoint;
    const known = await admin.command({ rolesInfo: role });
    await admin.command({ [known.roles.length > 0 ? 'updateRole' : 'createRole']: role, ...rights });
    const { users } = await admin.command({ usersInfo: user });
    const account = { pwd: password, roles, mechanisms: ['SCRAM-SHA-256'] };
    await admin.command({ [users.length > 0 ? 'updateUser' : 'createUser']: user, ...account });
  } finally {
    await client.close();
  }
}

const primaryWithinMs = 20_000;

async function makePrimary(admin: Db, host: string): Promise<void> {
  const members = [{ _id: 0, host }];
  const known = await admin
    .command({ replSetGetConfig: 1 })
    .then(({ config }) => config as { readonly version: number })
    .catch(() => null);
  if (known === null) await admin.command({ replSetInitiate: { _id: replicaSet, members } });
  // Its configuration has the port of the last start.
  else await admin.command({ replSetReconfig: { ...known, version: known.version + 1, members }, force: true });
  const deadline = performance.now() + primaryWithinMs;
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    if (performance.now() > deadline) throw new Error(`it has not become primary within ${primaryWithinMs / 1000} s`);
    await sleep(20);
  }
}

const damaged =
  /WT_PANIC|WiredTiger (?:error|metadata corruption)|Fatal assertion|data files.*(?:corrupt|incompatible)|unsupported WiredTiger file version|featureCompatibilityVersion/i;

function failed(what: string, said: string): DynoError {
  const problems = said.split('\n').flatMap(problemIn).join('\n');
  if (/error while loading shared libraries: libcurl/.test(said))
    return new DynoError('unsupported', `${what}: ${problems}`, {
      hint: 'It needs libcurl. Debian, Ubuntu: sudo apt install libcurl4',
    });
  return serverError(what, problems, damaged);
}

/** Its log has one JSON line per message, with a severity: E and F are errors. Other lines come from the system. */
function problemIn(line: string): readonly string[] {
  const found =
    /^\{"t":.*?"s":"(?<severity>\w)",.*?"msg":(?<message>"(?:[^"\\]|\\.)*")(?:,"attr":(?<attributes>.*))?\}$/.exec(
      line,
    );
  if (!found?.groups) return line.trim() === '' || line.startsWith('{') ? [] : [line];
  const { severity, message = '""', attributes = '' } = found.groups;
  return severity === 'E' || severity === 'F' ? [`${JSON.parse(message)} ${attributes}`.trim()] : [];
}
