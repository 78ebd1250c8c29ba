import * as v from 'valibot';
import { described, fileKey } from '../file-key.ts';
import { decimal, integer } from '../numbers.ts';
import {
  distribution,
  exactInteger,
  identifier,
  lengths,
  nulls,
  poolDistribution,
  positive,
  rowOrder,
  share,
} from './column-parts.ts';
import { locales } from './locales.ts';
import { uuidOrders } from './uuid-order.ts';

const alphabet = v.optional(v.picklist(['alphanumeric', 'letters', 'digits', 'hex', 'unicode']), 'alphanumeric');
const day = (defaultValue: string) => v.optional(v.pipe(v.string(), v.isoDate()), defaultValue);

const uuid4 = v.strictObject({ type: v.literal('uuid4'), nulls });
const uuid7 = v.strictObject({ type: v.literal('uuid7'), nulls });
const uuidSequential = v.strictObject({
  type: v.literal('uuidSequential'),
  order: v.optional(
    described(
      v.picklist(['asEngine', ...uuidOrders]),
      'Which bytes ascend. asEngine: the bytes that the engine of each target compares first. bytes: the first bytes, as in uuid7. lastSixBytesFirst: the last six bytes, then the two before them.',
    ),
    'asEngine',
  ),
  nulls,
});
const sequence = v.strictObject({ type: v.literal('sequence'), start: v.optional(exactInteger, 1), nulls });
const code = v.strictObject({
  type: v.literal('code'),
  pattern: described(
    v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')),
    '# stands for a digit, ? for a capital letter, \\ keeps the next character as it is. Codes are unique until all possible ones are used.',
    { first: 'AB-####-??' },
  ),
  nulls,
});

/** The kinds of values that come from a locale's lists. */
export const nameKinds = [
  'person',
  'firstName',
  'lastName',
  'company',
  'jobTitle',
  'product',
  'city',
  'street',
  'country',
  'email',
  'phone',
] as const;

/** Longest generated vocabulary and pool: it limits the memory of a column in a worker to a few megabytes. */
const mostInPool = 100_000;
const mostWords = 20_000;
/** The most values and bounds that a column lists. */
const mostListed = 10_000;
/** Digits of the longest decimal that every engine with decimals has. */
const mostDigits = 38;

/** The types that a column of given frequencies can have. */
const frequencyTypes = ['integer', 'decimal', 'timestamp', 'date', 'text'] as const;

