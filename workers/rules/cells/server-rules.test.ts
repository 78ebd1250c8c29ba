import { describe, expect, test } from 'vitest';
import {
  noServerParametersText,
  requireServerParameters,
  serverParameterProblem,
} from '#engine-api/support/server-parameters.ts';
import { catalog, findEngine } from '#engines/catalog.ts';
import { experimentYaml } from '#integration/home.fixture.ts';
import { canShareTable } from '#planning/can-share-table.ts';
import { noDurations } from '#planning/durations.ts';
import { estimateStart } from '#planning/estimate-seconds.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { instancesOf, instanceTexts } from '#planning/server-instances.ts';
import { parseFile } from '../parsed-file.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const engine = (id: string) => findEngine(id)!.descriptor;
const problem = (id: string, name: string, value = '1') => serverParameterProblem(engine(id), name, value);

const refused: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    ...['archive_command', 'restore_command', 'archive_library', 'ssl_passphrase_command', 'archive_cleanup_command'],
    ...['shared_preload_libraries', 'local_preload_libraries', 'session_preload_libraries', 'dynamic_library_path'],
    ...['jit_provider', 'data_directory', 'config_file', 'hba_file', 'ident_file', 'external_pid_file'],
    ...['listen_addresses', 'port', 'unix_socket_directories', 'log_directory', 'log_filename', 'log_destination'],
    ...['search_path', 'session_replication_role', 'allow_system_table_mods', 'zero_damaged_pages', 'ssl'],
    ...['primary_conninfo', 'krb_server_keyfile', 'stats_temp_directory', 'Work_Mem', 'work_mem=1 -c port', '', 'a.b'],
  ],
  mysql: [
    ...[
      'init_file',
      'init-file',
      'plugin_load',
      'plugin_load_add',
      'plugin_dir',
      'secure_file_priv',
      'datadir',
      'port',
    ],
    ...['general_log_file', 'slow_query_log_file', 'log_error', 'log_bin', 'socket', 'pid_file', 'tmpdir', 'basedir'],
    ...['bind_address', 'skip_grant_tables', 'sql_mode', 'local_infile', 'symbolic_links', 'innodb_data_home_dir'],
    ...['innodb_log_group_home_dir', 'character_sets_dir', 'ssl_key', 'init_connect', 'INNODB_BUFFER_POOL_SIZE'],
  ],
  mongodb: [
    ...['dbpath', 'logpath', 'bind_ip', 'port', 'keyFile', 'config', 'pidfilepath', 'enableLocalhostAuthBypass'],
    ...['authenticationMechanisms', 'wiredTigerEngineRuntimeConfig', 'noscripting', 'saslauthdPath', 'processUmask'],
  ],
};

describe.each(Object.keys(refused))('servers of %s', (id) => {
  test.each(refused[id]!)('do not start with %s, with a reason', (name) => {
    expect(problem(id, name)).toMatch(/^[A-Z].{15,}[.?]$/);
  });

  test('start with no parameter that names a file, a program, a library, an address or a login', () => {
    const dangerous =
      /file(?!_size)|dir(?!ty)|path|command|librar|preload|plugin|program|provider|address|port$|socket|auth|ssl|user/;
    for (const name of engine(id).serverParameters!.names) expect(name.toLowerCase()).not.toMatch(dangerous);
  });

  test.each(['/etc/passwd', 'a b', '1;2', '$(id)', "x'", '1\n2', '--port=1', '../x', 'a,b', 'a=b'])(
    'do not take the value %j',
    (value) => {
      expect(problem(id, engine(id).serverParameters!.names[0]!, value)).toContain('neither a number');
    },
  );
});

test.each([
  ['postgres', 'shared_buffers', '1GB'],
  ['postgres', 'work_mem', '64 MB'],
  ['postgres', 'fsync', 'false'],
  ['postgres', 'random_page_cost', '1.1'],
  ['postgres', 'checkpoint_timeout', '15min'],
  ['postgres', 'wal_sync_method', 'open_datasync'],
  ['mysql', 'innodb_buffer_pool_size', '1G'],
  ['mysql', 'innodb_flush_method', 'O_DIRECT'],
  ['mysql', 'innodb_flush_log_at_trx_commit', '2'],
  ['mongodb', 'wiredTigerCacheSizeGB', '0.5'],
  ['mongodb', 'internalQueryFrameworkControl', 'forceClassicEngine'],
])('%s may start with %s = %s', (id, name, value) => {
  expect(problem(id, name, value)).toBeNull();
});

const dynos = (id: string) => ({ builtIn: engine(id).builtIn[0]!, isConnection: false, isProduction: false });
const users = { builtIn: null, isConnection: true, isProduction: false };

test('an engine has parameters or the reason why not, and a worker checks those of Dyno’s servers again', () => {
  for (const descriptor of descriptors) {
    const { serverParameters, unsupportedReasons } = descriptor;
    expect(serverParameters ?? unsupportedReasons.serverParameters, descriptor.id).toBeDefined();
    for (const name of Object.keys(serverParameters?.memory ?? {})) expect(serverParameters!.names).toContain(name);
    if (serverParameters?.atStart !== undefined)
      expect(noServerParametersText(descriptor, dynos(descriptor.id), serverParameters.names)).toBeNull();
    for (const name of serverParameters?.running?.names ?? []) expect(serverParameters!.names).toContain(name);
  }
  const postgres = engine('postgres');
  expect(() => requireServerParameters(postgres, { ...users, isConnection: false }, { work_mem: '1MB' })).toThrow(
    /saved/,
  );
  expect(() => requireServerParameters(postgres, dynos('postgres'), { archive_command: 'rm' })).toThrow(/is not set/);
  expect(() => requireServerParameters(engine('sqlite'), dynos('sqlite'), {})).toThrow(/session/);
});

