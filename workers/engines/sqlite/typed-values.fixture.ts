import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, int64, misleadingTexts, quoted } from '../conformance/typed-value.fixture.ts';

/** Values as the sqlite3 shell prints them, except that JavaScript writes a whole REAL without a point. */
export const typedValues: readonly TypedValue[] = [
  asWritten('INTEGER', 'integer', '-32768'),
  ...int64('INTEGER'),
  asWritten('REAL', 'float', '0.1', '0.1000000001'),
  asWritten('REAL', 'float', '1e-7', '1.0000000000000002e-7'),
  { type: 'REAL', literal: '1e308', shown: '1e+308', as: 'float' },
  quoted('TEXT', 'text', '12345678901234567.89', '12345678901234567.88'),
  quoted('TEXT', 'text', ''),
  quoted('TEXT', 'text', 'end  ', 'end'),
  { type: 'BLOB', literal: "x'00ff5c27'", beside: "x'00ff5c28'", shown: '0x00ff5c27', as: 'bytes' },
  {
    type: 'BLOB',
    literal: "x'00112233445566778899aabbccddeeff'",
    shown: '0x00112233445566778899aabbccddeeff',
    as: 'uuid',
  },
];

/** Values that a look-up only finds if they come from a list; columns without a type hold values of every type. */
export const listedValues: readonly ListedValue[] = [
  ...misleadingTexts('TEXT'),
  ...misleadingTexts(''),
  ...misleadingTexts('BLOB'),
  { type: '', literal: '5', beside: "'5'" },
  { type: '', literal: '5.5', beside: "'5.5'" },
  { type: '', literal: "x'3500'", beside: "'5'" },
  { type: '', literal: '9223372036854775807', beside: '9223372036854775807.0' },
  { type: 'REAL', literal: '5.0', beside: '6.0' },
  { type: 'REAL', literal: '-9e999', beside: '9e999' },
  { type: 'NUMERIC', literal: '12.50', beside: '12' },
  { type: 'TEXT', literal: "CAST(x'610062' AS TEXT)", beside: "'a'" },
  { type: 'DATE', literal: "'2024-03-11'" },
];
