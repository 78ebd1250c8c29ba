import { expect, test } from 'vitest';
import { piecesOf, requestOf } from './json-request.ts';

const writtenAgain = (text: string) => [...piecesOf(requestOf(text)!.body)].map((piece) => piece.text).join('');

test('a request keeps its names in their order and its numbers with their digits', () => {
  const text =
    '{"Type":"PUT","Id":"years/1","Document":{"b":1,"2023":1.50,"in":[{"z":12345678901234567.89,"7":{"y":2,"0":null}}]}}';
  expect(writtenAgain(text)).toBe(text);
});

test('a name that stands twice in one object makes a text no request', () => {
  expect(requestOf('{"Type":"PUT","Document":{"a":1,"a":2}}')).toBeNull();
});
