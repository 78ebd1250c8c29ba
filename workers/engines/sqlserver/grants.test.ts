import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { config } from './config.ts';

/**
 * The rights that SQL Server 2022 and later wants for sessions of others, or for the view at all; manual, "Permissions"
 * of each view. Null: none for one's own table.
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
  dm_db_index_physical_stats: null, // CONTROL on the table, which its owner has
  dm_db_partition_stats: null, // where it is refused, sp_spaceused answers the table's owner
};

const folder = new URL('./', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /^[\w/-]+\.ts$/.test(name));
const code = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');

const script = config.grants(config.parse({ user: 'bench', database: 'sales' })) ?? '';
const granted = [...script.matchAll(/^(?!--).*?\bGRANT (.+)$/gm)].flatMap(([, line]) =>
  line!.split('GRANT ').flatMap((one) => one.split(' TO ')[0]!.split(', ')),
);
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
  expect(offered).toEqual(['ALTER SERVER STATE', 'ALTER ANY DATASPACE']);
  expect(script).toMatch(/-- Only for partitions.*\n-- GRANT ALTER ANY DATASPACE/);
});

const batches = script.split(/^GO$/m).map((batch) => batch.replaceAll(/^--.*$/gm, '').trim());

test('a right that only new versions have is in no batch that older ones compile', () => {
  const outsideTexts = (batch: string) => batch.replaceAll(/N'(?:[^']|'')*'/g, "N''");
  for (const batch of batches) expect(outsideTexts(batch)).not.toMatch(/VIEW SERVER (PERFORMANCE|SECURITY) STATE/);
  const rights = batches.filter((batch) => batch.includes('VIEW SERVER'));
  expect(rights).toHaveLength(1);
  expect(rights[0]).toMatch(
    />= 16[\s\S]*PERFORMANCE STATE[\s\S]*SECURITY STATE[\s\S]*ELSE[\s\S]*GRANT VIEW SERVER STATE/,
  );
});

test('each statement is a batch, and what may be there already is made only where it is not', () => {
  const creating = batches.filter((batch) => /\bCREATE (LOGIN|USER|SCHEMA)\b/.test(batch));
  expect(creating).toHaveLength(3);
  for (const batch of creating) expect(batch).toMatch(/^IF (SUSER_ID|USER_ID|SCHEMA_ID)\(N'\w+'\) IS NULL\b/);
  for (const batch of batches.filter((one) => !/^(IF|USE)\b/.test(one)))
    expect(batch.split(/;\s*/).filter(Boolean), batch).toHaveLength(batch === '' ? 0 : 1);
});

test('a schema that is there is taken only if it is marked as Dyno’s', () => {
  const schema = batches.find((batch) => batch.includes('CREATE SCHEMA'))!;
  expect(schema).toMatch(/ELSE IF NOT EXISTS \(SELECT 1 FROM sys\.extended_properties[\s\S]*RAISERROR/);
});
