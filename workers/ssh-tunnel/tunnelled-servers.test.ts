import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import type { StartTestServer, TestServer } from '#engines/conformance/test-server.ts';
import { testHome } from '#integration/home.fixture.ts';
import type { CheckReport, Connection, FieldValues } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { describeWithSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

/** The check of a connection to every engine's real server, through an SSH server. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const engines = catalog.filter(({ config, descriptor }) => config.through && !isSkipped(descriptor.id));

describeWithSshd('through an SSH tunnel', () => {
  let sshd: TestSshd;
  beforeAll(async () => {
    sshd = await startSshd();
    vi.stubEnv('PATH', sshd.path);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await sshd?.[Symbol.asyncDispose]();
  });

  describe.each(engines)('$descriptor.label', ({ descriptor }) => {
    const folder = mkdtempSync(join(tmpdir(), 'dyno-tunnelled-'));
    let server: TestServer;
    let missing: string | null = null;
    beforeAll(async () => {
      const fixture = (await import(`../engines/${descriptor.id}/test-server.fixture.ts`)) as {
        readonly startTestServer: StartTestServer;
      };
      try {
        server = await fixture.startTestServer(folder);
      } catch (error) {
        if (!(error instanceof DynoError && error.data.kind === 'unsupported')) throw error;
        missing = [error.message, error.data.hint].filter(Boolean).join(' ');
      }
    });
    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });

    async function check(ssh: Connection['ssh']): Promise<CheckReport> {
      const isSecret = (name: string) => descriptor.config.some((one) => one.name === name && one.kind === 'password');
      const of = (secret: boolean) =>
        Object.fromEntries(Object.entries(server.raw).filter(([name]) => isSecret(name) === secret));
      const passwords = of(true) as Readonly<Record<string, string>>;
      const places = Object.fromEntries(Object.keys(passwords).map((name) => [name, 'ask' as const]));
      const connection: Connection = {
        id: 'a1',
        name: 'far',
        engine: descriptor.id,
        values: of(false) as FieldValues,
        passwords: places,
        ...(ssh && { ssh }),
      };
      await using test = testHome();
      const signal = new AbortController().signal;
      return await checkTarget({
        home: test.home,
        check: { connection, passwords: { a1: passwords } },
        variables: {},
        signal,
        onChange: () => {},
      });
    }
    const statesOf = ({ steps }: CheckReport) => Object.fromEntries(steps.map(({ step, state }) => [step, state]));

    test('a check finds what it finds without one', async ({ skip }) => {
      if (missing !== null) skip(missing);
      const direct = await check(undefined);
      const through = await check(sshd.ssh);
      expect(through.steps.map(({ error }) => error).filter(Boolean)).toEqual([]);
      expect(statesOf(through)).toEqual({ ...statesOf(direct), tunnel: 'ok', name: 'skipped' });
      expect(through.address).toBe(`${direct.address} through SSH ${sshd.ssh.user}@127.0.0.1:${sshd.ssh.port}`);
      expect(through.product).toBe(direct.product);
    });

    test('a tunnel that cannot be opened is named, and nothing is tried after it', async ({ skip }) => {
      if (missing !== null) skip(missing);
      const report = await check({ ...sshd.ssh, user: 'nobody' });
      expect(statesOf(report)).toMatchObject({ settings: 'ok', tunnel: 'failed', port: 'notTried', login: 'notTried' });
      expect(report.steps.find(({ step }) => step === 'tunnel')?.error).toMatchObject({ kind: 'authentication' });
    });
  });
});
