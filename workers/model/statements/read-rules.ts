/**
 * The words and functions of an engine's SQL that only read. Everything else counts as a write. Lists contain
 * lower-case words separated by a space.
 */
export interface ReadRules {
  /** First words of statements that read. */
  readonly heads: string;
  /** Functions without side effects, in addition to {@link standardFunctions}. */
  readonly functions?: string;
  /** Functions with their qualifier (`dbms_lob.substr`); `name.*`: all of `functions` after it. */
  readonly qualified?: string;
  /** Methods of values: `x.value(…)`. */
  readonly methods?: string;
  /** Words of the engine that never occur in a reading text outside quotes. */
  readonly refused?: string;
  /** Prefixes of words that count as `refused`, unless `qualified` contains the function. */
  readonly refusedBeginnings?: string;
  /** Functions, also by prefix, whose effects no rollback undoes. Texts with these functions cannot be tried. */
  readonly outlives?: string;
  /** Words between EXPLAIN and its statement, with or without brackets. */
  readonly explains?: string;
}

/** Reserved words before a bracket that contains no arguments: unquoted, they name no function. */
export const bracketWords =
  'all and any array as between case distinct else exists from having in not on only or order row select some table then ' +
  'to union using values when where with';

/** Words between two operands or after a table, which some servers interpret as a function’s name elsewhere. */
export const infixWords =
  'against columns div escape except glob ilike intersect limit like match minus mod of offset option partition pivot ' +
  'range regexp rlike rows similar tablesample unpivot xor';

/** Words that precede a bracket only after one of these words, and that name functions elsewhere. */
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

/** Words that precede an operand. */
export const beforeOperands =
  'and any all as between by case cross distinct div else escape except exists fetch for from glob having ilike in ' +
  'intersect interval join lateral like limit minus mod not offset on or over passing regexp returning rlike select some ' +
  'symmetric then to union using values variadic when where xor zone';

/** Functions of every engine, and types with a length; all without side effects. */
export const standardFunctions =
  'abs avg bigint cast char character coalesce count date decimal dense_rank double extract first_value float grouping ' +
  'int integer lag last_value lead lower max min mod nth_value ntile nullif numeric percent_rank rank real round row ' +
  'row_number smallint sqrt substring sum time timestamp trim upper values varchar';

/** The rules of standard SQL, for engines without their own. */
export const standardReads: ReadRules = { heads: 'select with values table' };
