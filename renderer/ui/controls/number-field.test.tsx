import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { entryOf, NumberField } from './number-field.tsx';

const rows = { unit: 'rows', whole: true, min: 1, max: 1_000_000_000 } as const;
const shown = (value: number | string | null, required = false) =>
  renderToString(<NumberField label="Rows" {...rows} required={required} value={value} onChange={() => {}} />);

test('a text that is no number stays, is invalid, and says why', () => {
  const html = shown('many');
  expect(html).toContain('value="many"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('“many” is not understood. Write a whole number, such as 20000, 20k or 2M.');
});

test('a number of the file has its commas beside it, and is judged by its bounds alone', () => {
  expect(shown(20_000)).toContain('value="20000"');
  expect(shown(20_000)).toContain('= 20,000');
  expect(shown(20_000)).not.toContain('aria-invalid');
  expect(shown(1_000)).not.toContain('separates thousands');
  expect(shown(0)).toContain('At least 1');
});

test('an empty field is the default, or lacks its number', () => {
  expect(shown(null)).not.toContain('aria-invalid');
  expect(shown('', true)).toContain('Enter a number.');
});

test('what is typed becomes a number, or stays the text that it is', () => {
  expect(entryOf('100k', rows, false)).toBe(100_000);
  expect(entryOf('1.000', rows, false)).toBe(1_000);
  expect(entryOf('0,5', { unit: 's' }, false)).toBe(0.5);
  expect(entryOf('500ms', { unit: 's' }, false)).toBe(0.5);
  expect(entryOf('5 apples', rows, false)).toBe('5 apples');
  expect(entryOf(' ', rows, false)).toBeNull();
  expect(entryOf('', rows, true)).toBe('');
});
