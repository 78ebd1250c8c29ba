import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, misleadingTexts, quoted } from '../conformance/typed-value.fixture.ts';

/** A point in time, which clients print with a blank for the T and before the offset. */
const moment = (type: string, text: string, beside?: string): TypedValue => ({
  ...quoted(type, 'timestamp', text, beside),
  shown: text.replace('T', ' ').replace('+', ' +'),
});

/** Values as sqlcmd prints them. */
export const typedValues: readonly TypedValue[] = [
  asWritten('smallint', 'integer', '-32768'),
  asWritten('int', 'integer', '2147483647'),
  ...int64('bigint'),
  asWritten('decimal(12, 2)', 'decimal', '1533.01', '153301'),
  asWritten('decimal(38, 7)', 'decimal', '0.0000001', '0'),
  asWritten(
    'decimal(38, 19)',
    'decimal',
    '-1234567890123456789.1234567890123456789',
    '-1234567890123456789.1234567890123456788',
  ),
  {
    type: 'decimal(38, 0)',
    literal: '99999999999999999999999999999999999999',
    beside: '99999999999999999999999999999999999998',
    shown: '99999999999999999999999999999999999999',
    as: 'decimal',
    scale: 0,
  },
  asWritten('money', 'decimal', '-922337203685477.5808', '-922337203685477.5807'),
  asWritten('float', 'float', '1e-7', '1.0000000000000002e-7'),
  { type: 'bit', literal: '1', beside: '0', shown: 'true', as: 'boolean' },
  { type: 'nvarchar(9)', literal: "N'end  '", beside: "N'enda'", shown: 'end  ', as: 'text' },
  { type: 'char(5)', literal: "'ab'", shown: 'ab   ', as: 'text' },
  quoted('date', 'timestamp', '2024-02-29'),
  quoted('time(7)', 'text', '23:59:59.9999999'),
  moment('datetime', '2024-02-29T12:34:56.003', '2024-02-29T12:34:56.007'),
  moment('smalldatetime', '2024-02-29T12:34:00'),
  moment('datetime2(6)', '2024-02-29T12:34:56.000789', '2024-02-29T12:34:56'),
  moment('datetime2(7)', '2024-02-29T12:34:56.1234567', '2024-02-29T12:34:56.1234566'),
  moment('datetimeoffset(7)', '2024-02-29T12:34:56.1234567+05:30', '2024-02-29T12:34:56.1234567+00:00'),
  quoted('uniqueidentifier', 'uuid', '00112233-4455-6677-8899-AABBCCDDEEFF'),
  { type: 'varbinary(9)', literal: '0x00FF5C27', beside: '0x00FF5C28', shown: '0x00ff5c27', as: 'bytes' },
];

/** Values that a look-up only finds if they come from a list. */
export const listedValues: readonly ListedValue[] = [
  ...misleadingTexts('varchar(36)'),
  ...misleadingTexts('nchar(36)'),
  { type: 'tinyint', literal: '255', beside: '254' },
  { type: 'real', literal: '0.1', beside: '0.10001' },
  { type: 'smallmoney', literal: '-214748.3648', beside: '-214748.3647' },
  { type: 'binary(4)', literal: '0x00FF5C27', beside: '0x00FF5C28' },
];
