import { expect, test } from 'vitest';
import type { AnsweredRows } from '#engine-api/statement.ts';
import { decodeColumn, type Value } from '#model/batch/decode.ts';
import type { CapturedSpec } from '#model/statements/statements.ts';
import { capture, capturedType } from './captured.ts';

const spec = (as: CapturedSpec['as'], scale?: number): CapturedSpec => ({
  type: 'captured',
  from: 'before',
  column: 'v',
  as,
  ...(scale !== undefined && { scale }),
});
const answer = (value: string | null, more: Partial<AnsweredRows> = {}): AnsweredRows => ({
  columns: ['n', 'V'],
  rows: [['1', value]],
  count: 1,
  ...more,
});
const captured = (one: CapturedSpec, shown: AnsweredRows): Value => {
  const value = decodeColumn(capture(one, shown), capturedType(one), 1)[0]!;
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
};

test.each<[CapturedSpec['as'], string | null, Value]>([
  ['integer', '42', 42],
  ['integer', '9223372036854775807', 2n ** 63n - 1n],
  ['integer', null, null],
  ['decimal', '1533.01', '1533.01'],
  ['decimal', '0.0000001', '0.0000001'],
  ['decimal', '-1E-7', '-0.0000001'],
  ['decimal', '-123456789012345678.12345678901234567891', '-123456789012345678.12345678901234567891'],
  ['decimal', '1.50', '1.50'],
  ['decimal', null, null],
  ['float', '1e308', 1e308],
  ['text', '', ''],
  ['text', 'end  ', 'end  '],
  ['timestamp', '2024-02-29 12:34:56.1234567', '2024-02-29T12:34:56.1234567Z'],
  ['timestamp', '2024-02-29 12:34:56.123456789 +05:30', '2024-02-29T07:04:56.123456789Z'],
  ['timestamp', '1709210096000789', '2024-02-29T12:34:56.000789Z'],
  ['timestamp', null, null],
  ['boolean', '1', true],
  ['bytes', '0x00ff', Uint8Array.of(0, 255)],
])('%s %j is captured to its last digit', (as, value, expected) => {
  expect(captured(spec(as), answer(value))).toEqual(expected);
});

test('a scale says how a decimal is declared, and never cuts digits off', () => {
  expect(captured(spec('decimal', 2), answer('12.5'))).toBe('12.5');
  expect(captured(spec('decimal', 2), answer('12.500'))).toBe('12.500');
  expect(capturedType(spec('decimal', 2))).toEqual({ kind: 'decimal', precision: 38, scale: 2 });
  expect(() => captured(spec('decimal', 2), answer('0.0000001'))).toThrow(
    /more digits after its point than `scale: 2`/,
  );
  expect(() => captured(spec('decimal'), answer('1'.repeat(39)))).toThrow(/more than 38 digits/);
});

test('where a client shows less than the server has, the next step gets what the server has, or nothing', () => {
  const shown = answer('2024-02-29 12:34:56.003');
  expect(captured(spec('timestamp'), { ...shown, exact: [['1', '2024-02-29 12:34:56.0033333']] })).toBe(
    '2024-02-29T12:34:56.0033333Z',
  );
  expect(() => captured(spec('timestamp'), { ...shown, inexact: { 1: { why: 'the driver rounds.' } } })).toThrow(
    'before.v cannot be captured exactly: the driver rounds.',
  );
  const float = answer('0.1', { inexact: { 1: { only: 'decimal', why: 'it is a float.' } } });
  expect(captured(spec('float'), float)).toBe(0.1);
  expect(() => captured(spec('decimal'), float)).toThrow('it is a float.');
});

test.each(['0000-00-00', '2024-00-00', '2024-02-00 12:00:00'])('a date with a zero (%s) is told as one', (value) => {
  expect(() => capture(spec('timestamp'), answer(value))).toThrow(
    `before.v is “${value}”, which is no day of the calendar: \`as: text\` passes it on as it is.`,
  );
});
