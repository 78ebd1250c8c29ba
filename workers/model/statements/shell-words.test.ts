import { expect, test } from 'vitest';
import { commandOfShell, jsonProblem } from './shell-words.ts';

test.each<[string, string, number, number]>([
  ['{ "a": ObjectId("6b0b888a5763d885c11f4adb") }', '{ "$oid": "6b0b888a5763d885c11f4adb" }', 1, 8],
  ['{ "a": new ObjectId(\'6b0b888a5763d885c11f4adb\') }', '{ "$oid": "6b0b888a5763d885c11f4adb" }', 1, 8],
  ['{\n  "at": { "$gte": ISODate("2024-03-11") }\n}', '{ "$date": "2024-03-11T00:00:00.000Z" }', 2, 19],
  ['{ "at": ISODate("2024-03-11T10:20:30") }', '{ "$date": "2024-03-11T10:20:30.000Z" }', 1, 9],
  ['{ "at": new Date(1710000000000) }', '{ "$date": { "$numberLong": "1710000000000" } }', 1, 9],
  ['{ "p": NumberDecimal("12.50") }', '{ "$numberDecimal": "12.50" }', 1, 8],
  ['{ "n": NumberLong(9007199254740993) }', '{ "$numberLong": "9007199254740993" }', 1, 8],
  ['{ "n": NumberInt("5") }', '{ "$numberInt": "5" }', 1, 8],
  [
    '{ "u": UUID("00112233-4455-6677-8899-aabbccddeeff") }',
    '{ "$uuid": "00112233-4455-6677-8899-aabbccddeeff" }',
    1,
    8,
  ],
  ['{ "b": BinData(0, "AQID") }', '{ "$binary": { "base64": "AQID", "subType": "00" } }', 1, 8],
  ['{ "t": Timestamp(5, 1) }', '{ "$timestamp": { "t": 5, "i": 1 } }', 1, 8],
  ['{ "r": /^a\\/b/i }', '{ "$regularExpression": { "pattern": "^a\\\\/b", "options": "i" } }', 1, 8],
  ['{ "k": MinKey() }', '{ "$minKey": 1 }', 1, 8],
  ['{ find: "orders" }', '"find"', 1, 3],
  ["{ \"find\": 'it''s' }".replace("''", "\\'"), '"it\'s"', 1, 11],
])('%s is told with its place and its JSON', (text, write, line, column) => {
  const problem = jsonProblem(text);
  expect(problem).toMatchObject({ line, column, write });
  expect(() => JSON.parse(problem!.corrected!)).not.toThrow();
  expect(problem!.corrected).toContain(write);
});

test('several parts, comments and commas too many are corrected together', () => {
  const text = `{ find: 'orders', // the big one
    filter: { _id: ObjectId("6b0b888a5763d885c11f4adb"), "note": "ObjectId(\\"x\\")", },
  }`;
  expect(JSON.parse(jsonProblem(text)!.corrected!)).toEqual({
    find: 'orders',
    filter: { _id: { $oid: '6b0b888a5763d885c11f4adb' }, note: 'ObjectId("x")' },
  });
});

test.each<[string, number, string]>([
  ['{ "a": ObjectId() }', 8, 'ObjectId()'],
  ['{ "a": ISODate("yesterday") }', 8, 'ISODate("yesterday")'],
  ['{ "a": rand() }', 8, 'rand() }'],
  ['{ "a": 1 "b": 2 }', 10, '"b": 2 }'],
])('%s has no JSON, and its place is told', (text, column, found) => {
  expect(jsonProblem(text)).toMatchObject({ line: 1, column, found, write: null, corrected: null });
});

test.each(['{ "a": "ObjectId(1)" }', 'SELECT 1', '{}'])('%s has no such problem', (text) => {
  expect(jsonProblem(text)).toBeNull();
});

test('a call of the shell is converted to its command', () => {
  expect(commandOfShell('db.orders.find({ a: 1 })')).toBe('{ "find": "orders", "filter": { … } }');
  expect(commandOfShell('db.getCollection("a.b").deleteMany({})')).toContain('"delete": "a.b"');
  expect(commandOfShell('db.orders.mapReduce()')).toBe('{ … }');
  expect(commandOfShell('{ "find": "a" }')).toBeNull();
});
