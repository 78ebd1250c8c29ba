import type pg from 'pg';
import type { Caution, Fingerprint } from '#engine-api/fingerprint.ts';

const durability = [
  'fsync',
  'synchronous_commit',
  'synchronous_standby_names',
  'wal_sync_method',
  'full_page_writes',
  'wal_level',
  'wal_compression',
  'commit_delay',
  'data_checksums',
];
const memory = [
  'shared_buffers',
  'work_mem',
  'maintenance_work_mem',
  'effective_cache_size',
  'wal_buffers',
  'huge_pages',
  'temp_buffers',
];
const other = [
  'max_wal_size',
  'checkpoint_timeout',
  'checkpoint_completion_target',
  'max_connections',
  'autovacuum',
  'jit',
  'io_method',
  'server_encoding',
  'default_transaction_isolation',
  'password_encryption',
];

/** Settings of the session, that is, after the target's own session settings. */
export async function fingerprint(client: pg.Client): Promise<Fingerprint> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    'SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name',
    [[...durability, ...memory, ...other, 'server_version', 'block_size']],
  );
  // A setting that this version lacks is null.
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (values.get(name) ? [[name, values.get(name)!]] : [])));
  const version = (values.get('server_version') ?? '').split(' ')[0]!;
  const { facts, cacheBytes, unavailable } = await sessionFacts(client);
  return {
    product: `PostgreSQL ${version}`,
    version,
    emulator: null,
    durability: pick(durability),
    memory: pick(memory),
    other: { ...pick(other), ...facts },
    ...(cacheBytes !== null && { cacheBytes }),
    ...(values.get('block_size') && { pageBytes: Number(values.get('block_size')) }),
    ...(values.get('server_encoding') === 'SQL_ASCII' && { cautions: [bytesForText] }),
    unavailable,
  };
}

const bytesForText: Caution = {
  title: 'The database stores bytes, not characters',
  text: 'Its encoding is SQL_ASCII: the server checks and converts no text, counts and sorts bytes where other databases have characters, and programs of several encodings write what the others cannot read.',
};

async function sessionFacts(client: pg.Client) {
  const { rows } = await client.query<
    Record<'tls' | 'build' | 'collation' | 'checkpoint' | 'monitor' | 'cache', string | null>
  >(`
    SELECT (SELECT coalesce(version || ' ' || cipher, 'off') FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS tls,
           version() AS build,
           (SELECT datcollate FROM pg_database WHERE datname = current_database()) AS collation,
           (SELECT coalesce(bool_or(pg_has_role(current_user, oid, 'USAGE')), false)::text FROM pg_roles
             WHERE rolname = 'pg_checkpoint' OR (rolsuper AND rolname = current_user)) AS checkpoint,
           pg_has_role(current_user, 'pg_monitor', 'USAGE')::text AS monitor,
           pg_size_bytes(current_setting('shared_buffers'))::text AS cache`);
  const row = rows[0];
  const unavailable: string[] = [];
  if (row?.checkpoint !== 'true') {
    unavailable.push('CHECKPOINT before the clock: needs membership in pg_checkpoint (15+) or a superuser.');
  }
  if (row?.monitor !== 'true') {
    unavailable.push('Wait events of other users’ sessions: needs membership in pg_monitor.');
  }
  const facts = { tls: row?.tls ?? 'off', collation: row?.collation ?? '', build: row?.build ?? '' };
  return { facts, cacheBytes: row?.cache ? Number(row.cache) : null, unavailable };
}
