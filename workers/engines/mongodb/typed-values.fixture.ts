import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, misleadingTexts } from '../conformance/typed-value.fixture.ts';

/** A value as Extended JSON writes it: by the key of its type. */
const extended = (key: string, as: TypedValue['as'], text: string, beside?: string): TypedValue => ({
  ...{ type: null, literal: `{ "${key}": "${text}" }`, shown: text, as },
  ...(beside !== undefined && { beside: `{ "${key}": "${beside}" }` }),
});

/** Texts for mongosh's Long("…"), Decimal128("…"), ISODate("…") and UUID("…"). */
export const typedValues: readonly TypedValue[] = [
  asWritten(null, 'integer', '-2147483648'),
  asWritten(null, 'integer', '9223372036854775807', '9223372036854775806'),
  extended('$numberLong', 'integer', '-9223372036854775808', '-9223372036854775807'),
  extended('$numberDecimal', 'decimal', '1533.01', '153301'),
  {
    type: null,
    literal: '{ "$numberDecimal": "1E-7" }',
    beside: '{ "$numberDecimal": "0" }',
    shown: '0.0000001',
    as: 'decimal',
  },
  extended('$numberDecimal', 'decimal', '-12345678901234567.89012345678901234', '-12345678901234567.89012345678901235'),
  asWritten(null, 'float', '0.1', '0.10000000001'),
  asWritten(null, 'float', '1e-7', '1.0000000000000002e-7'),
  { type: null, literal: '1e308', shown: '1e+308', as: 'float' },
  asWritten(null, 'boolean', 'true', 'false'),
  { type: null, literal: '""', shown: '', as: 'text' },
  { type: null, literal: '"end  "', beside: '"end"', shown: 'end  ', as: 'text' },
  extended('$date', 'timestamp', '2024-02-29T12:34:56.789Z', '2024-02-29T12:34:56.788Z'),
  extended('$uuid', 'uuid', '00112233-4455-6677-8899-aabbccddeeff'),
  { type: null, literal: '{ "$binary": { "base64": "AP9cJw==", "subType": "00" } }', shown: '0x00ff5c27', as: 'bytes' },
];

/** Values of the types of BSON that a look-up only finds if they come from a list. */
export const listedValues: readonly ListedValue[] = [
  ...misleadingTexts(null, JSON.stringify),
  ...[
    '{ "$oid": "507f1f77bcf86cd799439011" }',
    '{ "$numberDouble": "5.0" }',
    '{ "$numberDouble": "NaN" }',
    '{ "$numberDouble": "-Infinity" }',
    '{ "$date": "0001-01-01T00:00:00Z" }',
    '{ "$timestamp": { "t": 5, "i": 6 } }',
    '{ "$binary": { "base64": "AP9cJw==", "subType": "05" } }',
    '{ "$minKey": 1 }',
    '{ "$symbol": "s" }',
    '{ "$code": "f()" }',
    '{ "a": { "$numberLong": "5" }, "2023": [{ "$numberDecimal": "1.50" }, "x"] }',
    '[1, { "$numberDecimal": "1.50" }]',
  ].map((literal) => ({ type: null, literal })),
  { type: null, literal: '"5"', beside: '5' },
  { type: null, literal: '5', beside: '"5"' },
  { type: null, literal: '{ "$date": "2024-03-11T00:00:00Z" }', beside: '"2024-03-11T00:00:00Z"' },
];
