import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, misleadingTexts, quoted } from '../conformance/typed-value.fixture.ts';

/** Values as the command line clients print them; bytes are hexadecimal digits, as with --binary-as-hex. */
export const typedValues: readonly TypedValue[] = [
  asWritten('SMALLINT', 'integer', '-32768'),
  asWritten('INT', 'integer', '2147483647'),
  ...int64('BIGINT'),
  asWritten('BIGINT UNSIGNED', 'decimal', '18446744073709551615', '18446744073709551614'),
  asWritten('DECIMAL(12, 2)', 'decimal', '1533.01', '153301'),
  asWritten(
    'DECIMAL(38, 20)',
    'decimal',
    '-123456789012345678.12345678901234567891',
    '-123456789012345678.12345678901234567892',
  ),
  asWritten('DECIMAL(30, 30)', 'decimal', '0.000000000000000000000000000001', '0.000000000000000000000000000002'),
  asWritten('DECIMAL(19, 2)', 'decimal', '12345678901234567.89', '12345678901234567.88'),
  asWritten('DECIMAL(12, 7)', 'decimal', '0.0000001', '0'),
  asWritten('DOUBLE', 'float', '1e-7', '1.0000000000000002e-7'),
  { type: 'DOUBLE', literal: '1e308', shown: '1e+308', as: 'float' },
  { type: 'BOOLEAN', literal: 'TRUE', beside: 'FALSE', shown: '1', as: 'boolean' },
  quoted('VARCHAR(9)', 'text', ''),
  { type: 'VARBINARY(9)', literal: "'end  '", beside: "'end'", shown: '0x656e642020', as: 'bytes' },
  quoted('VARCHAR(9)', 'text', 'end  ', 'enda'),
  quoted('CHAR(5)', 'text', 'ab'),
  quoted('DATE', 'timestamp', '2024-02-29'),
  quoted('TIME(6)', 'text', '-838:59:58.999999'),
  quoted('DATETIME(6)', 'timestamp', '2024-02-29 12:34:56.000789', '2024-02-29 12:34:56'),
  quoted('TIMESTAMP(6)', 'timestamp', '2024-02-29 12:34:56.999999', '2024-02-29 12:34:57'),
  {
    type: 'BINARY(16)',
    literal: "x'00112233445566778899aabbccddeeff'",
    shown: '0x00112233445566778899aabbccddeeff',
    as: 'bytes',
  },
];

/** Values that a look-up only finds if they come from a list; also values of types that MySQL does not have. */
export const listedValues = (isMariadb: boolean): readonly ListedValue[] => [
  ...misleadingTexts('CHAR(36) CHARACTER SET latin1'),
  ...misleadingTexts('VARCHAR(36) CHARACTER SET utf8mb3'),
  ...misleadingTexts('TEXT CHARACTER SET utf8mb4'),
  { type: 'VARCHAR(9) CHARACTER SET latin1', literal: "'grüße'", beside: "'gruse'" },
  { type: 'TINYINT UNSIGNED', literal: '255' },
  { type: 'MEDIUMINT', literal: '-8388608' },
  { type: 'FLOAT', literal: '0.1', beside: '0.10001' },
  { type: 'FLOAT', literal: '16777215', beside: '16777214' },
  { type: 'BIT(1)', literal: "b'1'", beside: "b'0'" },
  { type: 'BIT(8)', literal: "b'101'", beside: "b'100'" },
  { type: 'BIT(64)', literal: '18446744073709551615', beside: '18446744073709551614' },
  { type: 'YEAR', literal: '1999', beside: '2024' },
  { type: "ENUM('open', 'done', '1')", literal: "'1'", beside: "'open'" },
  { type: "SET('a', 'b')", literal: "'a,b'", beside: "'a'" },
  { type: 'TIME', literal: "'-838:59:59'" },
  { type: 'DATE', literal: "'1000-01-01'" },
  { type: 'DATETIME(3)', literal: "'2024-03-31 02:30:00.001'", beside: "'2024-03-31 02:30:00.002'" },
  { type: 'DECIMAL(65, 30)', literal: '12345678901234567890123456789012345.123456789012345678901234567891' },
  { type: 'BLOB', literal: "x'00ff5c27'", beside: "x'00ff5c28'" },
  ...(isMariadb
    ? [
        { type: 'JSON', literal: `'{"a": 9007199254740993}'`, beside: `'{"a": 9007199254740992}'` },
        { type: 'UUID', literal: "'00112233-4455-6677-8899-aabbccddeeff'" },
        { type: 'INET6', literal: "'::1'" },
      ]
    : []),
];
