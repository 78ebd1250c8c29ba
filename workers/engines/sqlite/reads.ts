import type { ReadRules } from '#model/statements/read-rules.ts';

/** The reading words and functions of SQLite, without functions that load code or reach files. */
export const reads: ReadRules = {
  heads: 'select with values explain',
  explains: 'query plan',
  // `functions` includes the table functions of pragmas that only read.
  refusedBeginnings: 'pragma_',
  functions:
    'acos acosh asin asinh atan atan2 atanh bm25 ceil ceiling changes char_length concat concat_ws cos cosh cume_dist ' +
    'current_date current_time current_timestamp datetime degrees exp floor format generate_series glob group_concat ' +
    'highlight hex if ifnull iif instr json json_array json_array_insert json_array_length json_each json_error_position ' +
    'json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote ' +
    'json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_each jsonb_extract ' +
    'jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set ' +
    'jsonb_tree julianday last_insert_rowid length like likelihood likely ln log log10 log2 ltrim match matchinfo median ' +
    'nullif octet_length offsets percentile percentile_cont percentile_disc pi pow power pragma_compile_options ' +
    'pragma_database_list pragma_foreign_key_list pragma_function_list pragma_index_info pragma_index_list ' +
    'pragma_foreign_key_check pragma_freelist_count pragma_index_xinfo pragma_integrity_check pragma_page_count ' +
    'pragma_page_size pragma_quick_check pragma_table_info pragma_table_list pragma_table_xinfo printf quote radians random randomblob ' +
    'raise replace rtrim sign sin sinh snippet soundex sqlite_compileoption_get sqlite_compileoption_used ' +
    'sqlite_source_id sqlite_version strftime string_agg subtype substr tan tanh timediff total total_changes trunc typeof ' +
    'unhex unicode unistr unistr_quote unixepoch unlikely zeroblob',
};
