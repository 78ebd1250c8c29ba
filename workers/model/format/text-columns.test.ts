import { expect, test } from 'vitest';
import { textColumns } from './text-columns.ts';

test('a character of Chinese, Japanese or Korean and an emoji take two columns, a mark on another character none', () => {
  expect(textColumns('sqlite ÷ 1,000 – ≥')).toBe(18);
  expect(textColumns('中文数据库')).toBe(10);
  expect(textColumns('データ、한국어')).toBe(14);
  expect(textColumns('🐘')).toBe(2);
  expect(textColumns('قَاعِدَة')).toBe(5);
  expect(textColumns('e\u0301\u200b')).toBe(1);
});
