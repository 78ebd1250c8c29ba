import { describe, expect, test, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { serverOf, startServer } from '#engines/conformance/start-server.ts';
import type { TestServer } from '#engines/conformance/test-server.ts';
import { testHome } from '#integration/home.fixture.ts';
import type { CheckReport, Connection, FieldValues } from '#model/connections.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { startProxy, type TestProxy } from './socks-proxy.fixture.ts';
import { describeWithSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

/** The check of a connection to every engine's real server, through an SSH server and through a SOCKS proxy. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const engines = catalog.filter(({ config, descriptor }) => config.through && !isSkipped(descriptor.id));

describeWithSshd('through a tunnel', () => {
  let sshd: TestSshd;
  let proxy: TestProxy;
  beforeTests(async (opened) => {
    sshd = opened.use(await startSshd());
    proxy = opened.use(await startProxy());
    vi.stubEnv('PATH', sshd.path);
    opened.defer(() => void vi.unstubAllEnvs());
  });

  describe.each(engines)('$descriptor.label', ({ descriptor }) => {
    let server: TestServer;
    startServer(serverOf(descriptor.id), async (started) => {
      server = started;
    });

    async function check(tunnelled: Pick<Connection, 'ssh' | 'socks'>): Promise<CheckReport> {
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
        ...tunnelled,
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

    test('a check finds what it finds without one', async () => {
      const direct = await check({});
      const through = await check({ ssh: sshd.ssh });
      expect(through.steps.map(({ error }) => error).filter(Boolean)).toEqual([]);
      expect(statesOf(through)).toEqual({ ...statesOf(direct), tunnel: 'ok', name: 'skipped' });
      expect(through.address).toBe(`${direct.address} through SSH ${sshd.ssh.user}@127.0.0.1:${sshd.ssh.port}`);
      expect(through.product).toBe(direct.product);

      const { port } = proxy;
      const behind = await check({ socks: { host: '127.0.0.1', port } });
      expect(behind.steps.map(({ error }) => error).filter(Boolean)).toEqual([]);
      expect(statesOf(behind)).toEqual({ ...statesOf(direct), socks: 'ok', name: 'skipped' });
      expect(behind.address).toBe(`${direct.address} through SOCKS 127.0.0.1:${port}`);
      expect(behind.product).toBe(direct.product);
    });

    test('a tunnel that cannot be opened is named, and nothing is tried after it', async () => {
      const report = await check({ ssh: { ...sshd.ssh, user: 'nobody' } });
      expect(statesOf(report)).toMatchObject({ settings: 'ok', tunnel: 'failed', port: 'notTried', login: 'notTried' });
      expect(report.steps.find(({ step }) => step === 'tunnel')?.error).toMatchObject({ kind: 'authentication' });
    });
  });
});