const ownValues = [
  uuid4,
  uuid7,
  uuidSequential,
  sequence,
  v.strictObject({
    type: v.literal('integer'),
    min: v.optional(exactInteger, 0),
    max: v.optional(exactInteger, 2_147_483_647),
    ...distribution,
    nulls,
  }),
  v.strictObject({
    type: v.literal('text'),
    ...lengths,
    alphabet,
    nulls,
  }),
  v.strictObject({
    type: v.literal('decimal'),
    precision: v.optional(integer(1, 15), 12),
    scale: v.optional(integer(0, 15), 2),
    min: v.optional(described(v.number(), 'Smallest value. Default: 0.')),
    max: v.optional(described(v.number(), 'Largest value. Default: the largest that the digits allow.')),
    ...distribution,
    nulls,
  }),
  v.strictObject({
    type: v.literal('timestamp'),
    from: day('2020-01-01'),
    to: day('2026-01-01'),
    distinct: v.optional(
      described(
        integer(1, 1_000_000_000),
        'Number of distinct times, evenly spread over the range. Default: every microsecond of it.',
      ),
    ),
    distribution: distribution.distribution,
    exponent: distribution.exponent,
    nulls,
  }),
  v.strictObject({ type: v.literal('boolean'), trueShare: v.optional(share, 0.5), nulls }),
  v.strictObject({
    type: v.literal('bytes'),
    ...lengths,
    nulls,
  }),
  v.strictObject({
    type: v.literal('name'),
    what: described(v.picklist(nameKinds), 'The kind of name.', { first: 'person' }),
    locale: v.optional(described(v.picklist(locales), 'The locale of the names.'), 'en'),
    pool: v.optional(
      described(integer(1, mostInPool), 'Number of distinct values, if the locale has that many.'),
      1_000,
    ),
    maxLength: v.optional(integer(5, 200), 60),
    ...poolDistribution,
    nulls,
  }),
  code,
  v.strictObject({
    type: fileKey(v.literal('oneOf'), { label: 'one of a list', help: 'One value of a list.' }),
    values: v.optional(
      v.pipe(
        v.array(v.union([v.pipe(v.string(), v.minLength(1), v.maxLength(200)), exactInteger])),
        v.minLength(1),
        v.maxLength(10_000),
        v.description(
          'The values: texts, or whole numbers. The first is the most frequent where the distribution is zipf.',
        ),
      ),
    ),
    count: v.optional(
      described(integer(1, mostWords), 'Number of values with generated names, instead of `values`.', {
        first: 20,
        without: ['values', 'weights'],
      }),
    ),
    weights: v.optional(
      described(
        v.pipe(v.array(v.pipe(v.number(), v.minValue(0))), v.minLength(1), v.maxLength(10_000)),
        'Relative frequency of each of `values`.',
        { without: ['distribution', 'exponent'] },
      ),
    ),
    ...poolDistribution,
    nulls,
  }),
  v.strictObject({
    type: fileKey(v.literal('frequencies'), {
      label: 'values by frequency',
      help: 'Listed values with their shares, and other values by a histogram or by their number: a column that has the statistics of another one. A text of the list may occur again among the other texts.',
    }),
    as: v.optional(
      described(
        v.picklist(frequencyTypes),
        'Type of the values. date: times at midnight. text: the values that are not listed are made up.',
      ),
      'integer',
    ),
    precision: v.optional(
      described(integer(1, 15), 'Digits of a decimal before and after the point together.', {
        only: { as: ['decimal'] },
        usual: '15',
      }),
    ),
    scale: v.optional(
      described(integer(0, 15), 'Digits of a decimal after the point.', { only: { as: ['decimal'] }, usual: '2' }),
    ),
    values: v.optional(
      described(
        v.pipe(
          v.array(v.union([v.pipe(v.string(), v.maxLength(1_000)), v.number()])),
          v.minLength(1),
          v.maxLength(mostListed),
        ),
        'The listed values: numbers, times (2026-01-31, 2026-01-31T12:00:00Z) or texts.',
      ),
    ),
    shares: v.optional(
      described(
        v.pipe(v.array(share), v.minLength(1), v.maxLength(mostListed)),
        'The share of each of `values` among the rows that are not null. The rest is for values that are not listed.',
      ),
    ),
    bounds: v.optional(
      described(
        v.pipe(
          v.array(v.union([v.pipe(v.string(), v.maxLength(40)), v.number()])),
          v.minLength(2),
          v.maxLength(mostListed),
        ),
        'Ascending bounds of the values that are not listed. Between two neighbours lie equally many rows.',
        { first: [0, 100], only: { as: ['integer', 'decimal', 'timestamp', 'date'] } },
      ),
    ),
    distinct: v.optional(
      described(
        integer(1, 10_000_000_000),
        'Number of different values that are not listed. As many as the table has rows, or more: none of them repeats, if the bounds have room. Default: as many as the bounds allow, and for texts one for each row.',
      ),
    ),
    minLength: v.optional(
      described(integer(1, 1_000_000), 'Length of the shortest text that is not listed.', {
        only: { as: ['text'] },
        usual: '1',
      }),
    ),
    maxLength: v.optional(
      described(integer(1, 1_000_000), 'Length of the longest text.', { only: { as: ['text'] }, usual: '60' }),
    ),
    meanLength: v.optional(
      described(decimal(1, 1_000_000), 'Mean length of the texts that are not listed.', {
        only: { as: ['text'] },
        usual: 'the middle',
      }),
    ),
    rowOrder,
    row: v.optional(
      described(
        v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
        'Columns of a table with the same `row` draw together: where one has the third of its values, the others have the third of theirs. The shares of these values are equal.',
        { without: ['rowOrder'] },
      ),
    ),
    jointly: v.optional(
      described(
        integer(0, mostListed),
        'With `row`: the number of the first `values` that the columns draw together. Each column draws its other values by itself. Default: all.',
      ),
    ),
    together: v.optional(
      described(
        share,
        'With `row`: the share of the other rows in which the columns draw together, too: all of them the most frequent values, or the smallest.',
        { usual: '0' },
      ),
    ),
    nulls,
  }),
  v.strictObject({
    type: v.literal('words'),
    minWords: v.optional(integer(1, 10_000), 5),
    maxWords: v.optional(integer(1, 10_000), 20),
    vocabulary: v.optional(
      described(integer(50, mostWords), 'Number of distinct words; the r-th occurs in proportion to 1 / r.'),
      2_000,
    ),
    nulls,
  }),
  v.strictObject({
    type: v.literal('reference'),
    table: v.optional(
      described(
        identifier,
        'Name of an earlier table of `tables` to whose keys the column refers. An engine with foreign keys checks them (setting foreignKeys).',
        { without: ['rows', 'key', 'position', 'seed'] },
      ),
    ),
    rows: v.optional(
      described(
        integer(1, 10_000_000_000),
        'Instead of `table`, with `key`: number of rows of a table elsewhere; the column refers to the keys of its rows 0 … rows − 1.',
        { first: 1_000 },
      ),
    ),
    key: v.optional(
      described(
        v.variant('type', [uuid4, uuid7, uuidSequential, sequence, code]),
        'Instead of `table`, with `rows`: how that table generates its key: its key column, as it is written there.',
        { first: { type: 'sequence' } },
      ),
    ),
    position: v.optional(described(integer(1, 1_000), 'Position of the key among that table’s columns, from 1.'), 1),
    seed: v.optional(described(exactInteger, 'Seed of that table. Default: the seed of this one.')),
    distribution: v.optional(
      described(
        v.picklist(['uniform', 'zipf', 'sequential']),
        'sequential: consecutive rows refer to the same parent, `children` rows to each.',
        { usual: 'uniform' },
      ),
    ),
    exponent: distribution.exponent,
    shares: v.optional(
      described(
        v.pipe(v.array(share), v.minLength(1), v.maxLength(mostListed)),
        'The share of rows that refer to each of the most frequent parents, instead of `distribution`. The other rows refer to the other parents, evenly. The frequent parents are scattered over that table.',
        { without: ['distribution', 'exponent', 'rowOrder'] },
      ),
    ),
    distinct: v.optional(
      described(
        integer(1, 10_000_000_000),
        'Number of parents to which any row refers, with `shares` or `rowOrder`. Default: all.',
      ),
    ),
    rowOrder,
    children: v.optional(
      described(v.pipe(positive, v.integer()), 'Number of rows for each parent; sequential only.', {
        only: { distribution: ['sequential'] },
      }),
    ),
    nulls,
  }),
] as const;

