import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { nkeys } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { findProgram } from '#managed-servers/install/tools.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { checkLoadHost } from '#orchestrator/check/check-load-host.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { projectRoot } from '#platform/paths.ts';
import { whole } from '#platform/whole.fixture.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { noBus, startAgent, startBus } from './agents.fixture.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import { storedKeys } from './bus/stored-keys.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const openssl = findProgram(['openssl']);
const skipped = noBus ?? (openssl === null ? 'openssl is not installed' : null);

describe.skipIf(skipped !== null)(
  skipped ?? 'an agent on a bus with TLS and NKeys, configured as for Kubernetes',
  () => {
    const stack = new AsyncDisposableStack();
    let home: TestHome;
    let url: string;
    let host: Extract<SavedLoadHost, { readonly nats: string }>;
    let file: (name: string) => string;

    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'dyno-direct-'));
      stack.defer(() => rmSync(folder, { recursive: true }));
      file = (name) => join(folder, name);
      const run = (...args: readonly string[]) => execFileSync(openssl!, [...args], { cwd: folder, stdio: 'pipe' });
      const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
      run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=Test authority');
      const own = ['-keyout', 'tls.key', '-out', 'tls.crt', '-subj', '/CN=localhost'];
      run(
        'req',
        '-x509',
        ...key,
        ...own,
        '-CA',
        'ca.crt',
        '-CAkey',
        'ca.key',
        '-addext',
        'subjectAltName=DNS:localhost',
      );
      const publicKeys = Object.fromEntries(
        ['coordinator', 'agents', 'stranger'].map((name) => {
          const user = nkeys.createUser();
          writeFileSync(file(`${name}.nk`), `${Buffer.from(user.getSeed()).toString()}\n`, { mode: 0o600 });
          return [name, user.getPublicKey()];
        }),
      );
      const bus = await startBus((data, port) => {
        const written = readFileSync(join(projectRoot, 'electron/package/deploy/kubernetes/nats.conf'), 'utf8')
          .replace('port: 4222', `host: "127.0.0.1"\nport: ${port}`)
          .replace('"/data"', JSON.stringify(data))
          .replaceAll('/etc/nats/tls', folder)
          .replace('$COORDINATOR_NKEY', publicKeys.coordinator!)
          .replace('$AGENTS_NKEY', publicKeys.agents!);
        writeFileSync(file('nats.conf'), written);
        return ['-c', file('nats.conf')];
      });
      stack.use(bus);
      home = stack.use(testHome());
      url = `tls://localhost:${bus.port}`;
      const trust = (await storedKeys(home.home, 'coordinator')).publicKey;
      const agent = stack.use(await startAgent(url, trust, ['--creds', file('agents.nk'), '--ca', file('ca.crt')]));
      host = {
        ...{ name: 'load1', nats: url, agent: agent.publicKey },
        ...{ credentials: file('coordinator.nk'), ca: file('ca.crt') },
      };
      saveLoadHost(home.home, host);
    });
    afterAll(() => stack.disposeAsync());

    const check = (tested: SavedLoadHost) =>
      checkLoadHost({ home: home.home, host: tested, signal: new AbortController().signal, onChange: () => {} });

    test('is tested step by step, and drives load', async () => {
      const report = await check(host);
      expect(report.steps.map(({ step, state, error }) => [step, state, error?.message])).toEqual(
        ['bus', 'agent', 'clock', 'calibration'].map((step) => [step, 'ok', undefined]),
      );
      expect(report).toMatchObject({ state: 'ok', machine: { node: process.version } });
      expect(report.callsPerSecond).toBeGreaterThan(0);

      const run = await newTrustedRun({
        home: home.home,
        yaml: experimentYaml({
          workload: '{ operation: readByKey, connections: 2, loadFrom: load1 }',
          measure: '{ until: { seconds: 1.5 }, warmupSeconds: 0.1, repeats: 1 }',
        }),
      });
      const { records, results } = collect(run);
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(results()[0]?.loadHosts).toMatchObject([{ name: 'load1', connections: 2 }]);
      // The state of the load host is written once a second meanwhile.
      const samples = records.flatMap((one) => (one.record === 'loadHosts' ? one.hosts : []));
      expect(samples.length).toBeGreaterThanOrEqual(2);
      expect(samples).toEqual(
        samples.map(() =>
          expect.objectContaining({ name: 'load1', firstWorker: 0, workers: 1, cores: expect.any(Number) }),
        ),
      );
    });

    test('the step that fails says what to do', async () => {
      const failure = async (more: Partial<typeof host>) => {
        const report = await check({ ...host, ...more });
        const failed = report.steps.find(({ state }) => state === 'failed');
        return [failed?.step, failed?.error?.kind, failed?.error?.hint ?? failed?.error?.message];
      };
      const { ca: _, ...withoutCa } = host;
      const untrusted = (await check(withoutCa)).steps[0]?.error;
      expect(untrusted).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('--ca') });
      expect(await failure({ credentials: file('stranger.nk') })).toEqual([
        'bus',
        'authentication',
        'Check its credentials.',
      ]);
      expect(await failure({ credentials: file('nothing.nk') })).toEqual([
        ...['bus', 'badInput', expect.stringContaining('cannot be read')],
      ]);
      expect(await failure({ credentials: file('ca.crt') })).toEqual([
        'bus',
        'badInput',
        expect.stringContaining('nsc'),
      ]);
      expect(await failure({ agent: (await newKeyPair()).publicKey })).toEqual([
        'agent',
        'unreachable',
        expect.stringContaining('--trust'),
      ]);
      await using plain = await startBus();
      const { credentials: __, ...withoutFiles } = withoutCa;
      const unencrypted = (await check({ ...withoutFiles, nats: `tls://127.0.0.1:${plain.port}` })).steps[0]?.error;
      expect(unencrypted).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('speaks no TLS') });
    });

    test.runIf(whole)('the login of agents makes no streams, and listens to no coordinator', async () => {
      const bus = await connectBus({ url, credentials: file('agents.nk'), ca: file('ca.crt') }, 'agent');
      try {
        const { streams } = await jetstreamManager(bus, { timeout: 1_000 });
        await expect(streams.add({ name: 'MINE', subjects: ['mine'] })).rejects.toThrow(/permission/i);
        const heard = bus.subscribe('dyno.session.*.agent');
        await expect(heard.closed).resolves.toBeInstanceOf(Error);
      } finally {
        await bus.close();
      }
    });
  },
);
