import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Connection, ConnectionDraft } from '#model/connections.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { connectionHandlers } from '../connections/connection-handlers.ts';
import { createConnectionTests } from '../connections/connection-tests.ts';
import { importHandlers } from '../connections/import-handlers.ts';
import { createCommandConsent } from './command-consent.ts';
import { createPasswordStore } from './password-store.ts';
import { createRememberedPasswords } from './remembered-passwords.ts';
import { createUnlock } from './unlock.ts';
import { createUseConsent } from './use-consent.ts';

const shown = vi.hoisted(() => ({ details: [] as string[], response: 1 }));
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: async (_: unknown, { detail }: { readonly detail: string }) => {
      shown.details.push(detail);
      return { response: shown.response };
    },
  },
  safeStorage: { isEncryptionAvailable: () => false },
  shell: {},
}));
const checked = vi.hoisted(() => ({ count: 0 }));
vi.mock('#orchestrator/check/check-connection.ts', () => ({
  checkTarget: async () => {
    checked.count++;
    return { steps: [] };
  },
}));

beforeEach(() => {
  shown.details = [];
  shown.response = 1;
  checked.count = 0;
});

const window = {} as BrowserWindow;
function newHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-uses-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const home = homeOf({ DYNO_HOME: folder });
  ensureHome(home);
  return home;
}
const experimentOn = (target: string) => `dyno: 1
name: Written
question: May it?
dataset: { rows: 10, columns: { id: { type: uuid4 } } }
workload: { operation: insert, method: bind }
targets: [${target}]
`;
const oracle: Omit<Connection, 'id'> = {
  name: 'ora',
  engine: 'oracle',
  values: { host: 'db.example', serviceName: 's', user: 'u', mode: 'thick', libDir: '/tmp/lib' },
  passwords: {},
};
const identities: readonly Omit<Connection, 'id'>[] = [
  {
    name: 'entra',
    engine: 'sqlserver',
    values: { host: 'db.example', authentication: 'azure-active-directory-default' },
    passwords: {},
  },
  {
    name: 'oidc',
    engine: 'mongodb',
    values: { host: 'db.example', uriOptions: { authMechanismProperties: 'ENVIRONMENT:k8s' } },
    passwords: {},
  },
  { name: 'url', engine: 'mongodb', values: { url: 'mongodb://db.example/?authMechanism=MONGODB-AWS' }, passwords: {} },
  { name: 'ticket', engine: 'postgres', values: { host: 'db.example', kerberos: true }, passwords: {} },
  { name: 'socket', engine: 'postgres', values: { host: '/run/postgresql' }, passwords: {} },
];
const draftOf = (connection: Omit<Connection, 'id'>, id: string | null = null): ConnectionDraft => ({
  ...connection,
  id,
  passwords: {},
});

/** The handlers of a window; `shown.response` answers its native dialogs. */
function windowOf(home: Home) {
  const uses = createUseConsent(window, join(home.root, 'electron/agreed-uses.json'));
  const connections = openConnectionStore(home);
  const store = createPasswordStore(join(home.root, 'electron/passwords.json'));
  const remembered = createRememberedPasswords();
  const commands = createCommandConsent(window);
  const tests = createConnectionTests(
    home,
    connections,
    store,
    remembered,
    commands,
    uses,
    () => null,
    () => {},
  );
  const { 'connections:save': save } = connectionHandlers(
    home,
    connections,
    store,
    remembered,
    commands,
    uses,
    () => {},
  );
  const unlock = createUnlock(uses, connections, store, remembered, openGate(home), {
    questionOf: () => null as never,
  });
  let file = '';
  const imports = importHandlers(connections, store, uses, { choose: async () => file }, () => {});
  return {
    connections,
    save: (draft: ConnectionDraft) => save({ draft }),
    test: (draft: ConnectionDraft) =>
      tests.handlers['connections:test']({ testId: 't', tested: { draft }, passwords: {} }),
    run: async (yaml: string) => {
      let ran = false;
      await unlock(yaml, { passwords: {} }, async () => {
        ran = true;
      });
      return ran;
    },
    async importAll(content: string) {
      file = join(home.root, 'stranger.env');
      writeFileSync(file, content);
      const found = await imports['connections:findImports']({ where: 'file' });
      const picked = found!.files.flatMap(({ entries }, at) => entries.map((_, entry) => ({ file: at, entry })));
      return imports['connections:import']({ importId: found!.importId, picked, keepPasswords: false });
    },
  };
}