/** A value that depends on seed and row number alone. */
export type ValueSpec = v.InferOutput<(typeof ownValues)[number]>;

/** The specification of a column with given frequencies. */
export type FrequencySpec = ValueSpec & { readonly type: 'frequencies' };

/** The value of a field in a document: a plain value, an object or a list. */
export type FieldSpec =
  | ValueSpec
  | { readonly type: 'object'; readonly fields: Readonly<Record<string, FieldSpec>>; readonly nulls: number }
  | {
      readonly type: 'list';
      readonly of: FieldSpec;
      readonly minLength: number;
      readonly maxLength: number;
      readonly nulls: number;
    };
const field: v.GenericSchema<unknown, FieldSpec> = v.lazy(() => fieldSchema);
const fields = described(
  v.pipe(v.record(identifier, field), v.minEntries(1), v.maxEntries(1_000)),
  'Name and kind of each value.',
  { first: { id: { type: 'uuid4' }, name: { type: 'name', what: 'company' } } },
);
const listLength = integer(0, 1_000);
/** One value in a document. */
export const fieldSchema = v.variant('type', [
  ...ownValues,
  v.strictObject({ type: v.literal('object'), fields, nulls }),
  v.strictObject({
    type: v.literal('list'),
    of: field,
    minLength: v.optional(listLength, 0),
    maxLength: v.optional(listLength, 5),
    nulls,
  }),
]);

