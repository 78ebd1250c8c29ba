import type ChildProcess from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BrowserWindow } from 'electron';
import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { scriptLanguages } from '#engine-api/reproducer.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { ConnectionDraft } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import type { Requests } from '#protocol/ipc.ts';
import { argumentSchemas, type Channel } from '#protocol/ipc-arguments.ts';
import { standardChoices } from '#protocol/report-choices.ts';
import { reportFormats } from '#protocol/report-formats.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { channels } from '../channels.ts';
import { createServices } from './services.ts';
import { canaryVariable, type Stranger, stranger, theirs } from './stranger.fixture.ts';

vi.setConfig({ testTimeout: 180_000 });

const seen = vi.hoisted(() => ({ started: [] as string[], file: null as string | null }));

vi.mock('electron', () => ({
  dialog: {
    showMessageBox: async () => ({ response: 0 }),
    showOpenDialog: async () => ({ canceled: seen.file === null, filePaths: seen.file === null ? [] : [seen.file] }),
    showSaveDialog: async () => ({ canceled: true }),
  },
  safeStorage: { isEncryptionAvailable: () => false, getSelectedStorageBackend: () => 'basic_text' },
  shell: { openPath: async () => '' },
  Notification: class {},
  session: {
    fromPartition: () => ({
      setPermissionRequestHandler: () => {},
      setPermissionCheckHandler: () => {},
      webRequest: { onBeforeRequest: () => {} },
    }),
  },
  BrowserWindow: class {
    readonly webContents = {
      print: (_: unknown, done: (isPrinted: boolean, reason: string) => void) => done(true, ''),
    };
    async loadFile(): Promise<void> {}
    once(): void {}
    isDestroyed(): boolean {
      return false;
    }
    destroy(): void {}
  },
  powerSaveBlocker: { start: () => 0, stop: () => {} },
}));

vi.mock('node:child_process', async (load) => {
  const real = await load<typeof ChildProcess>();
  const noting = (name: 'fork' | 'spawn' | 'execFile' | 'execFileSync' | 'spawnSync') =>
    ((...given: unknown[]) => {
      seen.started.push(`${name} ${String(given[0])}`);
      return (real[name] as (...all: unknown[]) => unknown)(...given);
    }) as never;
  const noted = {
    ...real,
    ...{ fork: noting('fork'), spawn: noting('spawn'), spawnSync: noting('spawnSync') },
    ...{ execFile: noting('execFile'), execFileSync: noting('execFileSync') },
  };
  return { ...noted, default: noted };
});

const answers = { passwords: {}, confirmed: ['127.0.0.1'], changed: ['theirs', 'mine'] };

/** `asks`: the answer lists what the experiment would do. `refused`: an error. `answers`: anything else. */
type End = 'asks' | 'refused' | 'answers';
interface Way<C extends Channel> {
  readonly argument: (files: Stranger) => Requests[C]['argument'];
  readonly end: End;
  /** The file that the user chooses in a dialog. */
  readonly chooses?: (files: Stranger) => string;
}
const way = <C extends Channel>(end: End, argument: Way<C>['argument'], chooses?: Way<C>['chooses']): Way<C> => ({
  ...{ end, argument },
  ...(chooses && { chooses }),
});

/** The request contains nothing of a stranger: neither a text, nor a target, nor a file. */
const none = [] as const;

/** A connection as the page may send it: it runs a program for its password. */
const withProgram = (port: number): ConnectionDraft => ({
  ...{ id: null, name: 'x', engine: 'postgres', values: { host: '127.0.0.1', port, user: 'u', database: 'd' } },
  passwords: { password: { place: { command: [process.execPath, '-e', '1'] }, typed: null } },
});

