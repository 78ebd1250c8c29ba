import type { ReadRules } from '#model/statements/read-rules.ts';

/**
 * The reading words and functions of Oracle. A function of a package may be called without brackets, so packages are
 * refused.
 */
export const reads: ReadRules = {
  heads: 'select with',
  refused: 'procedure function',
  refusedBeginnings: 'dbms_ utl_ owa_ apex_ htp htf ctx_ sdo_ ords_ http',
  qualified: 'dbms_lob.getlength dbms_lob.instr dbms_lob.substr dbms_lob.compare',
  outlives: 'dbms_ utl_ autonomous_transaction',
  functions:
    'acos add_months any_value approx_count_distinct ascii asciistr asin atan atan2 bfilename bin_to_num bit_and_agg ' +
    'bit_or_agg bit_xor_agg bitand binary cardinality ceil chartorowid chr collect compose concat convert corr cos cosh ' +
    'covar_pop covar_samp cume_dist current_date current_timestamp decode decompose dump empty_blob empty_clob exp floor ' +
    'from_tz greatest group_id grouping_id hextoraw initcap instr instrb interval json_array json_arrayagg json_equal ' +
    'json_exists json_mergepatch json_object json_objectagg json_query json_scalar json_serialize json_table ' +
    'json_transform json_value last_day least length lengthb listagg ln localtimestamp log lpad ltrim median months_between ' +
    'multiset nanvl nchr new_time next_day nls_initcap nls_lower nls_upper nlssort number numtodsinterval numtoyminterval ' +
    'nvarchar2 nvl nvl2 ora_hash percentile_cont percentile_disc power raw rawtohex regexp_count regexp_instr regexp_like ' +
    'regexp_replace regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy ' +
    'regr_syy remainder replace round rowidtochar rpad rtrim scn_to_timestamp sign sin sinh soundex standard_hash stats_mode ' +
    'stddev stddev_pop stddev_samp substr substrb sys_connect_by_path sys_context sys_extract_utc sys_guid sysdate ' +
    'systimestamp tan tanh timestamp_to_scn to_binary_double to_binary_float to_blob to_char to_clob to_date to_dsinterval ' +
    'to_multi_byte to_nchar to_number to_single_byte to_timestamp to_timestamp_tz to_yminterval translate treat trunc ' +
    'tz_offset unistr userenv validate_conversion var_pop var_samp varchar2 variance vsize width_bucket xmlagg xmlattributes ' +
    'xmlconcat xmlelement xmlexists xmlforest xmlparse xmlserialize xmltable',
};
