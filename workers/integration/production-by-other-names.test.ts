import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { Connection } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { startProxy } from '#tunnels/socks-proxy.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { dyno } from './cli.fixture.ts';
import { type TestHome, testHome } from './home.fixture.ts';
import { newTrustedRun, tryTrusted } from './trusted.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const signal = new AbortController().signal;
// biome-ignore lint/suspicious/noTemplateCurlyInString: as files write it
const reference = '${env:PW}';

/** A local port that forwards to a server, like a pooler, a tunnel or the network emulator. */
async function startForwarder(port: number): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on('error', () => other.destroy()).pipe(other);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const yaml = (target: string, statement: string, workload = '') => `
dyno: 1
name: By another name
question: Is the server of a production connection protected under another name?
workload: { operation: statement, method: bind, connections: 1, load: open, arrivalsPerSecond: 5${workload} }
statements: { s: { text: "${statement}" } }
targets: [${target}]
measure: { until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0 }
`;

const kinds = [
  { target: 'embedded-postgres', engine: 'postgres', kind: postgres },
  { target: 'local-mariadb', engine: 'mysql', kind: mariadb },
] as const;

describe.each(smokeOf(kinds))('the server of a production connection to $target', ({ target, engine, kind }) => {
  describe.skipIf(isSkipped(target) || isSkipped(engine))('behind another name', () => {
    let server: TestServer;
    let forwarder: Awaited<ReturnType<typeof startForwarder>>;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    beforeTests(async (opened) => {
      server = opened.use(await startTestServer(kind));
      const port = Number(server.raw.port);
      forwarder = opened.use(await startForwarder(port));
      const login = { user: 'ann', password: 'proxy' };
      proxy = opened.use(await startProxy({ login, names: { 'db.internal': { host: '127.0.0.1', port } } }));
    });

    const hasPassword = () => Boolean(server.raw.password);
    const values = () => {
      const { password: _, ...rest } = server.raw as Record<string, string>;
      return rest;
    };
    /** A home with a production connection to this server. */
    const homeOf = (test: TestHome, production = {}) => {
      const password = String(server.raw.password ?? '');
      const places = password ? ({ password: 'ask' } as const) : {};
      const store = openConnectionStore(test.home);
      const live = store.save({
        ...{ id: null, name: 'live', engine, values: values(), passwords: places, production },
      });
      const save = (name: string, more: Partial<Connection>) =>
        store.save({ ...{ id: null, name, engine, values: values(), passwords: places }, ...more });
      const passwords = (...of: readonly Connection[]) =>
        Object.fromEntries(
          [live, ...of].map(({ id }) => [id, { ...(password && { password }), socksPassword: 'proxy' }]),
        );
      return { live, save, passwords, home: test.home };
    };
    /** Connects to the production connection by its own name, like a connection check. */
    const test = async ({ home, live, passwords }: ReturnType<typeof homeOf>) => {
      const report = await checkTarget({
        home,
        target: usersConnection(live),
        passwords: passwords(),
        signal,
        onChange: () => {},
      });
      expect(report.steps.find(({ step }) => step === 'login')).toMatchObject({ state: 'ok' });
    };
    /** A target in the form of a file. */
    const inline = (more: object) =>
      JSON.stringify({
        name: 'same',
        engine,
        ...values(),
        ...(hasPassword() && { password: reference }),
        ...more,
      });
    const variables = () => ({ PW: String(server.raw.password ?? '') });

    it('is known by its address before anything is sent, however that is written', async () => {
      await using own = testHome();
      const { home, passwords, save } = homeOf(own);
      const ways = [
        '127.0.0.1',
        'LOCALHOST',
        'localhost.',
        '127.0.1',
        '0x7f.1',
        '2130706433',
        '::1',
        '::ffff:127.0.0.1',
      ];
      for (const host of ways) {
        const deletes = yaml(inline({ host }), 'DELETE FROM orders');
        const refused = await newTrustedRun({ home, yaml: deletes, variables: variables() }).catch(toErrorData);
        const message = expect.stringContaining('This is the server of your production connection “live”.');
        expect(refused, host).toMatchObject({ kind: 'badInput', message });
        const reads = yaml(inline({ host }), 'SELECT 1');
        const unconfirmed = await newTrustedRun({ home, yaml: reads, variables: variables() }).catch(toErrorData);
        expect(unconfirmed, host).toMatchObject({ kind: 'notConfirmed', message: expect.stringContaining('“live”') });
        const tried = await tryTrusted({
          home,
          yaml: reads,
          variables: variables(),
          signal,
          onActivity: () => {},
        }).catch(toErrorData);
        expect(tried, host).toMatchObject({ kind: 'notConfirmed' });
      }
      const other = save('other', {});
      const more = yaml('other', 'SELECT 1', ', connections: 5').replace(', connections: 1,', ',');
      const tooMany = await newTrustedRun({ home, yaml: more, passwords: passwords(other) }).catch(toErrorData);
      expect(tooMany).toMatchObject({ message: expect.stringContaining('5 connections are more than the 4') });
    });

    it('is read-only there at the server, and may be measured once its host was typed', async () => {
      await using own = testHome();
      const { home, passwords, save } = homeOf(own);
      const other = save('other', {});
      const confirmed = [String(server.raw.host)];
      const run = await newTrustedRun({
        home,
        yaml: yaml('other', 'SELECT 1'),
        passwords: passwords(other),
        confirmed,
      });
      const seen = collect(run);
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(run.plan.targets).toMatchObject([{ name: 'other', production: true }]);
      const record = seen.records.find((one) => one.record === 'target');
      expect(record).toMatchObject({ target: { details: { production: 'read-only at the server' } } });
    });

    it('is known by itself after the login where its address tells nothing: nothing is made, written or measured', async () => {
      await using own = testHome();
      const context = homeOf(own);
      const { home, passwords, save } = context;
      await test(context);
      const hidden = { port: forwarder.port };
      const far = save('far', {
        values: { ...values(), host: 'db.internal', port: 9 } as never,
        socks: { host: '127.0.0.1', port: proxy.port, user: 'ann' },
        passwords: { ...(hasPassword() && { password: 'ask' as const }), socksPassword: 'ask' },
      });
      const forwarded = save('forwarded', { values: { ...values(), ...hidden } as never });
      const ways = { inline: inline(hidden), proxy: 'far', connection: 'forwarded' };
      for (const [way, one] of Object.entries(ways)) {
        const given = {
          home,
          variables: variables(),
          passwords: passwords(far, forwarded),
          confirmed: [String(server.raw.host)],
        };
        const run = await newTrustedRun({ ...given, yaml: yaml(one, 'DELETE FROM orders') });
        const seen = collect(run);
        expect(await run.start(), way).toMatchObject({
          ...{ failedTrials: 1, unreachableTargets: [] },
          unconfirmedTargets: [expect.any(String)],
        });
        expect(seen.results(), way).toMatchObject([
          { error: { kind: 'notConfirmed', message: expect.stringContaining('production connection “live”') } },
        ]);
        const tried = await tryTrusted({
          ...given,
          yaml: yaml(one, 'DELETE FROM orders'),
          signal,
          onActivity: () => {},
        });
        expect(tried, way).toMatchObject([{ error: { kind: 'notConfirmed' } }]);
      }
      // The command line ends in the same way as for the server's own address.
      const file = join(home.root, 'hidden.yaml');
      writeFileSync(file, yaml(ways.inline, 'DELETE FROM orders'));
      vi.stubEnv('PW', variables().PW);
      const ended = await dyno(home, 'run', file, '--quiet');
      vi.unstubAllEnvs();
      expect(ended, ended.err).toMatchObject({ code: exitCodes.notConfirmed });
      expect(ended.err).toContain('production connection “live”');
      expect(ended.err).not.toContain('can be reached');
      // A connection check creates no table there, and gives the reason.
      const report = await checkTarget({
        ...{ home, passwords: passwords(forwarded), signal, onChange: () => {} },
        target: usersConnection(forwarded),
      });
      const rights = report.steps.find(({ step }) => step === 'rights');
      expect(rights).toMatchObject({ state: 'skipped', detail: expect.stringContaining('“live”') });
      // Tables are listed, and dropped after the host is typed.
      const clean = {
        home,
        target: usersConnection(forwarded),
        passwords: passwords(forwarded),
        signal,
        onActivity: () => {},
      };
      expect(await cleanTarget({ ...clean, drops: false })).toMatchObject({ dropped: [] });
      await expect(cleanTarget({ ...clean, drops: true })).rejects.toMatchObject({ data: { kind: 'notConfirmed' } });
      const typed = { ...clean, confirmed: [String(server.raw.host)] };
      expect(await cleanTarget({ ...typed, drops: true })).toMatchObject({ dropped: [] });
      // The owner decides: the same connection with its own mark may do what the mark allows.
      save('marked', { values: { ...values(), ...hidden } as never, production: { allowWrites: true } });
      expect(openConnectionStore(home).list().connections).toHaveLength(4);
    });

    it('is known by itself for a connection that is marked later', async () => {
      await using own = testHome();
      const context = homeOf(own);
      const { home, live, passwords, save } = context;
      const { production: _, ...unmarked } = live;
      openConnectionStore(home).save(unmarked);
      await test(context);
      const forwarded = save('forwarded', { values: { ...values(), port: forwarder.port } as never });
      const check = async () => {
        const report = await checkTarget({
          ...{ home, passwords: passwords(forwarded), signal, onChange: () => {} },
          target: usersConnection(forwarded),
        });
        return report.steps.find(({ step }) => step === 'rights')?.state;
      };
      expect(await check()).toBe('ok');
      openConnectionStore(home).save({ ...live });
      expect(await check()).toBe('skipped');
    });
  });
});
