import type { ServerParameterRules } from '#engine-api/descriptor.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The parameters that `SET GLOBAL` changes, in both servers where they have them. */
const changeable = words(`
  innodb_flush_log_at_trx_commit sync_binlog innodb_flush_neighbors innodb_flush_log_at_timeout
  innodb_adaptive_hash_index innodb_adaptive_flushing innodb_adaptive_flushing_lwm innodb_change_buffering
  innodb_lru_scan_depth innodb_old_blocks_pct innodb_old_blocks_time innodb_thread_concurrency innodb_spin_wait_delay
  innodb_sync_spin_loops innodb_stats_persistent_sample_pages innodb_stats_transient_sample_pages
  innodb_deadlock_detect innodb_random_read_ahead innodb_read_ahead_threshold innodb_fill_factor sort_buffer_size
  join_buffer_size read_buffer_size read_rnd_buffer_size tmp_table_size max_heap_table_size binlog_cache_size
  table_open_cache table_definition_cache thread_cache_size eq_range_index_dive_limit optimizer_search_depth
  optimizer_prune_level optimizer_use_condition_selectivity use_stat_tables histogram_size`);

const moves = (other: string) => `The server may change ${other} with it, which Dyno could not give back.`;
const refused: Readonly<Record<string, string>> = {
  innodb_doublewrite: 'A crash of the machine would then damage the rows of all users of the server.',
  innodb_buffer_pool_size: 'The server resizes it in the background, and drops pages that other users read.',
  key_buffer_size: 'The server empties it for all users.',
  innodb_redo_log_capacity: 'The server resizes it in the background.',
  innodb_io_capacity: moves('innodb_io_capacity_max'),
  innodb_io_capacity_max: moves('innodb_io_capacity'),
  innodb_max_dirty_pages_pct: moves('innodb_max_dirty_pages_pct_lwm'),
  innodb_max_dirty_pages_pct_lwm: moves('innodb_max_dirty_pages_pct'),
  max_connections: 'Other users could not log in.',
};

/**
 * The parameters with which a managed server starts (manuals, "Server System Variables" and "InnoDB System Variables"):
 * numbers, switches and choices. None names a file, a plugin, a program or an address, and none changes what statements
 * mean.
 */
export const serverParameters: ServerParameterRules = {
  atStart: '--NAME=VALUE at the start of a server of the run’s own',
  running: {
    implementation: 'SET GLOBAL',
    right: 'the privilege SYSTEM_VARIABLES_ADMIN (MySQL) or SUPER (MariaDB)',
    names: changeable,
    refused,
  },
  names: [
    ...words(`
      innodb_buffer_pool_size innodb_buffer_pool_instances innodb_buffer_pool_chunk_size innodb_log_file_size
      innodb_redo_log_capacity innodb_log_buffer_size innodb_flush_log_at_trx_commit sync_binlog innodb_doublewrite
      innodb_flush_method innodb_flush_neighbors innodb_flush_log_at_timeout innodb_io_capacity
      innodb_io_capacity_max innodb_read_io_threads innodb_write_io_threads innodb_purge_threads
      innodb_page_cleaners innodb_adaptive_hash_index innodb_adaptive_flushing innodb_adaptive_flushing_lwm
      innodb_change_buffering innodb_lru_scan_depth innodb_max_dirty_pages_pct innodb_max_dirty_pages_pct_lwm
      innodb_old_blocks_pct innodb_old_blocks_time innodb_thread_concurrency innodb_spin_wait_delay
      innodb_sync_spin_loops innodb_stats_persistent_sample_pages innodb_stats_transient_sample_pages
      innodb_autoinc_lock_mode innodb_use_native_aio innodb_deadlock_detect innodb_random_read_ahead
      innodb_read_ahead_threshold innodb_fill_factor innodb_sort_buffer_size`),
    ...words(`
      sort_buffer_size join_buffer_size read_buffer_size read_rnd_buffer_size tmp_table_size max_heap_table_size
      binlog_cache_size key_buffer_size table_open_cache table_definition_cache thread_cache_size thread_handling
      thread_pool_size thread_stack back_log max_connections query_cache_type query_cache_size performance_schema
      large_pages`),
    ...words(`
      eq_range_index_dive_limit optimizer_search_depth optimizer_prune_level optimizer_use_condition_selectivity
      use_stat_tables histogram_size`),
  ],
  values: '-?\\d+(\\.\\d+)?[kmgt]?|[a-z][a-z0-9_-]*',
  memory: { innodb_buffer_pool_size: 1, key_buffer_size: 1 },
};
