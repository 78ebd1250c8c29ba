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

/** Words of all engines behind which a bracket holds no arguments of a function. */
export const bracketWords =
  'against all and any apply array as between by case columns cross cube distinct div else escape except exists ' +
  'exclude fetch first following for from full glob having hint ilike in index inner intersect is join key lateral left ' +
  'like limit match materialized minus mod natural next not of offset on only option or order outer over partition ' +
  'pivot preceding range regexp right rlike rollup row rows select sets similar some sounds table tablesample then ties to ' +
  'top unbounded union unpivot using values when where window with within xor';

/** Functions that every engine brings, and types with a length: none of them changes anything. */
export const standardFunctions =
  'abs avg bigint cast char character coalesce count date decimal dense_rank double extract first_value float grouping ' +
  'int integer lag last_value lead lower max min mod nth_value ntile nullif numeric percent_rank rank real round row ' +
  'row_number smallint sqrt substring sum time timestamp trim upper values varchar';

/** The rules where an engine says none: standard SQL. */
export const standardReads: ReadRules = { heads: 'select with values table' };
