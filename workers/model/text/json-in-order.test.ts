import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsOf, objectOf, parseInOrder } from './json-in-order.ts';

const written = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const fields = fieldsOf(value);
  return fields
    ? `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${written(field)}`).join(',')}}`
    : JSON.stringify(value);
};

test('names stay where they stand, also those that JavaScript would put first', () => {
  for (const text of [
    '{"b":1,"2023":-1,"a":{"10":[{"z":1,"9":2}],"1":null}}',
    '{"__proto__":{"0":true},"constructor":1,"4294967294":2}',
  ])
    expect(written(parseInOrder(text, Number))).toBe(text);
});

test('any JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', '  ', '\t'), (text, space) => {
      const value: unknown = JSON.parse(text);
      expect(JSON.parse(written(parseInOrder(JSON.stringify(value, null, space), Number)))).toEqual(value);
    }),
    { seed: 16, numRuns: 500 },
  );
});

test('a text that is no JSON, and a name that comes twice, are refused', () => {
  for (const text of ['', '{"a":1', '{a:1}', '[1,]', "{'a':1}"])
    expect(() => parseInOrder(text, Number)).toThrow(SyntaxError);
  expect(() => parseInOrder('{"a":{"b":1,"b":2}}', Number)).toThrow('The name "b" stands twice in one object.');
});

test('the digits of a number are there, and an object can be replaced', () => {
  expect(parseInOrder('{"a":[1.50,-0]}', (digits) => digits)).toEqual({ a: ['1.50', '-0'] });
  expect(parseInOrder('[{"a":1}]', Number, (fields) => fieldsOf(fields)!.length)).toEqual([1]);
  expect(objectOf([['a', 1]])).toEqual({ a: 1 });
});
