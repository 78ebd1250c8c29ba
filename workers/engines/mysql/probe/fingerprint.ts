import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { flushTable } from '../schema/settle.ts';
import { literal } from '../values/values.ts';

const durability = [
  'innodb_flush_log_at_trx_commit',
  'sync_binlog',
  'log_bin',
  'innodb_doublewrite',
  'innodb_flush_method',
  'innodb_checksum_algorithm',
  'binlog_format',
  'binlog_row_image',
  'gtid_mode',
  'wsrep_on',
  'rpl_semi_sync_master_enabled',
  'rpl_semi_sync_source_enabled',
];
const memory = [
  'innodb_buffer_pool_size',
  'innodb_log_buffer_size',
  'innodb_redo_log_capacity',
  'innodb_log_file_size',
  'innodb_log_files_in_group',
  'innodb_adaptive_hash_index',
  'large_pages',
  'binlog_cache_size',
];
const other = [
  'transaction_isolation',
  'tx_isolation',
  'innodb_snapshot_isolation',
  'character_set_server',
  'collation_server',
  'sql_mode',
  'innodb_page_size',
  'innodb_io_capacity',
  'innodb_flush_neighbors',
  'innodb_change_buffering',
  'innodb_file_per_table',
  'innodb_autoinc_lock_mode',
  'thread_handling',
  'max_connections',
  'max_allowed_packet',
  'max_prepared_stmt_count',
  'local_infile',
  'query_cache_type',
  'performance_schema',
];
const inBytes = /_(size|capacity|packet)$/;

/** Settings of the session, that is, after the target's own session settings. */
export async function fingerprint(connection: MysqlConnection, database: string): Promise<Fingerprint> {
  const names = [...durability, ...memory, ...other, 'version', 'version_comment'];
  const { rows } = await connection.query(
    `SHOW SESSION VARIABLES WHERE Variable_name IN (${names.map(literal).join(', ')})`,
  );
  // A setting that this version does not have is absent.
  const values = new Map((rows ?? []).map(([name, value]) => [String(name), String(value)]));
  const pick = (wanted: readonly string[]) =>
    Object.fromEntries(
      wanted.flatMap((name) => {
        const value = values.get(name);
        return value ? [[name, formatVariable(name, value)]] : [];
      }),
    );
  const full = values.get('version') ?? '';
  const version = /^[\d.]+/.exec(full.replace(/^5\.5\.5-/, ''))?.[0] ?? full;
  return {
    product: `${connection.mariadb === null ? 'MySQL' : 'MariaDB'} ${version}`,
    version,
    emulator: null,
    durability: pick(durability),
    memory: pick(memory),
    ...(values.has('innodb_buffer_pool_size') && { cacheBytes: Number(values.get('innodb_buffer_pool_size')) }),
    ...(values.has('innodb_page_size') && { pageBytes: Number(values.get('innodb_page_size')) }),
    other: { ...pick(other), tls: await cipher(connection), build: `${full} (${values.get('version_comment') ?? ''})` },
    unavailable: await unavailable(connection, database),
  };
}

/** The value of a variable as text; a size in bytes has its unit: "128 MiB". */
export const formatVariable = (name: string, value: string): string => (inBytes.test(name) ? bytesText(value) : value);

function bytesText(value: string): string {
  const bytes = Number(value);
  if (!(bytes >= 1_024)) return value;
  const power = bytes >= 1_024 ** 3 && bytes % 1_024 ** 3 === 0 ? 3 : bytes >= 1_024 ** 2 ? 2 : 1;
  return `${Number((bytes / 1_024 ** power).toFixed(1))} ${['KiB', 'MiB', 'GiB'][power - 1]}`;
}

async function cipher(connection: MysqlConnection): Promise<string> {
  const { rows } = await connection.query("SHOW SESSION STATUS WHERE Variable_name IN ('Ssl_version', 'Ssl_cipher')");
  const words = (rows ?? []).map(([, value]) => String(value)).filter(Boolean);
  return words.length > 0 ? words.reverse().join(' ') : 'off';
}

/** A name that no table has: the server checks privileges before it looks for the table. */
const nowhere = 'dyno_no_such_table';
const noSuchTable = new Set(['1146', '1049', '1932']);

async function unavailable(connection: MysqlConnection, database: string): Promise<readonly string[]> {
  const missing: string[] = [];
  const mayFlush = await flushTable(connection, database, nowhere).catch((error: unknown) => {
    if (!noSuchTable.has(toError(error).code ?? '')) throw error;
    return true;
  });
  if (!mayFlush)
    missing.push(
      'Writing a loaded table out before the clock (FLUSH TABLES … FOR EXPORT): needs RELOAD (MySQL 8: or FLUSH_TABLES), and LOCK TABLES on Dyno’s database.',
    );
  return missing;
}
