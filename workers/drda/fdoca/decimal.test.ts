import { expect, test } from 'vitest';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { seeded } from '../random.fixture.ts';
import { packedBytes, plainDecimal, readPacked, writePacked } from './decimal.ts';

const roundTrips = 20_000;

function pack(text: string, precision: number, scale: number): string | null {
  const to = new ByteWriter();
  return writePacked(to, text, precision, scale) ? to.copy().toString('hex') : null;
}

test.each([
  ['1', 1, 0, '1c'],
  ['-1', 1, 0, '1d'],
  ['12.3', 4, 2, '01230c'],
  ['-0.05', 3, 2, '005d'],
  ['.5', 2, 1, '005c'],
  ['+7.', 2, 0, '007c'],
  ['-0.00', 3, 2, '000c'],
  ['007', 1, 0, '7c'],
  ['99999', 5, 0, '99999c'],
])('%s as DECIMAL(%i, %i) is %s', (text, precision, scale, hex) => {
  expect(pack(text, precision, scale)).toBe(hex);
});

test.each([
  ['10', 1, 0],
  ['0.001', 5, 2],
  ['1e3', 9, 0],
  ['', 5, 0],
  ['-', 5, 0],
  ['.', 5, 0],
  ['1.2.3', 9, 3],
  ['12a', 9, 3],
  [' 1', 9, 0],
  ['NaN', 9, 0],
])('%s is no DECIMAL(%i, %i)', (text, precision, scale) => {
  expect(pack(text, precision, scale)).toBeNull();
});

test(`${roundTrips} random decimals of all precisions and scales come back as they were`, () => {
  const random = seeded(1);
  for (let n = 0; n < roundTrips; n++) {
    const precision = random.between(1, 31);
    const scale = random.between(0, precision);
    const whole = random.digits(random.between(0, precision - scale)).replace(/^0+(?=.)/, '') || '0';
    const fraction = random.digits(scale);
    const plain = scale > 0 ? `${whole}.${fraction}` : whole;
    const text = random.unit() < 0.5 && /[1-9]/.test(plain) ? `-${plain}` : plain;
    const bytes = Buffer.from(pack(text, precision, scale)!, 'hex');
    expect(bytes.length).toBe(packedBytes(precision));
    expect(readPacked(bytes, 0, precision, scale)).toBe(text);
  }
});

test('half bytes that are no digits, or no sign, are not read as a decimal', () => {
  expect(readPacked(Buffer.from('1a2c', 'hex'), 0, 3, 0)).toBeNull();
  expect(readPacked(Buffer.from('1234', 'hex'), 0, 3, 0)).toBeNull();
  expect(readPacked(Buffer.from('123f', 'hex'), 0, 3, 1)).toBe('12.3');
  expect(readPacked(Buffer.from('123b', 'hex'), 0, 3, 3)).toBe('-0.123');
});

test.each([
  [1e21, '1000000000000000000000'],
  [1.5e-7, '0.00000015'],
  [-2.5e22, '-25000000000000000000000'],
  [0.25, '0.25'],
  [-3, '-3'],
])('%d is written without an exponent', (number, text) => {
  expect(plainDecimal(number)).toBe(text);
});