test('parameters of a user’s server change on saved connections only, never on production, and never what harms others', () => {
  for (const descriptor of descriptors) {
    const { running } = descriptor.serverParameters ?? {};
    const [name = 'work_mem'] = running?.names ?? [];
    for (const target of [
      { ...users, isConnection: false },
      { ...users, isProduction: true },
    ])
      expect(noServerParametersText(descriptor, target, [name]), descriptor.id).toMatch(/\.$/);
    if (!running) continue;
    expect(noServerParametersText(descriptor, users, running.names)).toBeNull();
    for (const refused of Object.keys(running.refused ?? {}))
      expect(noServerParametersText(descriptor, users, [name, refused])).toContain(refused);
  }
  for (const [id, names] of Object.entries({
    postgres: ['fsync', 'full_page_writes', 'shared_buffers', 'max_connections'],
    mysql: ['innodb_doublewrite', 'max_connections', 'performance_schema'],
  }))
    for (const name of names) expect(noServerParametersText(engine(id), users, [name])).toContain(name);
});

const planned = (factors: string, targets: string, more = '') =>
  planExperiment(parseFile(`${experimentYaml({ factors, targets })}${more}`), { catalog: descriptors });

test('variants with other parameters have servers of their own, which share no table, and read each other’s parameters', () => {
  const a = 'server: { postgres: { work_mem: 1MB, fsync: off } }';
  const b = 'server: { postgres: { fsync: off, work_mem: 1MB } }';
  const { plan } = planned(
    `{ operation: [scan], memory: { usual: {}, a: { ${a} }, b: { ${b} }, c: { server: { postgres: { shared_buffers: 1GB } } } } }`,
    '[embedded-postgres, sqlite, noop]',
  );
  const skipped = plan!.skipped.map(({ variant, target, reason }) => [variant.slice(-8), target, reason]);
  expect(skipped.filter(([, target]) => target === 'embedded-postgres')).toEqual([
    ['memory=b', 'embedded-postgres', expect.stringContaining('Same as')],
  ]);
  // Parameters of another engine change nothing there.
  expect(skipped.filter(([, target]) => target === 'sqlite')).toHaveLength(3);
  const instances = [...instancesOf(plan!, 'embedded-postgres')!.values()];
  expect(instances).toEqual([
    { parameters: {}, asked: { work_mem: null, fsync: null, shared_buffers: null } },
    { parameters: { work_mem: '1MB', fsync: 'off' }, asked: { work_mem: '1MB', fsync: 'off', shared_buffers: null } },
    { parameters: { shared_buffers: '1GB' }, asked: { work_mem: null, fsync: null, shared_buffers: '1GB' } },
  ]);
  expect(instancesOf(plan!, 'sqlite')).toBeNull();
  expect(instanceTexts(plan!)).toEqual([expect.stringMatching(/^embedded-postgres: 3 servers .*shared_buffers = 1GB/)]);
  const [usual, first, second] = plan!.variants;
  expect(canShareTable(plan!, usual!, first!, 'embedded-postgres')).toBe(false);
  expect(canShareTable(plan!, usual!, usual!, 'embedded-postgres')).toBe(true);
  expect(second!.id).toContain('memory=b');
  const without = planned('{ operation: [scan] }', '[embedded-postgres, sqlite, noop]').plan!;
  expect(estimateStart(plan!, noDurations) - estimateStart(without, noDurations)).toBeCloseTo(4.5);
});

test('cells on servers that Dyno does not manage, and on engines without parameters, are empty with the reason', () => {
  const { plan, diagnostics } = planned(
    '{ memory: { usual: {}, more: { server: { postgres: { work_mem: 1MB }, sqlite: { cache_size: 1 } } } } }',
    '[sqlite, { name: mine, engine: postgres, host: db.example.com }]',
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan!.skipped.map(({ target, reason }) => [target, reason])).toEqual([
    ['sqlite', expect.stringContaining('`session`')],
    ['mine', expect.stringContaining('saved connections')],
  ]);
});

test('a parameter that is never set, and an engine that does not exist, are mistakes at their places', () => {
  const { plan, diagnostics } = planned(
    '{ memory: { usual: {}, more: { server: { postgres: { archive_command: x, work_mem: 1MB } } } } }',
    '[embedded-postgres]',
    'server: { postgre: { work_mem: 1MB }, mysql: { innodb_bufer_pool_size: 1G } }\n',
  );
  expect(plan).toBeNull();
  expect(diagnostics.map(({ path, suggestion }) => [path, suggestion])).toEqual(
    expect.arrayContaining([
      ['server.postgre', expect.stringContaining('postgres')],
      ['server.mysql.innodb_bufer_pool_size', expect.stringContaining('innodb_buffer_pool_size')],
      ['factors.memory.more.server.postgres.archive_command', expect.stringContaining('name no file')],
    ]),
  );
});
