import type { SessionSettingRules } from '#engine-api/descriptor.ts';

/** The settings of a trial's sessions (manuals, "SET" and "Server System Variables"). */
export const sessionSettings: SessionSettingRules = {
  implementation: 'SET SESSION',
  names: '[a-z_][a-z0-9_]*',
  refused: [
    {
      names: '.*\\b(global|persist|persist_only)\\b.*',
      why: 'Only sessions get settings, never the server: GLOBAL and PERSIST hold for everybody, and stay.',
    },
    {
      names: 'sql_log_bin|binlog_.*|gtid_.*|server_id|pseudo_.*|skip_replication|skip_parallel_replication|wsrep_.*',
      why: 'It changes what replicas of the server get.',
    },
    {
      names: 'timestamp|insert_id|last_insert_id|identity|rand_seed[12]|warning_count|error_count',
      why: 'It is a value of the next statement, no setting.',
    },
    {
      names:
        'sql_mode|old_mode|character_set_.*|collation_.*|time_zone|lc_.*|sql_auto_is_null|sql_select_limit|div_precision_increment|group_concat_max_len|explicit_defaults_for_timestamp|old_passwords|default_week_format|sql_quote_show_create|big_tables|show_.*',
      why: 'It changes how values and texts are written or read, or which rows a statement sees, and Dyno compares these. Set it as sessionSettings of the connection.',
    },
    { names: '(transaction|tx)_isolation', why: 'Use the setting `isolation` of the workload.' },
    {
      names: 'autocommit|completion_type|(transaction|tx)_read_only|session_track_.*|pxc_.*',
      why: 'Dyno’s own transactions depend on it.',
    },
    {
      names:
        'foreign_key_checks|unique_checks|check_constraint_checks|sql_safe_updates|sql_big_selects|low_priority_updates',
      why: 'It switches off checks, so that wrong rows are stored, or refuses statements by their kind.',
    },
    {
      names:
        '(default_)?(tmp_)?storage_engine|default_tmp_storage_engine|enforce_storage_engine|default_table_encryption',
      why: 'It changes how tables are created, which another session does.',
    },
    {
      names: 'debug.*|sql_log_off|sql_slave_.*|proxy_user|external_user',
      why: 'It is for developers and administrators of the server.',
    },
  ],
};
