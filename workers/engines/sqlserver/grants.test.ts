import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { config } from './config.ts';

/**
 * What SQL Server 2022 and later wants for sessions of others, or for the view at all; manual, "Permissions" of each
 * view. Null: nothing of one's own table.
 */
const rightOf: Readonly<Record<string, string | null>> = {
  dm_os_performance_counters: 'VIEW SERVER PERFORMANCE STATE',
  dm_os_schedulers: 'VIEW SERVER PERFORMANCE STATE',
  dm_os_sys_info: 'VIEW SERVER PERFORMANCE STATE',
  dm_os_wait_stats: 'VIEW SERVER PERFORMANCE STATE',
  dm_os_waiting_tasks: 'VIEW SERVER PERFORMANCE STATE',
  dm_tran_active_transactions: 'VIEW SERVER PERFORMANCE STATE',
  dm_tran_session_transactions: 'VIEW SERVER PERFORMANCE STATE',
  dm_io_virtual_file_stats: 'VIEW SERVER PERFORMANCE STATE',
  dm_exec_query_stats: 'VIEW SERVER PERFORMANCE STATE', // with its functions for texts and plans
  dm_exec_requests: 'VIEW SERVER PERFORMANCE STATE',
  dm_exec_sessions: 'VIEW SERVER PERFORMANCE STATE',
  dm_exec_connections: 'VIEW SERVER SECURITY STATE',
  dm_db_index_operational_stats: null,
  dm_db_partition_stats: null, // where it is refused, sp_spaceused answers the table's owner
};

const folder = new URL('./', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /^[\w/-]+\.ts$/.test(name));
const code = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');

const script = config.grants(config.parse({ user: 'bench', database: 'sales' })) ?? '';
const granted = [...script.matchAll(/^GRANT (.+) TO /gm)].flatMap(([, rights]) => rights!.split(', '));
const offered = [...script.matchAll(/^-- GRANT (.+) TO /gm)].flatMap(([, rights]) => rights!.split(', '));

test('every view that is asked may be read with the rights that the script grants', () => {
  const views = new Set([...code.matchAll(/(?:FROM|JOIN) sys\.(dm_\w+)/g)].map(([, view]) => view!));
  expect([...views].sort()).toEqual(Object.keys(rightOf).sort());
  const needed = new Set(Object.values(rightOf).filter((right) => right !== null));
  expect(granted).toEqual(expect.arrayContaining([...needed]));
});

test('plans and tables need rights of their own, and what few experiments need is offered and not granted', () => {
  expect(code).toContain('SET SHOWPLAN_TEXT');
  expect(granted).toEqual(expect.arrayContaining(['SHOWPLAN', 'CREATE TABLE', 'CREATE TYPE']));
  expect(offered).toEqual(['VIEW SERVER STATE', 'ALTER SERVER STATE', 'ALTER ANY DATASPACE']);
  expect(script).toMatch(/-- Only for partitions.*\n-- GRANT ALTER ANY DATASPACE/);
});
