import type { ReadRules } from '#model/statements/read-rules.ts';

/**
 * The reading words and functions of SQL Server. A statement needs no semicolon before it, so its reserved words are
 * refused.
 */
export const reads: ReadRules = {
  heads: 'select with',
  qualified: 'sys.*',
  methods: 'exist nodes query value',
  refused:
    'add alter authorization backup bulk checkpoint close commit conversation create cursor dbcc deallocate deny disk drop ' +
    'dump enable exec execute fetch goto grant kill lineno load move open opendatasource openquery openrowset receive ' +
    'reconfigure readtext restore revert revoke rollback save send set setuser shutdown throw tran transaction trigger ' +
    'truncate updatetext use waitfor writetext declare begin while if print raiserror return break continue ' +
    'updlock xlock tablockx tablock holdlock serializable repeatableread',
  outlives: 'openrowset openquery opendatasource xp_ sp_oa',
  functions:
    'acos app_name approx_count_distinct ascii asin atan atn2 binary binary_checksum bit bit_count bit_length cast ceiling ' +
    'charindex checksum checksum_agg choose col_length col_name collationproperty columnproperty concat concat_ws contains ' +
    'containstable convert cos cot count_big cume_dist current_date current_timestamp current_user databasepropertyex ' +
    'datalength date_bucket dateadd datediff datediff_big datefromparts datename datepart datetime2 datetime2fromparts ' +
    'datetimefromparts datetimeoffset datetimeoffsetfromparts datetrunc day db_id db_name degrees difference eomonth ' +
    'error_line error_message error_number error_procedure error_severity error_state exp floor format formatmessage ' +
    'freetext freetexttable generate_series getdate getutcdate greatest grouping_id has_perms_by_name hashbytes host_name ' +
    'ident_current ident_incr ident_seed iif index_col indexproperty is_member is_rolemember is_srvrolemember isdate isjson ' +
    'isnull isnumeric json_array json_arrayagg json_contains json_modify json_object json_objectagg json_path_exists ' +
    'json_query json_value least left len log log10 ltrim month nchar newid nvarchar object_definition object_id ' +
    'object_name object_schema_name objectproperty objectpropertyex openjson original_login parse parsename patindex ' +
    'percentile_cont percentile_disc permissions pi power print quotename radians rand regexp_count regexp_instr ' +
    'regexp_like regexp_matches regexp_replace regexp_split_to_table regexp_substr replace replicate return reverse right ' +
    'rowcount_big rtrim schema_id schema_name scope_identity serverproperty session_context sign sin smalldatetimefromparts ' +
    'soundex space square stdev stdevp str string_agg string_escape string_split stuff suser_id suser_name suser_sid ' +
    'suser_sname switchoffset sysdatetime sysdatetimeoffset system_user sysutcdatetime tan textptr timefromparts ' +
    'todatetimeoffset top translate try_cast try_convert try_parse type_id type_name unicode user_id user_name var varbinary ' +
    'varp while xact_state year if',
};
