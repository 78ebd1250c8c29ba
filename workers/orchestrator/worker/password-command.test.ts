import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { failureOf } from '#engines/shared/failure.fixture.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Connection } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { allProcs, commandOf } from '#platform/processes.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { collect, once } from '../run/run.fixture.ts';
import { printedPasswords } from './password-command.ts';

const canary = 'c4nary-s3cret';
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const connectionWith = (command: readonly string[]): Connection => ({
  id: 'a1',
  name: 'staging',
  engine: 'postgres',
  values: {},
  passwords: { password: { command } },
});
const node = (script: string, ...more: string[]) => [process.execPath, '-e', script, ...more];
const never = new AbortController().signal;
const print = async (command: readonly string[], signal = never) =>
  (await printedPasswords(connectionWith(command), signal)).passwords;
const failure = failureOf({ toError: toErrorData });

describe('a command that prints a password', () => {
  it('gives what it prints, without the line end', async () => {
    expect(await print(node(`console.log('${canary}')`))).toEqual({ password: canary });
    expect(await print(node(`process.stdout.write('${canary} ')`))).toEqual({ password: `${canary} ` });
  });

  it('says when that expires: by its own JSON, or by the minutes of the connection', async () => {
    const json = node(`console.log(JSON.stringify({ access_token: '${canary}', expires_in: 60 }))`);
    const ending = await printedPasswords(connectionWith(json), never);
    expect(ending.passwords).toEqual({ password: canary });
    expect(Math.abs((ending.expiresAt ?? 0) - Date.now() - 60_000)).toBeLessThan(60_000);
    const place = { command: node(`console.log('${canary}')`), validMinutes: 15 };
    const connection = { ...connectionWith([]), passwords: { password: place } };
    const told = (await printedPasswords(connection, never)).expiresAt ?? 0;
    expect(Math.abs(told - Date.now() - 15 * 60_000)).toBeLessThan(60_000);
    expect((await printedPasswords(connectionWith(node("console.log('x')")), never)).expiresAt).toBeNull();
  });

  it('is run without a shell', async () => {
    const file = join(folder, 'made');
    const argument = `$(touch ${file}); touch ${file}`;
    expect(await print(node('console.log(process.argv[1])', argument))).toEqual({ password: argument });
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["console.error('Token expired: log in again'); process.exit(3)", /exit code 3: Token expired: log in again/],
    ['', /printed nothing/],
    ["console.log('a'); console.log('b')", /more than one line/],
    ["console.log('x'.repeat(100000))", /more than 65536 bytes/],
  ])('is refused where it does %j', async (script, message) => {
    const error = await failure(print(node(script)));
    expect(error?.kind).toBe('authentication');
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain('Password of “staging”');
  });

  it('does not have its password repeated where it fails', async () => {
    const error = await failure(print(node(`console.log('${canary}'); console.error('${canary}'); process.exit(1)`)));
    expect(JSON.stringify(error)).not.toContain(canary);
  });

  it('is named where there is no such program', async () => {
    const error = await failure(print(['/nowhere/pass', 'show']));
    expect(error).toMatchObject({ kind: 'authentication', message: expect.stringContaining('/nowhere/pass') });
  });

  it('is ended on a signal', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new DynoError('cancelled', 'Cancelled.')), 200);
    const mark = `mark-${process.pid}`;
    const error = await failure(print(node('setInterval(() => {}, 1000)', mark), stop.signal));
    expect(error?.kind).toBe('cancelled');
    if (process.platform === 'linux')
      expect(allProcs().filter(({ pid, state }) => state !== 'Z' && commandOf(pid).includes(mark))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is not waited for where a process that it started goes on', async () => {
    const stop = new AbortController();
    const file = join(folder, 'pid');
    const waiting = failure(print(['/bin/sh', '-c', `sleep 600 & echo $! > '${file}'; wait`], stop.signal));
    try {
      await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toMatch(/^\d+\n$/), 10_000);
      stop.abort(new DynoError('cancelled', 'Cancelled.'));
      expect((await waiting)?.kind).toBe('cancelled');
    } finally {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
    }
  });
});

