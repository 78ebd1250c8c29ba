import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { placeOf } from '#managed-servers/places.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { supervisorStatus } from '#managed-servers/supervisor-client.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { isAlive } from '#platform/is-alive.ts';
import { dyno, start, until } from './cli.fixture.ts';
import { testHome } from './home.fixture.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });
afterEach(() => vi.unstubAllEnvs());

describe('dyno servers', () => {
  it('lists missing prerequisites of a machine with a remedy, and does not count them as failures', async () => {
    await using test = testHome();
    // The variable takes precedence over any installed server.
    vi.stubEnv('DYNO_MONGOD', join(test.home.root, 'no-mongod'));
    const status = await dyno(test.home, 'servers', 'status');
    expect(status.code).toBe(exitCodes.ok);
    expect(status.out).toMatch(/local-mongodb +missing/);
    expect(status.out).toContain('To fix: ');
    expect(await dyno(test.home, 'servers')).toEqual(status);
    const [mongodb] = JSON.parse((await dyno(test.home, 'servers', 'status', '--json', 'mongodb')).out) as [
      { state: string; missing: { fix: string } },
    ];
    expect(mongodb).toMatchObject({ state: 'missing', missing: { fix: expect.stringContaining('path of a mongod') } });
    const started = await dyno(test.home, 'servers', 'start', 'mongodb');
    expect(started.code).toBe(exitCodes.targetUnreachable);
    expect(started.err).toContain('cannot be started on this machine');
  });

  it('knows no other servers and actions than it lists', async () => {
    await using test = testHome();
    const server = await dyno(test.home, 'servers', 'status', 'access');
    expect(server).toMatchObject({ code: exitCodes.badExperiment, err: expect.stringContaining('local-mariadb') });
    expect(await dyno(test.home, 'servers', 'mend')).toMatchObject({ code: exitCodes.usage });
  });

  const onPostgres = it.skipIf(isSkipped('embedded-postgres'));
  onPostgres('keeps a server running, says how to reach it without its password, and ends with it', async () => {
    await using test = testHome();
    const { child, ended } = start(test.home, 'servers', 'start', '--json', 'embedded-postgres');
    const passwordFile = join(placeOf(test.home, postgres.id).folder, 'password.sh');
    await until(() => existsSync(passwordFile));
    const password = /='(.*)'/.exec(readFileSync(passwordFile, 'utf8'))?.[1] ?? expect.unreachable('no password');
    const pid = (await supervisorStatus(test.home, postgres))?.serverPid ?? 0;
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect(code).toBe(exitCodes.ok);
    expect(JSON.parse(out)).toMatchObject([{ kind: postgres.id, target: { host: '127.0.0.1' }, passwordFile }]);
    expect(out + err).not.toContain(password);
    await until(() => !isAlive(pid) && !existsSync(passwordFile));
  });

  onPostgres('ends by itself when its servers were stopped', async () => {
    await using test = testHome();
    const { ended } = start(test.home, 'servers', 'start', '--show-passwords', 'postgres');
    await until(async () => (await supervisorStatus(test.home, postgres))?.state === 'ready');
    expect((await dyno(test.home, 'servers', 'stop')).out).toContain('embedded-postgres: stopped');
    const { code, out, err } = await ended;
    expect(code).toBe(exitCodes.ok);
    expect(err).toContain('embedded-postgres has stopped.');
    expect(out).toMatch(/password {2}\S{20,}/);
  });
});
