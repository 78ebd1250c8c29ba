import type { ReadRules } from '#model/statements/read-rules.ts';

/**
 * The reading words and functions of MySQL and MariaDB, without named locks, files, sequences and functions of
 * plug-ins.
 */
export const reads: ReadRules = {
  heads: 'select with values table show explain describe desc',
  explains: 'extended partitions format traditional json tree',
  qualified: 'sys.format_bytes sys.format_time',
  refused: 'outfile dumpfile procedure handler',
  outlives: 'sys_exec sys_eval lib_mysqludf setval',
  functions:
    'acos adddate addtime aes_decrypt aes_encrypt against any_value ascii asin atan atan2 avg bin bin_to_uuid binary bit ' +
    'bit_and bit_count bit_length bit_or bit_xor ceil ceiling char_length character_length charset coercibility collation ' +
    'compress concat concat_ws connection_id conv convert convert_tz cos cot crc32 crc32c cume_dist curdate current_date ' +
    'current_role current_time current_timestamp current_user curtime database date_add date_format date_sub datediff ' +
    'datetime day dayname dayofmonth dayofweek dayofyear degrees elt exp export_set extractvalue field find_in_set floor ' +
    'format format_bytes format_pico_time found_rows from_base64 from_days from_unixtime get_format greatest group_concat ' +
    'hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr interval is_ipv4 is_ipv6 is_uuid isnull ' +
    'json_array json_array_append json_array_insert json_arrayagg json_compact json_contains json_contains_path ' +
    'json_depth json_detailed json_exists json_extract json_insert json_keys json_length json_loose json_merge ' +
    'json_merge_patch json_merge_preserve json_normalize json_object json_objectagg json_overlaps json_pretty json_query ' +
    'json_quote json_remove json_replace json_schema_valid json_search json_set json_storage_size json_table json_type ' +
    'json_unquote json_valid json_value last_day last_insert_id lcase least left length ln localtime localtimestamp ' +
    'locate log log10 log2 lpad ltrim make_set makedate maketime match md5 median microsecond mid minute month monthname ' +
    'name_const nchar now nvl nvl2 oct octet_length ord percentile_cont percentile_disc period_add period_diff pi ' +
    'point position pow power ps_thread_id quarter quote radians rand regexp_instr regexp_like regexp_replace regexp_substr ' +
    'repeat replace reverse right row_count rpad rtrim schema sec_to_time second session_user sha sha1 sha2 sign signed ' +
    'sin sleep soundex space sformat st_area st_asbinary st_asgeojson st_astext st_contains st_distance ' +
    'st_distance_sphere st_geometryfromtext st_geomfromgeojson st_geomfromtext st_intersects st_latitude st_longitude ' +
    'st_within st_x st_y std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring_index subtime ' +
    'sysdate system_user tan time_format time_to_sec timediff timestampadd timestampdiff to_base64 to_char to_days ' +
    'to_seconds truncate ucase uncompress uncompressed_length unhex unix_timestamp unsigned updatexml user utc_date ' +
    'utc_time utc_timestamp uuid uuid_short uuid_to_bin var_pop var_samp varbinary variance version vec_distance ' +
    'vec_distance_cosine vec_distance_euclidean week weekday weekofyear weight_string year yearweek',
};
