import type { ListedValue, TypedValue } from '../conformance/test-server.ts';
import { asWritten, misleadingTexts } from '../conformance/typed-value.fixture.ts';

/** Values as the studio shows them in documents: numbers are as they were written. */
export const typedValues: readonly TypedValue[] = [
  asWritten(null, 'integer', '-2147483648'),
  asWritten(null, 'integer', '9007199254740993', '1'),
  asWritten(null, 'decimal', '1533.01', '153301'),
  asWritten(null, 'decimal', '0.0000001', '0'),
  asWritten(null, 'decimal', '1.50', '150'),
  asWritten(null, 'decimal', '12345678901234567.89', '1'),
  asWritten(null, 'float', '0.1', '0.2'),
  asWritten(null, 'boolean', 'true', 'false'),
  { type: null, literal: '"end  "', beside: '"end"', shown: 'end  ', as: 'text' },
  {
    type: null,
    literal: '"2024-02-29T12:34:56.0007891Z"',
    beside: '"2024-02-29T12:34:56.0007892Z"',
    shown: '2024-02-29T12:34:56.0007891Z',
    as: 'text',
  },
];

/** Values that a look-up only finds if they come from a list. */
export const listedValues: readonly ListedValue[] = [
  ...misleadingTexts(null, JSON.stringify),
  { type: null, literal: 'false', beside: 'true' },
  { type: null, literal: '5', beside: '6' },
];
