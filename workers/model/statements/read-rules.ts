/**
 * The words and functions with which an engine's SQL only reads: everything else counts as a write. Lists are words in
 * lower case with a space between two.
 */
export interface ReadRules {
  /** First words of statements that read. */
  readonly heads: string;
  /** Functions that change nothing, in addition to {@link standardFunctions}. */
  readonly functions?: string;
  /** Functions with what stands before their point (`dbms_lob.substr`); `name.*`: all of `functions` behind it. */
  readonly qualified?: string;
  /** Methods of values: `x.value(…)`. */
  readonly methods?: string;
  /** Words of the engine that stand in no reading text outside of quotes, wherever they are. */
  readonly refused?: string;
  /** Beginnings of words that count as `refused`, unless `qualified` has the function. */
  readonly refusedBeginnings?: string;
  /** Functions, by their beginnings too, whose effects no rollback undoes: no text is tried that names one. */
  readonly outlives?: string;
  /** Words between EXPLAIN and its statement, with brackets or without. */
  readonly explains?: string;
}

/** Reserved words behind which a bracket holds no arguments: no function has such a name without quotes. */
export const bracketWords =
  'all and any array as between case distinct else exists from having in not on only or order row select some table then ' +
  'to union using values when where with';

/** Words between two operands or behind a table, which some server takes for a function’s name elsewhere. */
export const infixWords =
  'against columns div escape except glob ilike intersect limit like match minus mod of offset option partition pivot ' +
  'range regexp rlike rows similar tablesample unpivot xor';

/** Words that a bracket follows behind one of these words alone, and that are names of functions elsewhere. */
export const wordsBehind: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apply: 'cross outer',
    by: 'group order partition siblings',
    first: 'fetch',
    hint: 'use',
    index: 'use force ignore',
    join: 'cross full inner left natural outer right',
    key: 'use force ignore',
    lateral: 'apply from join',
    next: 'fetch',
    sets: 'grouping',
  }),
);

/** Words that an operand follows: what stands behind them begins one. */
export const beforeOperands =
  'and any all as between by case cross distinct div else escape except exists fetch for from glob having ilike in ' +
  'intersect interval join lateral like limit minus mod not offset on or over passing regexp returning rlike select some ' +
  'symmetric then to union using values variadic when where xor zone';

/** Functions that every engine brings, and types with a length: none of them changes anything. */
export const standardFunctions =
  'abs avg bigint cast char character coalesce count date decimal dense_rank double extract first_value float grouping ' +
  'int integer lag last_value lead lower max min mod nth_value ntile nullif numeric percent_rank rank real round row ' +
  'row_number smallint sqrt substring sum time timestamp trim upper values varchar';

/** The rules where an engine says none: standard SQL. */
export const standardReads: ReadRules = { heads: 'select with values table' };
