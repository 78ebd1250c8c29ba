import type ChildProcess from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { expect, test, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { canaryVariable, type Stranger, stranger, theirs } from '#integration/stranger.fixture.ts';
import { DynoError } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { commands } from './commands.ts';

vi.setConfig({ testTimeout: 180_000 });

const started = vi.hoisted(() => [] as string[]);
vi.mock('node:child_process', async (load) => {
  const real = await load<typeof ChildProcess>();
  const noting = (name: 'fork' | 'spawn' | 'execFile' | 'execFileSync' | 'spawnSync') =>
    ((...given: unknown[]) => {
      started.push(`${name} ${String(given[0])}`);
      return (real[name] as (...all: unknown[]) => unknown)(...given);
    }) as never;
  const noted = {
    ...real,
    ...{ fork: noting('fork'), spawn: noting('spawn'), spawnSync: noting('spawnSync') },
    ...{ execFile: noting('execFile'), execFileSync: noting('execFileSync') },
  };
  return { ...noted, default: noted };
});

/** The outcome of a command. `asks`: it is refused, with a list of what it would do. `refused`: for another reason. */
type End = 'asks' | 'refused' | 'reads';
type Way = readonly [args: (files: Stranger) => readonly string[], end: End];

const asking = (...options: readonly string[]): readonly Way[] => [
  [({ planned }) => [planned.file, ...options], 'asks'],
  [({ unplanned }) => [unplanned.file, ...options], 'refused'],
  [({ byUrl }) => [byUrl.file, ...options], 'refused'],
];
const inFile = (...options: readonly string[]): readonly Way[] => [
  [({ planned }) => [theirs, '--in', planned.file, ...options], 'asks'],
  [({ unplanned }) => [theirs, '--in', unplanned.file, ...options], 'asks'],
  [
    ({ byUrl, port }) => [`postgres://u:\${env:${canaryVariable}}@127.0.0.1:${port}/d`, '--in', byUrl.file, ...options],
    'refused',
  ],
];
const reading: readonly Way[] = [
  [({ planned }) => [planned.file], 'reads'],
  [({ unplanned }) => [unplanned.file], 'reads'],
];

/** Live series of a run go nowhere before the run is trusted. */
const followed = ({ port }: Stranger) => ['--otlp', `http://127.0.0.1:${port}`, '--prometheus', String(port)];

/**
 * Every command, with the ways in which it accepts a file or a target of a stranger. None: it accepts neither, or only
 * a target that the user has saved or types (`test`, `import`, and `clean` without --in).
 */
const ways: Readonly<Record<string, readonly Way[]>> = {
  run: [
    ...asking(),
    ...asking('--change-server', theirs),
    [({ planned }) => [planned.file, '--set', 'dataset.rows=5', '--confirm', '127.0.0.1'], 'asks'],
    [(files) => [files.planned.file, ...followed(files)], 'asks'],
  ],
  starter: [],
  resume: [
    [({ run }) => [run.file], 'asks'],
    [({ run }) => [run.file, '--confirm', '127.0.0.1', '--change-server', theirs], 'asks'],
    [(files) => [files.run.file, ...followed(files)], 'asks'],
  ],
  stop: [],
  check: [
    [({ planned }) => [planned.file], 'reads'],
    [({ unplanned }) => [unplanned.file], 'refused'],
  ],
  try: [...asking(), [({ planned }) => [planned.file, '--target', theirs, '--statement', 's'], 'asks']],
  advise: [
    ...asking(),
    ...asking('--budget', '10s', '--target', theirs),
    [(files) => [files.planned.file, ...followed(files)], 'asks'],
  ],
  'explain-gap': [
    ...asking(),
    ...asking('--to', 'x', '--target', theirs, '--list'),
    [(files) => [files.planned.file, ...followed(files)], 'asks'],
  ],
  rehearse: [
    [({ planned }) => [planned.file, '--on', 'sqlite', '--yes'], 'refused'],
    [({ planned }) => ['embedded-postgres', '--on', planned.file, '--yes'], 'refused'],
    [({ planned }) => ['embedded-postgres', '--on', 'sqlite', '--reference', planned.file, '--yes'], 'refused'],
  ],
  draft: [[({ planned }) => [planned.file], 'reads']],
  import: [
    [({ planned }) => ['statements', planned.file], 'refused'],
    [({ planned }) => ['statements', planned.file, planned.file, '--on', theirs], 'refused'],
    [({ planned }) => ['tables', planned.file], 'refused'],
    [({ planned }) => ['tables', theirs, planned.file], 'refused'],
    [({ planned }) => ['tables', 'sqlite', '--check', '--on', planned.file], 'refused'],
  ],
  table: [[({ planned }) => ['--format', 'csv', planned.file], 'refused']],
  preview: reading,
  script: [
    [({ planned }) => [planned.file, '--list'], 'reads'],
    [({ unplanned }) => [unplanned.file], 'refused'],
    [({ run }) => ['--list', '--run', run.file], 'reads'],
  ],
  report: [[({ run }) => [run.file], 'reads']],
  compare: [[({ run }) => [run.file, run.file], 'reads']],
  history: [...reading, [({ run }) => [run.file], 'reads']],
  annotate: [[({ run }) => [run.file, '--title', theirs, '--baseline'], 'refused']],
  list: [],
  gallery: [],
  targets: [],
  connections: [[({ env }) => ['import', env], 'reads']],
  test: inFile(),
  grants: [[({ planned }) => [theirs, '--in', planned.file], 'reads']],
  clean: [...inFile(), ...inFile('--yes')],
  calibrate: [],
  doctor: [],
  servers: [],
  hosts: [],
  agent: [],
  mcp: [],
  schema: [],
};

/** Runs a command and returns its outcome and output. */
async function end(home: Home, name: string, args: readonly string[]): Promise<readonly [End, string]> {
  const command = commands.find((one) => one.name === name)!;
  const { values, positionals } = parseArgs({ args: [...args], options: command.options, allowPositionals: true });
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  try {
    const code = await command.run({ home, values, positionals, print: say, printJson: () => {}, note: say });
    return [code === exitCodes.badExperiment ? 'refused' : 'reads', said.join('\n')];
  } catch (thrown) {
    if (!(thrown instanceof DynoError)) throw thrown;
    const { kind, message } = thrown.data;
    expect(kind, message).toBe('badInput');
    return [message.includes('came from elsewhere') ? 'asks' : 'refused', message];
  }
}

test('every command has an entry here', () => {
  expect(Object.keys(ways)).toEqual(commands.map(({ name }) => name));
});

const driven = Object.entries(ways).flatMap(([name, all]) => all.map((way, i) => [name, i + 1, ...way] as const));

/** Calls a command, and expects no connection and no started process. */
async function refuses(home: Home, files: Stranger, name: string, args: readonly string[], how: End): Promise<void> {
  vi.stubEnv(canaryVariable, 'c4nary');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${files.port}`);
  started.length = 0;
  const [ended, said] = await end(home, name, args);
  expect(ended, said).toBe(how);
  expect(said).not.toContain('c4nary');
  expect(files.connections).toBe(0);
  expect(started).toEqual([]);
}

test.each(driven)(
  '%s, way %i: a file that nobody has trusted connects nowhere and starts nothing',
  async (name, _, args, how) => {
    await using own = testHome();
    await using files = await stranger();
    await refuses(own.home, files, name, args(files), how);
  },
);

test.each(driven.filter(([, , , how]) => how === 'asks'))(
  '%s, way %i: nor does a link to it in the library, or a copy there of what was opened',
  async (name, _, args) => {
    await using own = testHome();
    const { home } = own;
    await using files = await stranger();
    for (const { yaml } of [files.planned, files.unplanned])
      openTrust(home, openLibrary(home)).noteForeign(readYaml(yaml));
    const inHome = (one: { readonly yaml: string; readonly file: string }, how: 'link' | 'copy') => {
      const file = join(home.experiments, `${how}-${basename(one.file)}`);
      if (how === 'link') symlinkSync(one.file, file);
      else writeFileSync(file, one.yaml);
      return { ...one, file: how === 'link' ? file : basename(file, '.dyno.yaml') };
    };
    for (const how of ['link', 'copy'] as const) {
      const moved = { planned: inHome(files.planned, how), unplanned: inHome(files.unplanned, how) };
      await refuses(home, files, name, args({ ...files, ...moved }), 'asks');
    }
  },
);

/** A parameter, its value and fields of a connection, for each engine whose parameters change on the user's server. */
const changing = {
  postgres: ['work_mem', '8MB', {}],
  mysql: ['sort_buffer_size', '1M', {}],
  sqlserver: ['max degree of parallelism', '2', {}],
  oracle: ['optimizer_index_cost_adj', '50', { serviceName: 'd' }],
  mongodb: ['internalQueryMaxBlockingSortMemoryUsageBytes', '33554432', {}],
} as const;

test('every engine whose parameters change on the user’s server is tried', () => {
  const engines = catalog.filter(({ descriptor }) => descriptor.serverParameters?.running !== undefined);
  expect(engines.map(({ descriptor }) => descriptor.id).toSorted()).toEqual(Object.keys(changing).toSorted());
});

test.each(Object.entries(changing))(
  'trust in a file does not let it change parameters of the user’s server of %s, nor does the name of another one',
  async (engine, [name, value, fields]) => {
    await using own = testHome();
    await using files = await stranger();
    const values = { host: '127.0.0.1', port: files.port, user: 'u', ...fields };
    openConnectionStore(own.home).save({ id: null, name: 'mine', engine, values, passwords: {} });
    const file = join(own.home.root, 'changing.dyno.yaml');
    const factors = JSON.stringify({ memory: { more: { server: { [engine]: { [name]: value } } }, usual: {} } });
    writeFileSync(
      file,
      experimentYaml({ targets: '[mine]', factors, workload: '{ operation: insert, method: bind }' }),
    );
    started.length = 0;
    for (const options of [[], ['--change-server', 'Mine'], ['--confirm', 'mine'], ['--confirm', '127.0.0.1']]) {
      const command = commands.find((one) => one.name === 'run')!;
      const given = { args: [file, '--trust', ...options], options: command.options, allowPositionals: true } as const;
      const { values: chosen, positionals } = parseArgs(given);
      const quiet = { print: () => {}, printJson: () => {}, note: () => {} };
      const refused = command.run({ home: own.home, values: chosen, positionals, ...quiet });
      await expect(refused).rejects.toMatchObject({
        data: { kind: 'notConfirmed', hint: expect.stringContaining('--change-server mine') },
      });
    }
    expect(files.connections).toBe(0);
    expect(started).toEqual([]);
  },
);

test('with the user’s answer the same file is connected to, by a process of its own', async () => {
  await using own = testHome();
  await using files = await stranger();
  vi.stubEnv(canaryVariable, 'c4nary');
  started.length = 0;
  await end(own.home, 'test', [theirs, '--in', files.planned.file, '--trust']);
  expect(files.connections).toBeGreaterThan(0);
  expect(started.join()).toContain('worker');
});
