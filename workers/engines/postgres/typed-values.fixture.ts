import type { TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, quoted } from '../conformance/typed-value.fixture.ts';

/** As psql prints them. */
export const typedValues: readonly TypedValue[] = [
  asWritten('smallint', 'integer', '-32768'),
  asWritten('integer', 'integer', '2147483647'),
  ...int64('bigint'),
  asWritten('numeric(12, 2)', 'decimal', '1533.01', '153301'),
  asWritten(
    'numeric(38, 20)',
    'decimal',
    '-123456789012345678.12345678901234567891',
    '-123456789012345678.12345678901234567892',
  ),
  asWritten(
    'numeric(38, 0)',
    'decimal',
    '99999999999999999999999999999999999999',
    '99999999999999999999999999999999999998',
  ),
  asWritten('numeric(38, 38)', 'decimal', '0.00000000000000000000000000000000000001', '0'),
  asWritten('numeric', 'decimal', '0.0000001', '0'),
  { type: 'double precision', literal: '1e-7', beside: '1.0000000000000002e-7', shown: '1e-07', as: 'float' },
  { type: 'double precision', literal: '1e308', shown: '1e+308', as: 'float' },
  asWritten('real', 'text', '0.1'),
  { type: 'boolean', literal: 'true', beside: 'false', shown: 't', as: 'boolean' },
  quoted('text', 'text', ''),
  quoted('varchar(9)', 'text', 'end  ', 'end'),
  { type: 'char(5)', literal: "'ab'", shown: 'ab   ', as: 'text' },
  quoted('date', 'timestamp', '2024-02-29'),
  quoted('time', 'text', '23:59:59.999999'),
  quoted('timestamp', 'timestamp', '2024-02-29 12:34:56.000789', '2024-02-29 12:34:56'),
  quoted('timestamp', 'timestamp', '0001-01-01 00:00:00.000001'),
  {
    type: 'timestamptz',
    literal: "'2024-02-29 12:34:56.999999+05:30'",
    beside: "'2024-02-29 12:34:56.999999+00'",
    shown: '2024-02-29 07:04:56.999999+00',
    as: 'timestamp',
  },
  quoted('uuid', 'uuid', '00112233-4455-6677-8899-aabbccddeeff'),
  quoted('bytea', 'bytes', '\\x00ff5c27', '\\x00ff5c28'),
  { type: 'jsonb', literal: `'{"a": 12345678901234567.89}'`, shown: '{"a": 12345678901234567.89}', as: 'text' },
];
