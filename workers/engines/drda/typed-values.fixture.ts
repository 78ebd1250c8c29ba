import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, misleadingTexts, quoted } from '../conformance/typed-value.fixture.ts';

/** Values as ij prints them, except for the zeros that fill a TIMESTAMP's `digits`, and for the 0x before bytes. */
export const typedValues = (digits: number): readonly TypedValue[] => [
  asWritten('SMALLINT', 'integer', '-32768'),
  asWritten('INTEGER', 'integer', '2147483647'),
  ...int64('BIGINT'),
  asWritten('DECIMAL(12, 2)', 'decimal', '1533.01', '153301'),
  asWritten('DECIMAL(12, 7)', 'decimal', '0.0000001', '0'),
  asWritten('DECIMAL(31, 15)', 'decimal', '-1234567890123456.123456789012345', '-1234567890123456.123456789012344'),
  asWritten('DECIMAL(31, 31)', 'decimal', '0.0000000000000000000000000000001', '0'),
  asWritten('DOUBLE', 'float', '1e-7', '1.0000000000000002e-7'),
  { type: 'DOUBLE', literal: '1e308', shown: '1e+308', as: 'float' },
  quoted('VARCHAR(9)', 'text', ''),
  quoted('VARCHAR(9)', 'text', 'end  ', 'enda'),
  { type: 'CHAR(5)', literal: "'ab'", shown: 'ab   ', as: 'text' },
  { type: 'DATE', literal: "DATE('2024-02-29')", shown: '2024-02-29', as: 'text' },
  { type: 'TIME', literal: "TIME('23:59:59')", shown: '23:59:59', as: 'text' },
  {
    type: 'TIMESTAMP',
    literal: "TIMESTAMP('2024-02-29 12:34:56.000789')",
    beside: "TIMESTAMP('2024-02-29 12:34:56')",
    shown: `2024-02-29 12:34:56.${'000789'.padEnd(digits, '0')}`,
    as: 'timestamp',
  },
  { type: 'CHAR(4) FOR BIT DATA', literal: "X'00ff5c27'", beside: "X'00ff5c28'", shown: '0x00ff5c27', as: 'bytes' },
];

/** Values that a look-up only finds if they come from a list. */
export const listedValues: readonly ListedValue[] = [
  ...misleadingTexts('VARCHAR(36)'),
  ...misleadingTexts('CHAR(36)'),
  { type: 'REAL', literal: 'CAST(0.1 AS REAL)', beside: 'CAST(0.10001 AS REAL)' },
  { type: 'VARCHAR(9) FOR BIT DATA', literal: "X'00ff5c27'", beside: "X'00ff5c28'" },
];
