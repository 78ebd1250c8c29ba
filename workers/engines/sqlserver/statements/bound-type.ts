import type { ParameterType } from '#model/dataset/dataset.ts';
import type { AnswerType } from '#model/statements/statements.ts';

/** A column of an answer (COLMETADATA) as the driver describes it. */
export interface AnswerColumn {
  readonly colName: string;
  readonly type: { readonly name: string };
  /** The length in bytes; 65,535 means (max). */
  readonly dataLength?: number | undefined;
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
  readonly collation?: { readonly codepage?: string | undefined } | undefined;
}

const endless = 0xff_ff;

/**
 * The declared type of a column's value as a parameter: if a key is declared as a type of higher precedence, such as
 * nvarchar for varchar, the server converts the column of every row, and reads the whole index. Null: the type as which
 * the value is sent will do.
 *
 * `codepage`: that of the database, which parameters of char and varchar have. A column in another code page keeps
 * nvarchar, because characters would be lost.
 */
export function declaredAs(
  { type, dataLength = endless, precision = 18, scale = 0, collation }: AnswerColumn,
  codepage: string | undefined,
): string | null {
  const sized = (name: string, bytesEach: number): string =>
    `${name}(${dataLength === endless ? 'max' : Math.max(1, dataLength / bytesEach)})`;
  switch (type.name) {
    case 'VarChar':
    case 'Char':
      return collation?.codepage === codepage ? sized(type.name.toLowerCase(), 1) : null;
    case 'NVarChar':
    case 'NChar':
      return sized(type.name.toLowerCase(), 2);
    case 'Decimal':
    case 'DecimalN':
    case 'Numeric':
    case 'NumericN':
      return `decimal(${precision}, ${scale})`;
    case 'MoneyN':
      return dataLength === 4 ? 'smallmoney' : 'money';
    case 'DateTimeN':
      return dataLength === 4 ? 'smalldatetime' : 'datetime';
    case 'DateTime2':
    case 'DateTimeOffset':
      return `${type.name.toLowerCase()}(${scale})`;
    case 'Money':
    case 'SmallMoney':
    case 'DateTime':
    case 'SmallDateTime':
    case 'Date':
      return type.name.toLowerCase();
    default:
      return null;
  }
}

/** The type of a column's values as parameters. */
export function answerType({ type: { name } }: Pick<AnswerColumn, 'type'>): AnswerType {
  switch (name) {
    case 'TinyInt':
    case 'SmallInt':
    case 'Int':
    case 'BigInt':
    case 'IntN':
      return 'integer';
    case 'Bit':
    case 'BitN':
      return 'boolean';
    case 'Decimal':
    case 'DecimalN':
    case 'Numeric':
    case 'NumericN':
    case 'Money':
    case 'MoneyN':
    case 'SmallMoney':
      return 'decimal';
    case 'Real':
    case 'Float':
    case 'FloatN':
      return 'float';
    case 'Date':
    case 'DateTime':
    case 'DateTimeN':
    case 'SmallDateTime':
    case 'DateTime2':
    case 'DateTimeOffset':
      return 'timestamp';
    case 'UniqueIdentifier':
      return 'uuid';
    case 'Binary':
    case 'VarBinary':
    case 'Image':
    case 'UDT':
      return 'bytes';
    default:
      return 'text';
  }
}

const kinds: readonly (readonly [RegExp, ParameterType['kind']])[] = [
  [/^n?(var)?char\b/, 'text'],
  [/^(decimal|(small)?money)\b/, 'decimal'],
  [/^(date|(small)?datetime(2|offset)?)\b/, 'timestamp'],
];

/** True if values of a type are sent as the declared type, because an experiment may use a text as a number. */
export const suits = (declared: string, { kind }: ParameterType): boolean =>
  kinds.some(([pattern, one]) => one === kind && pattern.test(declared));

/** The type whose literals its values are written as. */
export const literalType = (type: ParameterType, declared: string | null): ParameterType =>
  type.kind === 'text' && declared !== null ? { ...type, ascii: !declared.startsWith('n') } : type;