/** The types that a column of a table can give the values of a file. */
const fileColumnTypes = ['text', 'integer', 'decimal', 'uuid', 'timestamp', 'boolean', 'bytes', 'document'] as const;
/** The type of the values of a file’s column. */
export type FileColumnType = (typeof fileColumnTypes)[number];

const ofFile = v.strictObject({
  type: fileKey(v.literal('file'), {
    label: 'column of the file',
    help: 'A column of the file that `from` of the table names. A value that does not have the type is an error.',
  }),
  column: v.optional(
    described(
      v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
      'Name of the column in the file. Default: the name of the column in the table.',
    ),
  ),
  as: v.optional(
    described(
      v.picklist(fileColumnTypes),
      'Type of the values. timestamp: dates, too, at midnight; times without a zone are in UTC. document: a JSON object or list.',
    ),
    'text',
  ),
  precision: v.optional(
    described(integer(1, mostDigits), 'Digits of a decimal before and after the point together.', {
      only: { as: ['decimal'] },
      usual: '18',
    }),
  ),
  scale: v.optional(
    described(integer(0, mostDigits), 'Digits of a decimal after the point.', {
      only: { as: ['decimal'] },
      usual: '2',
    }),
  ),
  maxLength: v.optional(
    described(integer(1, 1_000_000), 'Length of the longest text or document in characters, or of the longest bytes.', {
      only: { as: ['text', 'bytes', 'document'] },
      usual: '255',
    }),
  ),
  nulls: v.optional(
    fileKey(share, {
      label: 'Nulls',
      help: 'Any share above 0: the column may be null. 0: a null in the file is an error.',
    }),
    0,
  ),
});
/** The specification of a column that a file fills. */
export type FileColumnSpec = v.InferOutput<typeof ofFile>;

/** The columns that Dyno generates, which parameters can be, too. */
const generated = [
  ...ownValues,
  v.strictObject({
    type: v.literal('correlated'),
    of: described(identifier, 'The numeric column from which this one is computed.'),
    times: v.optional(described(identifier, 'A second column, by which the first is multiplied.')),
    factor: v.optional(described(v.number(), 'The factor by which the product is multiplied.'), 1),
    plus: v.optional(described(v.number(), 'What is added.'), 0),
    noise: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0),
        v.description('Standard deviation of the random (normal) value that is added.'),
      ),
    ),
    correlation: v.optional(
      described(decimal(0.01, 1), 'Instead of noise: the Pearson correlation of the two columns.', {
        without: ['noise'],
      }),
    ),
    precision: v.optional(integer(1, 15), 15),
    scale: v.optional(integer(0, 15), 2),
    nulls,
  }),
  v.strictObject({
    type: v.literal('delayed'),
    of: described(identifier, 'The timestamp column that this one follows.'),
    medianHours: v.optional(described(decimal(0, 87_600), 'Median of the delay, hours.'), 24),
    spread: v.optional(
      described(
        decimal(0, 3),
        'Standard deviation of the delay’s logarithm (log-normal): at 1, a sixth of the delays is at least 2.7 times the median. A delay is ten years at most.',
      ),
      1,
    ),
    nulls,
  }),
  v.strictObject({ type: v.literal('document'), fields, nulls }),
] as const;
/** A column whose values Dyno generates; they depend on seed and row number alone. */
export const generatedSchema = v.variant('type', generated);

/** One column of a table: its logical type and the source of its values. */
export const columnSchema = v.variant('type', [...generated, ofFile]);
/** The specification of a column in the file. */
export type ColumnSpec = v.InferOutput<typeof columnSchema>;
/** The specification of a column with keys of another table. */
export type ReferenceSpec = ColumnSpec & { readonly type: 'reference' };

/** Kinds of columns that can be the key of a table with references to it. */
export const referableKinds: readonly ColumnSpec['type'][] = ['uuid4', 'uuid7', 'uuidSequential', 'sequence', 'code'];
