import type { ServerParameterRules } from '#engine-api/descriptor.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The parameters that only a start of the server sets, in one version or in all. */
const atStartOnly = words(`
  shared_buffers huge_pages huge_page_size io_method io_max_combine_limit io_max_concurrency wal_level max_wal_senders
  wal_log_hints wal_buffers max_worker_processes max_connections max_locks_per_transaction autovacuum_max_workers`);

const damages = 'A crash of the machine would then damage the rows of all users of the server.';
const refused = { fsync: damages, full_page_writes: damages };

/**
 * The parameters with which a managed server starts (manual, "Server Configuration"): numbers, switches and choices.
 * None names a file, a library, a program, an address or a role, and none changes what statements mean.
 */
const names = [
  ...words(`
    shared_buffers work_mem hash_mem_multiplier maintenance_work_mem autovacuum_work_mem temp_buffers
    effective_cache_size vacuum_buffer_usage_limit huge_pages huge_page_size`),
  ...words(`
    effective_io_concurrency maintenance_io_concurrency io_combine_limit io_max_combine_limit io_max_concurrency
    io_method io_workers backend_flush_after bgwriter_delay bgwriter_flush_after bgwriter_lru_maxpages
    bgwriter_lru_multiplier synchronize_seqscans`),
  ...words(`
    fsync synchronous_commit full_page_writes wal_compression wal_level max_wal_senders wal_log_hints
    wal_sync_method wal_buffers wal_writer_delay wal_writer_flush_after wal_skip_threshold wal_recycle
    wal_init_zero commit_delay commit_siblings checkpoint_timeout checkpoint_completion_target
    checkpoint_flush_after max_wal_size min_wal_size`),
  ...words(`
    enable_async_append enable_bitmapscan enable_gathermerge enable_hashagg enable_hashjoin
    enable_incremental_sort enable_indexscan enable_indexonlyscan enable_material enable_memoize
    enable_mergejoin enable_nestloop enable_parallel_append enable_parallel_hash enable_partition_pruning
    enable_partitionwise_join enable_partitionwise_aggregate enable_presorted_aggregate enable_seqscan
    enable_sort enable_tidscan seq_page_cost random_page_cost cpu_tuple_cost cpu_index_tuple_cost
    cpu_operator_cost parallel_setup_cost parallel_tuple_cost min_parallel_table_scan_size
    min_parallel_index_scan_size default_statistics_target from_collapse_limit join_collapse_limit geqo
    geqo_threshold plan_cache_mode cursor_tuple_fraction recursive_worktable_factor`),
  ...words('jit jit_above_cost jit_inline_above_cost jit_optimize_above_cost'),
  ...words(`
    max_worker_processes max_parallel_workers max_parallel_workers_per_gather max_parallel_maintenance_workers
    parallel_leader_participation max_connections max_locks_per_transaction deadlock_timeout`),
  ...words(`
    autovacuum autovacuum_max_workers autovacuum_naptime autovacuum_vacuum_threshold
    autovacuum_vacuum_scale_factor autovacuum_vacuum_insert_threshold autovacuum_vacuum_insert_scale_factor
    autovacuum_analyze_threshold autovacuum_analyze_scale_factor autovacuum_vacuum_cost_delay
    autovacuum_vacuum_cost_limit vacuum_cost_delay vacuum_cost_limit vacuum_cost_page_hit
    vacuum_cost_page_miss vacuum_cost_page_dirty`),
  ...words('track_io_timing track_wal_io_timing default_toast_compression'),
];

export const serverParameters: ServerParameterRules = {
  atStart: '-c NAME=VALUE at the start of a server of the run’s own',
  running: {
    implementation: 'ALTER SYSTEM SET, and pg_reload_conf()',
    right:
      'a superuser; or pg_read_all_settings, SET and ALTER SYSTEM on each parameter (from version 15 on), and EXECUTE on pg_reload_conf() and pg_show_all_file_settings()',
    names: names.filter((name) => !atStartOnly.includes(name) && !(name in refused)),
    refused,
  },
  names,
  values: '-?\\d+(\\.\\d+)?\\s?(B|kB|MB|GB|TB|us|ms|s|min|h|d)?|[a-z][a-z0-9_]*',
  memory: { shared_buffers: 8_192 },
};
