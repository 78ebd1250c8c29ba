import type { ServerParameterRules } from '#engine-api/descriptor.ts';

const changeable = [
  ...['optimizer_index_cost_adj', 'optimizer_index_caching', 'optimizer_mode', 'optimizer_dynamic_sampling'],
  ...['optimizer_adaptive_plans', 'optimizer_adaptive_statistics', 'optimizer_use_invisible_indexes'],
  ...['db_file_multiblock_read_count', 'parallel_degree_policy', 'parallel_degree_limit', 'parallel_max_servers'],
  ...['parallel_min_time_threshold', 'parallel_adaptive_multi_user', 'commit_logging', 'commit_wait'],
  ...['fast_start_mttr_target', 'log_checkpoint_timeout', 'log_checkpoint_interval', 'result_cache_mode'],
  ...['cursor_sharing', 'statistics_level'],
];

const resizes = 'The server resizes it in the background, and drops what other users read.';
const unnoticed = 'Damaged blocks of all users would go unnoticed.';
const refused = {
  ...{ db_cache_size: resizes, shared_pool_size: resizes, pga_aggregate_target: resizes },
  ...{ db_block_checksum: unnoticed, db_block_checking: unnoticed },
};

/** Initialization parameters (Database Reference): numbers, switches and choices that change no answer and no right. */
export const serverParameters: ServerParameterRules = {
  running: {
    implementation: 'ALTER SYSTEM SET … SCOPE = MEMORY',
    right: 'ALTER SYSTEM, READ on V_$SYSTEM_PARAMETER and V_$INSTANCE, and EXECUTE on DBMS_LOCK',
    names: changeable,
    refused,
  },
  names: [...changeable, ...Object.keys(refused), 'sga_target', 'sga_max_size', 'log_buffer', 'processes'],
  values: '-?\\d+[kmgt]?|[a-z][a-z0-9_]*',
  memory: {},
};
