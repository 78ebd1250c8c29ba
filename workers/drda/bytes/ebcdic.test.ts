import { expect, test } from 'vitest';
import { fromEbcdic, toEbcdic } from './ebcdic.ts';

const latin1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');

test('every character of ISO 8859-1 has a code of its own, and comes back', () => {
  const bytes = toEbcdic(latin1)!;
  expect(new Set(bytes).size).toBe(256);
  expect(fromEbcdic(bytes)).toBe(latin1);
});

test('codes are those of CCSID 500, which differs from CCSID 37 in brackets', () => {
  expect(toEbcdic('derbydncmain')!.toString('hex')).toBe('84859982a884958394818995');
  expect(toEbcdic('AZ az 09 []!^|')!.toString('hex')).toBe('c1e94081a940f0f9404a5a4f5fbb');
});

test('a character beyond the code page is not replaced but refused', () => {
  expect(toEbcdic('zł')).toBeNull();
});