/** Every request of the page, with the ways in which it can make Dyno use a stranger's text, target or file. */
const ways: { readonly [C in Channel]: readonly Way<C>[] } = {
  'app:info': none,
  'app:openHome': none,
  'app:unsaved': none,
  'experiments:list': none,
  'experiments:gallery': none,
  'experiments:read': none,
  'experiments:save': [way('answers', ({ planned }) => ({ id: null, text: planned.yaml }))],
  'experiments:delete': none,
  'experiments:restore': none,
  'experiments:import': [
    way(
      'answers',
      () => null,
      ({ planned }) => planned.file,
    ),
  ],
  'experiments:export': [way('answers', ({ planned }) => ({ text: planned.yaml, name: 'x' }))],
  'experiments:trust': [way('answers', () => ({ trustId: 'another' }))],
  'experiments:check': [
    way('answers', ({ planned }) => ({ text: planned.yaml })),
    way('answers', ({ unplanned }) => ({ text: unplanned.yaml })),
  ],
  'experiments:tableOfFile': [
    way(
      'refused',
      () => null,
      ({ planned }) => planned.file,
    ),
  ],
  'experiments:preview': [way('answers', ({ planned }) => ({ text: planned.yaml, table: 'table' }))],
  'statements:draft': [way('answers', () => ({ script: 'SELECT 1', engine: null, rows: 1 }))],
  'statements:try': [
    way('asks', ({ planned }) => ({ text: planned.yaml, target: null, item: null, ...answers })),
    way('asks', ({ planned }) => ({
      text: planned.yaml,
      target: theirs,
      item: { kind: 'statement', name: 's' },
      ...answers,
    })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, target: theirs, item: null, ...answers })),
    way('refused', ({ byUrl }) => ({ text: byUrl.yaml, target: null, item: null, ...answers })),
  ],
  'statements:tables': [
    way('asks', ({ planned }) => ({ text: planned.yaml, target: theirs, passwords: {} })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, target: theirs, passwords: {} })),
  ],
  'statements:kept': [
    way('asks', ({ planned }) => ({ text: planned.yaml, target: theirs, passwords: {} })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, target: theirs, passwords: {} })),
  ],
  'statements:import': [
    way('asks', ({ planned }) => ({ text: planned.yaml, target: theirs, passwords: {} })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, target: theirs, passwords: {} })),
  ],
  'statements:importTables': [
    way('asks', ({ planned }) => ({ text: planned.yaml, target: theirs, passwords: {} })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, target: theirs, passwords: {} })),
  ],
  'statements:cancel': none,
  'files:opened': [way('answers', () => null)],
  'files:choose': [
    way(
      'answers',
      () => null,
      ({ planned }) => planned.file,
    ),
    way(
      'answers',
      () => null,
      ({ run }) => run.file,
    ),
  ],
  'files:recent': none,
  'files:reopen': [way('answers', () => ({ id: 'another' }))],
  'drafts:keep': [
    way('answers', ({ planned: { yaml } }) => ({
      drafts: [{ key: 1, id: null, origin: 'mine', lineEnd: '\n', savedText: yaml, text: yaml }],
    })),
  ],
  'drafts:list': none,
  'drafts:connections': none,
  'history:of': none,
  'history:alike': none,
  'runs:list': none,
  'runs:experiment': [way('answers', ({ run }) => ({ runId: run.id }))],
  'runs:start': [
    way('asks', ({ planned }) => ({ text: planned.yaml, ...answers })),
    way('asks', ({ planned }) => ({ text: `# mine\n${planned.yaml.replace('rows: 1000', 'rows: 10')}`, ...answers })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, ...answers })),
    way('refused', ({ byUrl }) => ({ text: byUrl.yaml, ...answers })),
  ],
  'runs:resume': [way('asks', ({ run }) => ({ runId: run.id, ...answers }))],
  'runs:advise': [
    way('asks', ({ planned }) => ({ text: planned.yaml, target: theirs, budgetSeconds: 60, ...answers })),
    way('refused', ({ unplanned }) => ({ text: unplanned.yaml, target: null, budgetSeconds: 60, ...answers })),
    way('refused', ({ byUrl }) => ({ text: byUrl.yaml, target: null, budgetSeconds: 60, ...answers })),
  ],
  'runs:cancelAdvice': none,
  'runs:pause': none,
  'runs:endAll': none,
  'runs:cancel': none,
  'runs:watch': [way('answers', ({ run }) => ({ runId: run.id }))],
  'runs:taken': none,
  'runs:unwatch': none,
  'runs:annotate': [way('answers', ({ run }) => ({ runId: run.id, change: { note: 'x' } }))],
  'runs:delete': none,
  'runs:restore': none,
  'runs:import': [
    way(
      'refused',
      () => null,
      ({ run }) => run.file,
    ),
  ],
  'runs:exportReport': reportFormats.map((format) =>
    way('answers', ({ run }) => ({ runId: run.id, format, ...standardChoices })),
  ),
  'runs:printReport': [way('answers', ({ run }) => ({ runId: run.id, ...standardChoices }))],
  'runs:openReport': none,
  'runs:exportJournal': [way('answers', ({ run }) => ({ runId: run.id }))],
  'runs:scripts': [
    way('answers', ({ run }) => ({ runId: run.id, target: theirs, variant: 'default' })),
    way('refused', ({ run }) => ({ runId: run.id, target: 'another', variant: 'default' })),
  ],
  'runs:saveScript': scriptLanguages.map((language) =>
    way('refused', ({ run }) => ({ runId: run.id, target: theirs, variant: 'default', language })),
  ),
  'connections:list': none,
  'connections:readUrl': [
    way('answers', ({ port }) => ({ url: `postgres://u:\${env:${canaryVariable}}@127.0.0.1:${port}/d`, engine: null })),
  ],
  'connections:findImports': [
    way(
      'answers',
      () => ({ where: 'file' }),
      ({ env }) => env,
    ),
  ],
  'connections:import': [
    way('refused', () => ({ importId: 'another', picked: [{ file: 0, entry: 0 }], keepPasswords: true })),
  ],
  'connections:forgetImports': none,
  'connections:judge': [way('answers', ({ port }) => ({ draft: withProgram(port) }))],
  'connections:save': [way('refused', ({ port }) => ({ draft: withProgram(port) }))],
  'connections:remember': none,
  'connections:duplicate': none,
  'connections:delete': none,
  'connections:restore': none,
  'connections:test': [
    way('refused', ({ port }) => ({ testId: 't', tested: { draft: withProgram(port) }, passwords: {} })),
    way('refused', () => ({ testId: 't', tested: { id: theirs }, passwords: {} })),
    way('refused', () => ({ testId: 't', tested: { builtIn: theirs }, passwords: {} })),
  ],
  'connections:clean': [way('refused', () => ({ id: theirs, drops: true, dropsUnsure: true, ...answers }))],
  'connections:cancelTest': none,
  'hosts:list': none,
  'hosts:key': none,
  'hosts:save': none,
  'hosts:delete': none,
  'hosts:restore': none,
  // The page has a button that tests a load host typed by the user.
  'hosts:test': none,
  'hosts:cancelTest': none,
  'servers:missing': none,
  'servers:install': [way('refused', () => ({ tool: theirs }))],
  'servers:cancelInstall': none,
  'files:save': none,
};

