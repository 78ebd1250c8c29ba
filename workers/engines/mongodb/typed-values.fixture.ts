import type { TypedValue } from '../conformance/test-server.ts';
import { asWritten } from '../conformance/typed-value.fixture.ts';

/** What is within mongosh's Long("…"), Decimal128("…"), ISODate("…") and UUID("…"). */
export const typedValues: readonly TypedValue[] = [
  asWritten(null, 'integer', '-2147483648'),
  asWritten(null, 'integer', '9223372036854775807', '9223372036854775806'),
  {
    type: null,
    literal: '{ "$numberLong": "-9223372036854775808" }',
    beside: '{ "$numberLong": "-9223372036854775807" }',
    shown: '-9223372036854775808',
    as: 'integer',
  },
  {
    type: null,
    literal: '{ "$numberDecimal": "1533.01" }',
    beside: '{ "$numberDecimal": "153301" }',
    shown: '1533.01',
    as: 'decimal',
  },
  {
    type: null,
    literal: '{ "$numberDecimal": "1E-7" }',
    beside: '{ "$numberDecimal": "0" }',
    shown: '0.0000001',
    as: 'decimal',
  },
  {
    type: null,
    literal: '{ "$numberDecimal": "-12345678901234567.89012345678901234" }',
    beside: '{ "$numberDecimal": "-12345678901234567.89012345678901235" }',
    shown: '-12345678901234567.89012345678901234',
    as: 'decimal',
  },
  asWritten(null, 'float', '0.1', '0.10000000001'),
  asWritten(null, 'float', '1e-7', '1.0000000000000002e-7'),
  { type: null, literal: '1e308', shown: '1e+308', as: 'float' },
  asWritten(null, 'boolean', 'true', 'false'),
  { type: null, literal: '""', shown: '', as: 'text' },
  { type: null, literal: '"end  "', beside: '"end"', shown: 'end  ', as: 'text' },
  {
    type: null,
    literal: '{ "$date": "2024-02-29T12:34:56.789Z" }',
    beside: '{ "$date": "2024-02-29T12:34:56.788Z" }',
    shown: '2024-02-29T12:34:56.789Z',
    as: 'timestamp',
  },
  {
    type: null,
    literal: '{ "$uuid": "00112233-4455-6677-8899-aabbccddeeff" }',
    shown: '00112233-4455-6677-8899-aabbccddeeff',
    as: 'uuid',
  },
  { type: null, literal: '{ "$binary": { "base64": "AP9cJw==", "subType": "00" } }', shown: '0x00ff5c27', as: 'bytes' },
];
