import type { ReadRules } from '#model/statements/read-rules.ts';

/** The reading words and functions of the grammar of Derby and SQLFire's family, without functions of any schema. */
export const reads: ReadRules = {
  heads: 'select with values',
  refused: 'external new',
  functions:
    'absval acos asin atan atan2 blob ceil ceiling clob cos cosh cot covar_pop current_date current_time current_timestamp ' +
    'day days degrees exp floor hour lcase length ln locate log log10 ltrim minute month pi power radians rand random ' +
    'rtrim second sign sin sinh stddev_pop stddev_samp substr tan tanh timestampadd timestampdiff ucase user ' +
    'var_pop var_samp varbinary xmlexists xmlparse xmlquery xmlserialize year',
};
