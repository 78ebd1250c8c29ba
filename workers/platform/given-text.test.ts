import { expect, test } from 'vitest';
import { decodeText } from './given-text.ts';

const text = 'SELECT 1 -- Zürich €';
const little = Buffer.from(text, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16, as Management Studio calls Unicode', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 without its mark', little],
  ['UTF-16 with the other order of bytes', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['UTF-16 with the other order and no mark', Buffer.from(little).swap16()],
  ['Windows’ Latin letters', Buffer.from([...Buffer.from('SELECT 1 -- Z'), 0xfc, ...Buffer.from('rich '), 0x80])],
])('%s is read', (_name, bytes) => {
  expect(decodeText(bytes)).toBe(text);
});

test('an empty file is an empty text', () => {
  expect(decodeText(Buffer.alloc(0))).toBe('');
});
