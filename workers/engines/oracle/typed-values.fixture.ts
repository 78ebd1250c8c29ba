import type { TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64 } from '../conformance/typed-value.fixture.ts';

/** As SQL*Plus prints them with ISO formats, and with the zero before the point. */
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
  { type: 'VARCHAR2(9)', literal: "'end  '", beside: "'end'", shown: 'end  ', as: 'text' },
  {
    type: 'TIMESTAMP(6)',
    literal: "TIMESTAMP '2024-02-29 12:34:56.000789'",
    beside: "TIMESTAMP '2024-02-29 12:34:56'",
    shown: '2024-02-29 12:34:56.000789',
    as: 'timestamp',
  },
  {
    type: 'TIMESTAMP(6)',
    literal: "TIMESTAMP '2024-03-31 02:30:00.999999'",
    shown: '2024-03-31 02:30:00.999999',
    as: 'timestamp',
  },
  {
    type: 'RAW(16)',
    literal: "HEXTORAW('00112233445566778899aabbccddeeff')",
    shown: '0x00112233445566778899aabbccddeeff',
    as: 'uuid',
  },
];

/** Values of types that the stand-in, PostgreSQL, does not have. */
export const productValues: readonly TypedValue[] = [
  { type: 'BINARY_DOUBLE', literal: '1e-7', beside: '1.0000000000000002e-7', shown: '1e-7', as: 'float' },
  { type: 'CHAR(5)', literal: "'ab'", shown: 'ab   ', as: 'text' },
  { type: 'DATE', literal: "DATE '2024-02-29'", shown: '2024-02-29 00:00:00', as: 'timestamp' },
  {
    type: 'TIMESTAMP(9)',
    literal: "TIMESTAMP '2024-02-29 12:34:56.123456789'",
    beside: "TIMESTAMP '2024-02-29 12:34:56.123456788'",
    shown: '2024-02-29 12:34:56.123456789',
    as: 'timestamp',
  },
];
