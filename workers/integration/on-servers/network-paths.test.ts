import { describe, expect, test, vi } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import { catalog } from '#engines/catalog.ts';
import { expectedChecksum, keyBatch, makeRows, table as rowsTable, toBatch } from '#engines/conformance/rows.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { serverOf, startServer } from '#engines/conformance/start-server.ts';
import type { TestServer } from '#engines/conformance/test-server.ts';
import { loadEngine } from '#engines/load.ts';
import type { CheckReport, Connection, FieldValues } from '#model/connections.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { type EmulatedTarget, emulateNetwork } from '#network-emulator/emulated-target.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { startProxy, type TestProxy } from '#tunnels/socks-proxy.fixture.ts';
import { describeWithSshd, startSshd, type TestSshd } from '#tunnels/sshd.fixture.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { testHome } from '../home.fixture.ts';

/** Every engine's own driver connects to its real server, which is started once, through each kind of network path. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const signal = new AbortController().signal;
const tag = `dyno-network-${process.pid}`;
const roundTripMs = 20;
const clients = { results: [], error: null };
const engines = catalog.filter(({ descriptor }) => !descriptor.inProcess && !isSkipped(descriptor.id));

describe.each(smokeOf(engines))('$descriptor.label', ({ descriptor, config }) => {
  const options = optionsFor(descriptor, defaultSettings);
  let server: TestServer;
  let engine: Engine;
  /** The database over a direct connection from the host. */
  let control: Database;

  startServer(serverOf(descriptor.id), async (started, opened) => {
    server = started;
    engine = await loadEngine(descriptor.id);
    control = opened.use(await engine.open(config.parse(server.raw), tag, signal));
  });

  describe('through a network emulator', () => {
    async function withTable(
      use: (table: TablePlan, database: Database, emulator: EmulatedTarget) => Promise<void>,
    ): Promise<void> {
      const table = { ...rowsTable(`dyno_r${process.pid}`), options };
      await using emulated = await emulateNetwork(
        config,
        config.parse(server.raw),
        { ...defaultSettings, networkRoundTripMs: roundTripMs },
        1,
      );
      await control.prepareSchema(table);
      try {
        await using database = await engine.open(emulated.config, tag, signal);
        await use(table, database, emulated);
      } finally {
        await control.drop(table);
      }
    }
    const settings = (operation: TableOperation): Settings => ({
      ...defaultSettings,
      operation,
      method: (['prepared', 'bind', 'literal'] as const).find((one) => descriptor.support[operation]?.[one])!,
    });
    const plan = (table: TablePlan, operation: TableOperation) => ({
      table,
      operation,
      method: settings(operation).method,
      settings: settings(operation),
    });

    test('a call takes the round trip at least, rows arrive whole, and the emulator has seen it', async () => {
      await withTable(async (table, database, emulator) => {
        await using session = await database.openSession(options);
        const insert = await session.prepare(plan(table, 'insert'));
        const read = await session.prepare(plan(table, 'readByKey'));
        emulator.begin();
        const rows = makeRows(0, 16);
        for (const row of rows) {
          const start = performance.now();
          expect(await insert.run(insert.encode(toBatch([row])))).toBe(1);
          expect(performance.now() - start).toBeGreaterThan(roundTripMs);
        }
        const start = performance.now();
        expect(await read.run(read.encode(keyBatch(rows.slice(0, 1))))).toBe(1);
        expect(performance.now() - start).toBeGreaterThan(roundTripMs);
        expect(await control.checksum(table)).toEqual(expectedChecksum(rows, descriptor.emptyIsNull));
        const { network, error } = await emulator.end(clients);
        expect(error).toBeNull();
        expect(network!.sentBytes).toBeGreaterThan(16 * 20);
      });
    });

    test('a network emulator that is killed fails the call, and is what the trial names', async () => {
      await withTable(async (table, database, emulator) => {
        const session = await database.openSession(options);
        const insert = await session.prepare(plan(table, 'insert'));
        const running = Promise.resolve(insert.run(insert.encode(toBatch(makeRows(0, 1))))).then(
          () => null,
          (thrown: unknown) => engine.toError(thrown),
        );
        process.kill(emulator.emulatorPid, 'SIGKILL');
        expect((await running)?.kind).toBe('serverGone');
        expect((await emulator.end(clients)).error).toMatchObject({
          kind: 'workerGone',
          message: expect.stringMatching(/^The network emulator for .* was killed by SIGKILL/),
        });
        await session[Symbol.asyncDispose]();
      });
    });
  });

  if (!config.through) return;
  describeWithSshd('through a tunnel', () => {
    let sshd: TestSshd;
    let proxy: TestProxy;
    beforeTests(async (opened) => {
      sshd = opened.use(await startSshd());
      proxy = opened.use(await startProxy());
      vi.stubEnv('PATH', sshd.path);
      opened.defer(() => void vi.unstubAllEnvs());
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
      return await checkTarget({
        home: test.home,
        ...{ target: usersConnection(connection), passwords: { a1: passwords } },
        variables: {},
        signal,
        onChange: () => {},
      });
    }
    const statesOf = ({ steps }: CheckReport) => Object.fromEntries(steps.map(({ step, state }) => [step, state]));

    test('a check has the same result as without one', async () => {
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