const driven = channels.flatMap((channel) =>
  (ways[channel] as readonly Way<Channel>[]).map((one, i) => [channel, i + 1, one] as const),
);

test('every request that begins something is driven', () => {
  expect(Object.keys(ways).toSorted()).toEqual(channels.toSorted());
  for (const channel of [
    'runs:start',
    'runs:resume',
    'runs:advise',
    'statements:try',
    'statements:tables',
    'statements:kept',
    'statements:import',
    'statements:importTables',
    'connections:test',
  ] as const)
    expect(ways[channel].length, channel).toBeGreaterThan(0);
});

test.each(driven)(
  '%s, way %i: nothing of a stranger is connected to or started',
  async (channel, _, { argument, end, chooses }) => {
    await using files = await stranger();
    const { home } = files;
    vi.stubEnv(canaryVariable, 'c4nary');
    // The user has opened the files, and has answered no question.
    const trust = openTrust(home, openLibrary(home));
    for (const { yaml } of [files.planned, files.unplanned, files.byUrl]) trust.noteForeign(readYaml(yaml));
    copyFileSync(files.run.file, join(home.runs, basename(files.run.file)));
    const window = { isDestroyed: () => true } as BrowserWindow;
    const services = createServices(home, window, () => {});
    try {
      Object.assign(seen, { started: [], file: chooses?.(files) ?? null });
      const asked = v.parse(
        argumentSchemas[channel] as v.GenericSchema<unknown, Requests[Channel]['argument']>,
        argument(files),
      );
      const handle = services.handlers[channel] as (one: typeof asked) => unknown;
      const answer = await (async () => handle(asked))().catch((thrown: unknown) => toErrorData(thrown));
      expect(endOf(answer), JSON.stringify(answer)).toBe(end);
      expect(JSON.stringify(answer) ?? '').not.toContain('c4nary');
    } finally {
      services.forgetPage();
      await services.close();
    }
    expect(files.connections).toBe(0);
    expect(
      seen.started.filter((one) => /worker|tunnel|ssh|emulator|supervisor/.test(one) || one.includes('-e')),
    ).toEqual([]);
  },
);

const endOf = (answer: unknown): End =>
  typeof answer === 'object' && answer !== null
    ? 'foreign' in answer
      ? 'asks'
      : 'kind' in answer && 'retryable' in answer
        ? 'refused'
        : 'answers'
    : 'answers';
