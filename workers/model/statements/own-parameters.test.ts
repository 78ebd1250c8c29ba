import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { ownParameterIn } from './own-parameters.ts';

const found = (engine: string, text: string) => ownParameterIn(text, findEngine(engine)!.descriptor.statements!);

test.each<[string, string, string, number, number]>([
  ['postgres', 'SELECT $2, $1, $2', '$2', 1, 8],
  ['postgres', "SELECT '$1'\nWHERE a = $1", '$1', 2, 11],
  ['mysql', 'SELECT ? + ?', '?', 1, 8],
  ['sqlite', 'SELECT ?1, @who, $x, ?1', '?1', 1, 8],
  ['oracle', 'SELECT :1 FROM {table} WHERE a = :a', ':1', 1, 8],
  ['drda', 'VALUES ?', '?', 1, 8],
])('on %s: %s', (engine, text, sign, line, column) => {
  expect(found(engine, text)).toEqual({ sign, line, column });
});

test.each([
  ['postgres', "SELECT data ? 'a', a$1, $x$ $1 $x$, '{}'::jsonb"],
  ['postgres', 'PREPARE q AS SELECT $1'],
  ['postgres', 'CREATE FUNCTION f(int) RETURNS int RETURN $1 + 1'],
  ['mysql', "SELECT '?', `a?b` -- ?"],
  ['oracle', 'SELECT :name FROM dual'],
  ['sqlserver', 'SELECT @@rowcount'],
])('on %s no parameter of its own is in %s', (engine, text) => {
  expect(found(engine, text)).toBeNull();
});