test.each([oracle, ...identities])(
  'the page cannot test or save $name without a yes in a dialog of the system',
  async (one) => {
    const home = newHome();
    const dyno = windowOf(home);
    shown.response = 0;
    await expect(dyno.test(draftOf(one))).rejects.toMatchObject({ data: { kind: 'cancelled' } });
    await expect(dyno.save(draftOf(one))).rejects.toMatchObject({ data: { kind: 'cancelled' } });
    expect(checked.count).toBe(0);
    expect(dyno.connections.list().connections).toEqual([]);
    expect(shown.details).toHaveLength(2);
    shown.response = 1;
    await dyno.test(draftOf(one));
    await dyno.save(draftOf(one));
    expect(checked.count).toBe(1);
    expect(dyno.connections.list().connections).toHaveLength(1);
    expect(shown.details).toHaveLength(3);
  },
);

test('the question names each field with its value and its effect, and the server', async () => {
  const home = newHome();
  await windowOf(home).save(draftOf(oracle));
  expect(shown.details[0]).toMatch(
    /mode thick loads Oracle’s client libraries.*\nlibDir \/tmp\/lib is a folder.*db\.example/s,
  );
});

test('what was agreed to is not asked again, by another window either, and for another value or server it is', async () => {
  const home = newHome();
  const saved = await windowOf(home).save(draftOf(oracle));
  const dyno = windowOf(home);
  await dyno.test(draftOf(oracle, saved.id));
  await dyno.save(draftOf({ ...oracle, name: 'renamed' }, saved.id));
  expect(shown.details).toHaveLength(1);
  await dyno.test(draftOf({ ...oracle, values: { ...oracle.values, libDir: '/tmp/other' } }, saved.id));
  await dyno.test(draftOf({ ...oracle, values: { ...oracle.values, host: 'evil.example' } }, saved.id));
  expect(shown.details).toHaveLength(3);
});

test('an experiment that the page writes loads no library and sends no token before that yes', async () => {
  const home = newHome();
  const dyno = windowOf(home);
  for (const target of [
    '{ name: far, engine: oracle, host: db.example, serviceName: s, user: u, mode: thick, libDir: /tmp/lib }',
    '{ name: far, engine: sqlserver, host: db.example, authentication: azure-active-directory-msi-vm }',
    '{ name: far, engine: mongodb, url: "mongodb://db.example/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s" }',
  ]) {
    const yaml = experimentOn(target);
    shown.response = 0;
    await expect(dyno.run(yaml)).rejects.toMatchObject({ data: { kind: 'cancelled' } });
    shown.response = 1;
    expect(await dyno.run(yaml)).toBe(true);
  }
  shown.details = [];
  expect(await dyno.run(experimentOn('{ name: far, engine: postgres, host: db.example, user: u }'))).toBe(true);
  expect(shown.details).toEqual([]);
});

test('an import takes no entry that the page ticks before that yes', async () => {
  const home = newHome();
  const dyno = windowOf(home);
  const content =
    'A="mongodb://127.0.0.1:27999/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s"\nB="postgres://u@db.example/d"\n';
  shown.response = 0;
  await expect(dyno.importAll(content)).rejects.toMatchObject({ data: { kind: 'cancelled' } });
  expect(dyno.connections.list().connections).toEqual([]);
  shown.response = 1;
  expect(await dyno.importAll(content)).toEqual({ names: ['A', 'B'] });
});

test('Dyno logs in to a bus that the page names by a file of credentials after that yes alone', async () => {
  const home = newHome();
  const uses = createUseConsent(window, join(home.root, 'electron/agreed-uses.json'));
  const host = {
    name: 'load',
    nats: 'nats://evil.example:4222',
    credentials: '/home/me/agents.nk',
    agent: 'A'.repeat(43),
  };
  shown.response = 0;
  await expect(uses.loadHost(host)).rejects.toMatchObject({ data: { kind: 'cancelled' } });
  expect(shown.details[0]).toMatch(/agents\.nk.*evil\.example/s);
  shown.response = 1;
  await uses.loadHost(host);
  await uses.loadHost(host);
  expect(shown.details).toHaveLength(2);
  const { credentials: _, ...open } = host;
  await uses.loadHost(open);
  await uses.loadHost({ name: 'ssh', ssh: { host: 'h' } });
  expect(shown.details).toHaveLength(2);
});
