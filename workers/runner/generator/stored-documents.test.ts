import { expect, test } from 'vitest';
import { decodeColumn } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { canonicalJson } from '#model/text/json-text.ts';
import { createGenerator } from './generator.ts';

const decimal = { type: 'decimal', precision: 9, scale: 8, min: -2, max: 2, nulls: 0 } as const;
const dataset: Dataset = {
  rows: 200,
  seed: 5,
  columns: {
    details: {
      type: 'document',
      nulls: 0,
      fields: {
        signature: { type: 'words', minWords: 1, maxWords: 5, vocabulary: 100, nulls: 0.2 },
        price: decimal,
        at: { type: 'timestamp', from: '2020-01-01', to: '2021-01-01', nulls: 0 },
        lines: {
          type: 'list',
          minLength: 0,
          maxLength: 3,
          nulls: 0,
          of: { type: 'object', nulls: 0, fields: { rebate: { ...decimal, min: 0, max: 0.000_001 }, sku: decimal } },
        },
      },
    },
  },
};
const stored = (documents: 'text' | 'native') => {
  const [{ type } = expect.fail('no column')] = tableColumns(dataset, { documents });
  const [column = expect.fail('no column')] = createGenerator(dataset, { documents }).fill(0, 200, null).columns;
  return { type, texts: decodeColumn(column, type, 200).map(String) };
};

test('documents stored natively are those stored as text, in canonical form', () => {
  const [text, native] = [stored('text'), stored('native')];
  expect(native.texts).toEqual(text.texts.map((one) => canonicalJson(JSON.parse(one))));
  expect(native.texts).not.toEqual(text.texts);
});

test('as text, fields are in the order of the file and decimals have all their places', () => {
  for (const text of stored('text').texts)
    expect(text).toMatch(/^\{"signature":.+,"price":-?\d\.\d{8},"at":".+","lines":\[.*\]\}$/);
});

test('only native ones are marked for engines', () => {
  expect(stored('native').type).toMatchObject({ kind: 'text', document: true });
  expect(stored('text').type).not.toHaveProperty('document');
});

test('canonical form: fields by length and name, numbers without exponent', () => {
  expect(canonicalJson({ bb: 1, a: -1.5e-7, c: [{ z: null, y: 'a: b' }] })).toBe(
    '{"a":-0.00000015,"c":[{"y":"a: b","z":null}],"bb":1}',
  );
});
