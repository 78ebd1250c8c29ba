import type { TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, quoted } from '../conformance/typed-value.fixture.ts';

/** As the command line clients print them; bytes in hexadecimal digits, as with --binary-as-hex. */
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
