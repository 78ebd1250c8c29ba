import { formatCount } from '#model/format/format.ts';
import type { Bound } from './check-condition.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** A column of a CREATE TABLE. */
interface DdlColumn {
  /** The words of its type in lower case: `timestamp with time zone`. */
  readonly type: string;
  /** The numbers and texts in the brackets of its type. */
  readonly args: readonly string[];
  /** The values that a CHECK or an ENUM allows; null: any. */
  readonly values: readonly (string | number)[] | null;
  /** The bounds that a CHECK gives a number. */
  readonly min: Bound | null;
  readonly max: Bound | null;
  /** The column is a key of one column, or its values are unique. */
  readonly isKey: boolean;
  readonly isUnique: boolean;
  /** The server numbers the rows, or makes the key. */
  readonly isCounted: boolean;
  /** The default is a uuid in ascending order. */
  readonly isAscending: boolean;
}

/** A column of a dataset, and a remark about what differs; a sentence without subject if it cannot be made. */
type DatasetColumn =
  | { readonly spec: Mapping; readonly note: string | null }
  | { readonly spec: null; readonly note: string };

const made = (spec: Mapping, note: string | null = null): DatasetColumn => ({ spec, note });
const usualLength = 200;
/** Texts of this length do not repeat themselves. */
const uniqueLength = 12;
const mostDigits = 15;

const largest: Readonly<Record<string, number>> = {
  tinyint: 127,
  smallint: 32_767,
  int2: 32_767,
  smallserial: 32_767,
  mediumint: 8_388_607,
};

/** The column of a dataset that stores the values of a column of a server. */
export function datasetColumn(column: DdlColumn): DatasetColumn {
  const { type, args, values, isKey, isUnique } = column;
  if (values) return made({ type: 'oneOf', values });
  const word = type.split(' ')[0]!;
  if (/^(bool|boolean)$/.test(word) || (word === 'bit' && (args[0] ?? '1') === '1' && !/varying/.test(type)))
    return made({ type: 'boolean' });
  if (word === 'tinyint' && args[0] === '1') return made({ type: 'boolean' });
  if (/^(uuid|uniqueidentifier)$/.test(word)) return made({ type: column.isAscending ? 'uuidSequential' : 'uuid4' });
  if (
    type === '' ||
    /^(tinyint|smallint|mediumint|int|integer|bigint|int2|int4|int8|serial|bigserial|smallserial)$/.test(word)
  )
    return wholeNumber(column, largest[word] ?? 2_147_483_647);
  if (
    /^(decimal|numeric|number|dec|money|smallmoney|real|float|float4|float8|double|binary_float|binary_double|decfloat)$/.test(
      word,
    )
  )
    return number(column);
  if (/^(date|datetime|datetime2|smalldatetime|datetimeoffset|timestamp|timestamptz)$/.test(word))
    return made(
      { type: 'timestamp' },
      word === 'date' ? 'has times of day here, because Dyno has no type for days' : null,
    );
  if (
    /^(char|character|nchar|varchar|varchar2|nvarchar|nvarchar2|bpchar|national|text|tinytext|mediumtext|longtext|ntext|clob|nclob|dbclob|citext|long|graphic|vargraphic|sysname)$/.test(
      word,
    )
  )
    return /bit data|raw/.test(type) ? bytes(column) : text(column);
  if (/^(bytea|blob|tinyblob|mediumblob|longblob|binary|varbinary|raw|image)$/.test(word)) return bytes(column);
  if (/^(json|jsonb)$/.test(word))
    return made(
      { type: 'document', fields: { id: { type: 'integer' }, name: { type: 'text', length: 12 } } },
      'has documents with the fields id and name',
    );
  const what = isKey || isUnique ? 'the type of a key that' : 'a type that';
  return { spec: null, note: `has ${what} Dyno does not generate (${type || 'none'})` };
}

function wholeNumber({ isKey, isUnique, isCounted, min, max }: DdlColumn, most: number): DatasetColumn {
  if (isKey || isUnique || isCounted) return made({ type: 'sequence' });
  const least = min === null ? 0 : min.isOpen ? Math.floor(min.value) + 1 : Math.ceil(min.value);
  const last = max === null ? Math.max(most, least) : max.isOpen ? Math.ceil(max.value) - 1 : Math.floor(max.value);
  return made({ type: 'integer', min: Math.min(least, last), max: last });
}

function number(column: DdlColumn): DatasetColumn {
  const { type, args, min, max } = column;
  const [digits, scale] = args.map(Number);
  const isExact = /^(decimal|numeric|number|dec|money|smallmoney)$/.test(type.split(' ')[0]!);
  if (isExact && digits !== undefined && (scale ?? 0) <= 0)
    return wholeNumber(column, Math.min(10 ** Math.min(digits, mostDigits) - 1, 2_147_483_647));
  if (isExact && digits === undefined && (column.isKey || column.isUnique || column.isCounted))
    return made({ type: 'sequence' });
  const precision = Math.min(digits ?? mostDigits, mostDigits);
  const places = isExact ? (digits === undefined ? (/money/.test(type) ? 4 : 2) : Math.min(scale ?? 0, precision)) : 4;
  const step = 10 ** -places;
  const inside = ({ value, isOpen }: Bound, by: number) => (isOpen ? Number((value + by).toFixed(places)) : value);
  const spec = {
    type: 'decimal',
    precision: isExact ? precision : mostDigits,
    scale: places,
    ...(min !== null && { min: inside(min, step) }),
    ...(max !== null ? { max: inside(max, -step) } : digits === undefined && min === null && { max: 1_000_000 }),
  };
  if (!isExact) return made(spec, 'has decimals with four places here, because Dyno has no floating-point type');
  return made(spec, (digits ?? 0) > mostDigits ? `has ${mostDigits} digits instead of ${digits}` : null);
}

function text({ type, args, isKey, isUnique }: DdlColumn): DatasetColumn {
  const given = args.map((one) => Number.parseInt(one, 10)).find((one) => one > 0);
  const alphabet = /^(n|graphic|vargraphic)/.test(type) ? { alphabet: 'unicode' } : {};
  const isFixed = /^(char|character|nchar|bpchar)\b(?! varying)/.test(type);
  const length = Math.min(given ?? (isFixed ? 1 : usualLength), 1_000_000);
  const note =
    given === undefined && !isFixed
      ? `has texts of up to ${formatCount(length)} characters, because its type has no length`
      : null;
  if (isKey || isUnique) {
    if (length < uniqueLength)
      return made({ type: 'code', pattern: '?'.repeat(Math.min(length, 4)) + '#'.repeat(Math.max(0, length - 4)) });
    if (isKey) return made({ type: 'code', pattern: `????${'#'.repeat(Math.min(length, 20) - 4)}` }, note);
    return made({ type: 'text', minLength: uniqueLength, maxLength: length, ...alphabet }, note);
  }
  return made(isFixed ? { type: 'text', length, ...alphabet } : { type: 'text', maxLength: length, ...alphabet }, note);
}

function bytes({ type, args }: DdlColumn): DatasetColumn {
  const given = args.map((one) => Number.parseInt(one, 10)).find((one) => one > 0);
  const length = given ?? (type === 'binary' ? 1 : usualLength);
  return made(
    type === 'binary' || type === 'raw' ? { type: 'bytes', length } : { type: 'bytes', maxLength: length },
    given === undefined && type !== 'binary'
      ? `has up to ${formatCount(length)} bytes, because its type has no length`
      : null,
  );
}
