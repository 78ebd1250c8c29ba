import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, misleadingTexts, quoted } from '../conformance/typed-value.fixture.ts';

/** Values as SQL*Plus prints them with ISO formats, and with the zero before the point. */
export const typedValues: readonly TypedValue[] = [
  asWritten('NUMBER(5)', 'integer', '-32768'),
  ...int64('NUMBER(19)'),
  asWritten('NUMBER(12, 2)', 'decimal', '1533.01', '153301'),
  asWritten('NUMBER(12, 7)', 'decimal', '0.0000001', '0'),
  asWritten('NUMBER(19, 2)', 'decimal', '12345678901234567.89', '12345678901234567.88'),
  asWritten(
    'NUMBER(38, 20)',
    'decimal',
    '-123456789012345678.12345678901234567891',
    '-123456789012345678.12345678901234567892',
  ),
  asWritten(
    'NUMBER(38)',
    'decimal',
    '99999999999999999999999999999999999999',
    '99999999999999999999999999999999999998',
  ),
  quoted('VARCHAR2(9)', 'text', 'end  ', 'end'),
  quoted('TIMESTAMP(6)', 'timestamp', '2024-02-29 12:34:56.000789', '2024-02-29 12:34:56', 'TIMESTAMP '),
  quoted('TIMESTAMP(6)', 'timestamp', '2024-03-31 02:30:00.999999', undefined, 'TIMESTAMP '),
  {
    type: 'RAW(16)',
    literal: "HEXTORAW('00112233445566778899aabbccddeeff')",
    shown: '0x00112233445566778899aabbccddeeff',
    as: 'uuid',
  },
];

/** Values of types that the emulator, PostgreSQL, does not have. */
export const productValues: readonly TypedValue[] = [
  { type: 'BINARY_DOUBLE', literal: '1e-7', beside: '1.0000000000000002e-7', shown: '1e-7', as: 'float' },
  { type: 'CHAR(5)', literal: "'ab'", shown: 'ab   ', as: 'text' },
  { type: 'DATE', literal: "DATE '2024-02-29'", shown: '2024-02-29 00:00:00', as: 'timestamp' },
  quoted('TIMESTAMP(9)', 'timestamp', '2024-02-29 12:34:56.123456789', '2024-02-29 12:34:56.123456788', 'TIMESTAMP '),
];

/** Values that a look-up only finds if they come from a list. */
export const listedValues: readonly ListedValue[] = [
  ...misleadingTexts('VARCHAR2(36)'),
  { type: 'NUMBER', literal: '0.5', beside: '5' },
  { type: 'RAW(9)', literal: "HEXTORAW('00FF5C27')", beside: "HEXTORAW('00FF5C28')" },
];