describe.skipIf(isSkipped('embedded-postgres'))('a run', () => {
  vi.setConfig({ testTimeout: 240_000 });

  it('has a password printed again, once, when the last one has expired, and writes it nowhere', async () => {
    await using server = await startTestServer();
    await using home = testHome();
    const [file, log] = [join(folder, 'token'), join(folder, 'log')];
    const script =
      "const fs = require('fs'); fs.appendFileSync(process.argv[2], 'x'); console.log(fs.readFileSync(process.argv[1], 'utf8'))";
    const { host, port, database, user, password } = server.raw;
    writeFileSync(file, String(password));
    writeFileSync(log, '');
    const runs = () => readFileSync(log, 'utf8').length;
    openConnectionStore(home.home).save({
      id: null,
      name: 'staging',
      engine: 'postgres',
      values: { host: String(host), port: Number(port), database: String(database), user: String(user) },
      passwords: { password: { command: node(script, file, log) } },
    });
    const yaml = experimentYaml({
      targets: '[staging]',
      rows: '200',
      workload: '{ operation: readByKey, thinkMs: 20 }',
      measure: '{ until: { seconds: 0.5 }, repeats: 3, warmupSeconds: 0 }',
    });
    const run = await newTrustedRun({ home: home.home, yaml });
    const { results } = collect(run);
    await using admin = await connectedClient(server.admin);
    const changed: Promise<unknown>[] = [];
    let atChange = 0;
    const change = (to: string) => {
      atChange = runs();
      writeFileSync(file, to);
      changed.push(admin.query(`ALTER ROLE "${user}" PASSWORD '${to}'`));
    };
    once(
      run,
      ({ record }) => record === 'result',
      () => change(canary),
    );
    expect(await run.start()).toMatchObject({ failedTrials: 0 });
    await Promise.all(changed);
    expect(results().map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(runs()).toBe(atChange + 1);
    // A password that expires soon is printed again before each trial's clients log in.
    const token =
      "const fs = require('fs'); fs.appendFileSync(process.argv[2], 'x'); console.log(JSON.stringify({ token: fs.readFileSync(process.argv[1], 'utf8'), expires_in: 30 }))";
    const { id, values, name: known, engine } = openConnectionStore(home.home).list().connections[0]!;
    const passwords = { password: { command: node(token, file, log) } };
    openConnectionStore(home.home).save({ id, name: known, engine, values, passwords });
    writeFileSync(log, '');
    const again = await newTrustedRun({ home: home.home, yaml });
    expect(await again.start()).toMatchObject({ failedTrials: 0 });
    expect(runs()).toBe(1 + 3);
    // Processes that load a table log in as the clients do.
    openConnectionStore(home.home).save({
      ...{ id, name: known, engine, values },
      passwords: { password: { command: node(script, file, log) } },
    });
    writeFileSync(log, '');
    const loaded = await newTrustedRun({
      home: home.home,
      yaml: experimentYaml({
        targets: '[staging]',
        rows: '400000',
        columns: '{ id: { type: uuid4 } }',
        workload: '{ operation: readByKey, connections: 2, processes: 2 }',
        measure: '{ until: { rows: 10 }, repeats: 1, warmupRows: 1 }',
      }),
    });
    once(
      loaded,
      (one) => one.record === 'phase' && one.phase === 'schema',
      () => change(`${canary}2`),
    );
    expect(await loaded.start()).toMatchObject({ failedTrials: 0 });
    expect(atChange).toBe(1);
    expect(runs()).toBe(2);
    for (const name of readdirSync(home.home.root, { recursive: true, withFileTypes: true }))
      if (name.isFile() && !name.parentPath.includes('embedded'))
        expect(readFileSync(join(name.parentPath, name.name), 'latin1'), name.name).not.toContain(canary);
  });
});
