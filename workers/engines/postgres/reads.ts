import type { ReadRules } from '#model/statements/read-rules.ts';

/**
 * The reading words and functions of PostgreSQL. A test compares them with the server's own list of volatile functions.
 */
export const reads: ReadRules = {
  heads: 'select with values table show explain',
  explains:
    'verbose costs settings generic_plan buffers wal summary memory format text json xml yaml true false on off',
  qualified: 'pg_catalog.*',
  outlives:
    'dblink setval pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_switch_wal pg_promote lo_export pg_file_ pg_logical_emit_message pg_create_ pg_drop_ pg_replication_ pg_stat_reset pg_wal_replay',
  functions:
    'acldefault aclexplode acos acosd acosh age any_value area array_agg array_append array_cat array_dims ' +
    'array_fill array_length array_lower array_ndims array_position array_positions array_prepend array_remove ' +
    'array_replace array_to_json array_to_string array_upper ascii asin asind asinh atan atan2 atan2d atand ' +
    'atanh bit bit_and bit_count bit_length bit_or bit_xor bool_and bool_or boolean box bpchar btrim bytea ' +
    'cardinality cbrt ceil ceiling center char_length character_length chr circle clock_timestamp ' +
    'col_description collation concat concat_ws convert convert_from convert_to corr cos cosd cosh cot cotd ' +
    'covar_pop covar_samp cume_dist current_catalog current_database current_date current_query current_role ' +
    'current_schema current_schemas current_setting current_time current_timestamp current_user date_bin ' +
    'date_part date_trunc daterange decode degrees diameter div encode erf erfc every exp factorial family ' +
    'float4 float8 floor format format_type gcd gen_random_uuid generate_series generate_subscripts get_bit ' +
    'get_byte greatest has_any_column_privilege has_column_privilege has_database_privilege ' +
    'has_function_privilege has_language_privilege has_parameter_privilege has_schema_privilege ' +
    'has_sequence_privilege has_table_privilege has_tablespace_privilege has_type_privilege hashtext ' +
    'hashtextextended height host hostmask inet_client_addr inet_client_port inet_merge inet_server_addr ' +
    'inet_server_port initcap int2 int4 int4range int8 int8range interval isempty isfinite json json_agg ' +
    'json_array json_array_elements json_array_elements_text json_array_length json_arrayagg json_build_array ' +
    'json_build_object json_each json_each_text json_exists json_extract_path json_extract_path_text json_object ' +
    'json_object_agg json_object_keys json_objectagg json_populate_record json_populate_recordset json_query ' +
    'json_scalar json_serialize json_strip_nulls json_table json_to_record json_to_recordset json_typeof ' +
    'json_value jsonb jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length ' +
    'jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text ' +
    'jsonb_insert jsonb_object jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_match ' +
    'jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_populate_record ' +
    'jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record ' +
    'jsonb_to_recordset jsonb_typeof justify_days justify_hours justify_interval lcm least left length ln ' +
    'localtime localtimestamp log log10 lower_inc lower_inf lpad ltrim make_date make_interval make_time ' +
    'make_timestamp make_timestamptz masklen md5 min_scale mode money multirange mxid_age nchar netmask ' +
    'normalize now npoints numnode numrange obj_description octet_length overlaps overlay parse_ident ' +
    'percentile_cont percentile_disc pg_backend_pid pg_blocking_pids pg_client_encoding pg_collation_for ' +
    'pg_column_compression pg_column_size pg_conf_load_time pg_control_checkpoint pg_control_init ' +
    'pg_control_recovery pg_control_system pg_current_snapshot pg_current_wal_flush_lsn ' +
    'pg_current_wal_insert_lsn pg_current_wal_lsn pg_current_xact_id_if_assigned pg_database_size ' +
    'pg_describe_object pg_encoding_to_char pg_function_is_visible pg_get_constraintdef pg_get_expr ' +
    'pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result pg_get_functiondef ' +
    'pg_get_indexdef pg_get_partition_constraintdef pg_get_partkeydef pg_get_replica_identity_index ' +
    'pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef pg_get_triggerdef pg_get_userbyid ' +
    'pg_get_viewdef pg_get_wal_replay_pause_state pg_has_role pg_identify_object pg_index_column_has_property ' +
    'pg_index_has_property pg_indexam_has_property pg_indexes_size pg_is_in_recovery pg_is_other_temp_schema ' +
    'pg_is_wal_replay_paused pg_jit_available pg_last_committed_xact pg_last_wal_receive_lsn ' +
    'pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_ls_waldir pg_my_temp_schema ' +
    'pg_notification_queue_usage pg_options_to_table pg_partition_ancestors pg_partition_root pg_partition_tree ' +
    'pg_postmaster_start_time pg_relation_filenode pg_relation_filepath pg_relation_size ' +
    'pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_sequence_parameters pg_size_bytes pg_size_pretty ' +
    'pg_sleep pg_table_is_visible pg_table_size pg_tablespace_databases pg_tablespace_location ' +
    'pg_tablespace_size pg_total_relation_size pg_trigger_depth pg_type_is_visible pg_typeof pg_wal_lsn_diff ' +
    'pg_walfile_name pg_xact_commit_timestamp phraseto_tsquery pi plainto_tsquery point polygon position power ' +
    'querytree quote_ident quote_literal quote_nullable radians radius random range_agg range_intersect_agg ' +
    'range_merge regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace ' +
    'regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count regr_intercept ' +
    'regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right row_security_active row_to_json ' +
    'rpad rtrim scale session_user set_bit set_byte set_masklen setweight sha224 sha256 sha384 sha512 ' +
    'shobj_description sign sin sind sinh slope split_part starts_with statement_timestamp stddev stddev_pop ' +
    'stddev_samp string_agg string_to_array string_to_table strip strpos substr tan tand tanh text timeofday ' +
    'timestamptz timetz to_ascii to_char to_date to_hex to_json to_jsonb to_number to_regclass to_regnamespace ' +
    'to_regproc to_regprocedure to_regrole to_regtype to_timestamp to_tsquery to_tsvector transaction_timestamp ' +
    'translate trim_array trim_scale trunc ts_debug ts_delete ts_filter ts_headline ts_lexize ts_parse ts_rank ' +
    'ts_rank_cd tsquery_phrase tsrange tstzrange tsvector_to_array txid_current_if_assigned ' +
    'txid_current_snapshot unnest upper_inc upper_inf uuid uuidv4 uuidv7 var_pop var_samp varbit variance ' +
    'version websearch_to_tsquery width width_bucket xmlagg xmlattributes xmlconcat xmlelement xmlexists ' +
    'xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable xpath xpath_exists',
};
