import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { executeNamed, executeUnnamed, parse, simpleQuery } from './messages.ts';

/** The bytes that `pg` itself would send. */
const { serialize } = createRequire(createRequire(import.meta.url).resolve('pg'))('pg-protocol');
const values = ['schön', 12.5, true, null, Buffer.from([0, 255]), '', 'long'.repeat(30), 'länger'.repeat(30)];
const asText = (value: unknown) => (value === null || value instanceof Buffer ? value : String(value));

test('a call is the messages that pg would send, in one piece; of a named statement without asking what comes back', () => {
  const text = 'SELECT $1, $2, $3, $4, $5, $6, $7, $8';
  const bound = (statement: string): Buffer => serialize.bind({ statement, values, valueMapper: asText });
  const rest = [serialize.execute(), serialize.sync()];
  const unnamed = [serialize.parse({ text }), bound(''), serialize.describe({ type: 'P' }), ...rest];
  expect(withoutFormats(executeUnnamed(text, values))).toEqual(withoutFormats(Buffer.concat(unnamed)));
  const named = Buffer.concat([bound('dyno_1'), ...rest]);
  expect(withoutFormats(executeNamed('dyno_1')(values))).toEqual(withoutFormats(named));
  expect(executeNamed('dyno_1')([]).includes('dyno_1')).toBe(true);
  expect(simpleQuery('SELECT 1')).toEqual(serialize.query('SELECT 1'));
  const declared = { name: 'dyno_2', text, types: [701, 0] };
  const numbers = [0, -0, 7, 10, 99, 100, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1e21, 0.1, Number.NaN];
  for (const number of numbers) {
    const one = Buffer.concat([
      serialize.bind({ statement: 'dyno_1', values: [number], valueMapper: asText }),
      ...rest,
    ]);
    expect(withoutFormats(executeNamed('dyno_1')([number])), String(number)).toEqual(withoutFormats(one));
  }
  expect(parse('dyno_2', text, [701, 0])).toEqual(serialize.parse(declared));
});

/** Each message as its letter and body; Bind without the formats of the answer, in which `pg` names text. */
function withoutFormats(messages: Buffer): readonly (readonly [string, string])[] {
  const all: [string, string][] = [];
  for (let at = 0; at < messages.length; at += 1 + messages.readInt32BE(at + 1)) {
    const body = messages.subarray(at + 5, at + 1 + messages.readInt32BE(at + 1)).toString('hex');
    const letter = messages.toString('latin1', at, at + 1);
    all.push([letter, letter === 'B' ? body.replace(/(00010000|0000)$/, '') : body]);
  }
  return all;
}
