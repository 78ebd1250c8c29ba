import { describe, expect, test } from 'vitest';
import { requireSessionSettings, sessionSettingProblem } from '#engine-api/support/session-settings.ts';
import { catalog, findEngine } from '#engines/catalog.ts';
import { experimentYaml } from '#integration/home.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '../parsed-file.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const problem = (engine: string, name: string, value = '1') =>
  sessionSettingProblem(findEngine(engine)!.descriptor, name, value);

const refused: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    ...['role', 'ROLE', 'session_authorization', 'search_path', 'session_replication_role', 'default_tablespace'],
    ...['temp_tablespaces', 'transaction_isolation', 'default_transaction_isolation', 'DateStyle', 'TimeZone'],
    ...['default_transaction_read_only', 'transaction_read_only', 'application_name', 'client_encoding'],
    ...['local_preload_libraries', 'allow_system_table_mods', 'zero_damaged_pages', 'row_security'],
    ...['work_mem; DROP TABLE t', "work_mem' = '1", 'a b', '1a', '', 'a.b.c'],
  ],
  mysql: [
    ...['sql_log_bin', 'SQL_LOG_BIN', 'GLOBAL max_connections', 'PERSIST max_connections', '@@persist.x', 'sql_mode'],
    ...['foreign_key_checks', 'unique_checks', 'transaction_isolation', 'tx_isolation', 'autocommit', 'time_zone'],
    ...['character_set_client', 'insert_id', 'timestamp', 'default_storage_engine', 'gtid_next', 'server_id', 'a`b'],
  ],
  sqlserver: [
    ...['TRANSACTION ISOLATION LEVEL', 'NOCOUNT', 'ROWCOUNT', 'NOEXEC', 'SHOWPLAN_XML', 'STATISTICS IO', 'LANGUAGE'],
    ...['IMPLICIT_TRANSACTIONS', 'QUOTED_IDENTIFIER', 'IDENTITY_INSERT t', 'x; DROP TABLE t'],
  ],
  oracle: [
    ...['current_schema', 'NLS_DATE_FORMAT', 'nls_sort', 'container', 'isolation_level', 'commit_wait', '_hidden'],
    ...['events', 'sql_trace', 'time_zone', 'a = 1 b'],
  ],
  sqlite: [
    ...['writable_schema', 'journal_mode', 'synchronous', 'foreign_keys', 'query_only', 'no_such_pragma'],
    ...['case_sensitive_like', 'main.cache_size', 'cache_size = 1; DROP TABLE t'],
  ],
};
const taken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  postgres: {
    ...{ plan_cache_mode: 'force_generic_plan', work_mem: "64'MB", jit: 'off', synchronous_commit: 'off' },
    ...{ enable_seqscan: 'off', random_page_cost: '1.1', 'auto_explain.log_nested_statements': 'on' },
  },
  mysql: { sort_buffer_size: '1048576', optimizer_switch: 'mrr=off,mrr_cost_based=off', join_buffer_size: '1' },
  sqlserver: { ARITHABORT: 'true', LOCK_TIMEOUT: '-1', DEADLOCK_PRIORITY: 'LOW', FORCEPLAN: 'ON', XACT_ABORT: 'ON' },
  oracle: { optimizer_mode: 'FIRST_ROWS_10', cursor_sharing: 'FORCE', global_names: 'TRUE' },
  sqlite: { cache_size: '-65536', mmap_size: '0', temp_store: 'memory', threads: '4' },
};

describe.each(Object.keys(refused))('sessions of %s', (engine) => {
  test.each(refused[engine]!)('do not set %s, with a reason', (name) => {
    expect(problem(engine, name)).toMatch(/^[A-Z"].{15,}\.$/);
  });
  test.each(Object.entries(taken[engine]!))('may set %s to %s', (name, value) => {
    expect(problem(engine, name, value)).toBeNull();
  });
});

test('a value that an engine would not take as one literal is refused', () => {
  expect(problem('sqlserver', 'LOCK_TIMEOUT', '1; DROP TABLE t')).toContain('not a value');
  expect(problem('oracle', 'optimizer_mode', "x' y")).toContain('not a value');
  expect(problem('sqlite', 'cache_size', '1; DROP TABLE t')).toContain('not a value');
});

test('each engine sets something in sessions or has the reason why not, and a worker checks it again', () => {
  for (const descriptor of descriptors) {
    expect(descriptor.sessionSettings ?? descriptor.unsupportedReasons.sessionSettings, descriptor.id).toBeDefined();
    expect(requireSessionSettings(descriptor, {})).toEqual({});
    if (!descriptor.sessionSettings)
      expect(() => requireSessionSettings(descriptor, { a: '1' })).toThrow(
        expect.objectContaining({ data: expect.objectContaining({ kind: 'unsupported' }) }),
      );
  }
  expect(() => requireSessionSettings(findEngine('postgres')!.descriptor, { role: 'postgres' })).toThrow(
    expect.objectContaining({
      data: expect.objectContaining({ kind: 'badInput' }),
      message: expect.stringContaining('role'),
    }),
  );
});

const planned = (factors: string, more: object) => {
  const extra = Object.entries(more).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const file = parseFile(`${experimentYaml({ factors, targets: '[sqlite, noop]' })}${extra.join('')}`);
  return planExperiment(file, { catalog: descriptors });
};

test('a variant that an engine cannot have is named with the reason, and one that changes nothing there is left out', () => {
  const factors =
    '{ plans: { as is: {}, cached: { session: { sqlite: { cache_size: -1000 } } }, none: { session: { noop: { a: 1 } } } } }';
  const { plan, diagnostics } = planned(factors, {});
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const skipped = plan!.skipped.map(({ variant, target, reason }) => [variant, target, reason]);
  expect(skipped).toEqual([
    ['plans=none', 'sqlite', expect.stringContaining('Same as “Plans: as is”')],
    ['plans=cached', 'noop', expect.stringContaining('Same as “Plans: as is”')],
    ['plans=none', 'noop', 'It has no server and no sessions.'],
  ]);
});

test('a setting that is never made, and an engine that there is not, are mistakes at their places', () => {
  const factors = '{ plans: { as is: {}, other: { session: { postgres: { search_path: x, jit: off } } } } }';
  const { plan, diagnostics } = planned(factors, {
    session: { postgre: { jit: 'off' }, sqlite: { synchronous: 'off' } },
  });
  expect(plan).toBeNull();
  expect(diagnostics.map(({ path, suggestion }) => [path, suggestion])).toEqual(
    expect.arrayContaining([
      ['session.postgre', expect.stringContaining('postgres')],
      ['session.sqlite.synchronous', expect.stringContaining('synchronous')],
      ['factors.plans.other.session.postgres.search_path', expect.stringContaining('sessionSettings')],
    ]),
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(3);
});
