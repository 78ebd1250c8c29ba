import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { withNamedParameters } from './own-parameters.ts';

const found = (engine: string, text: string, taken: readonly string[] = []) =>
  withNamedParameters(text, findEngine(engine)!.descriptor.statements!, taken);

test.each<[string, string, string, number, number]>([
  ['postgres', 'SELECT $2, $1, $2', 'SELECT :p2, :p1, :p2', 1, 8],
  ['postgres', "SELECT '$1'\nWHERE a = $1", "SELECT '$1'\nWHERE a = :p1", 2, 11],
  ['mysql', 'SELECT ? + ?', 'SELECT :p1 + :p2', 1, 8],
  ['sqlite', 'SELECT ?1, @who, $x, ?1', 'SELECT :p1, :p2, :p3, :p1', 1, 8],
  ['oracle', 'SELECT :1 FROM {table} WHERE a = :a', 'SELECT :p1 FROM {table} WHERE a = :a', 1, 8],
  ['drda', 'VALUES ?', 'VALUES :p1', 1, 8],
])('on %s: %s', (engine, text, named, line, column) => {
  expect(found(engine, text)).toMatchObject({ text: named, line, column });
});

test('a name that the statement has is not taken', () => {
  expect(found('mysql', 'SELECT ?, :p1', ['p1'])).toMatchObject({ text: 'SELECT :p1_, :p1', names: ['p1_'] });
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
