import { expect, test } from 'vitest';
import { findEngine } from '../catalog.ts';
import { setupText } from './setup-text.ts';

const tables = Object.fromEntries(
  ['table', 'mine'].map((name) => [name, { name: `dyno_${name}`, columns: [], key: null, options: {} }]),
);
const written = (engine: string, text: string) =>
  setupText({ text, tables, name: 'dyno_mine', makes: null }, findEngine(engine)!.descriptor.statements!, ({ name }) =>
    name.toUpperCase(),
  );

test('placeholders in a body in dollar quotes name tables, and other braces there are its own', () => {
  expect(written('postgres', "CREATE FUNCTION {mine}() AS $f$ SELECT '{other}', a FROM {table} $f$")).toBe(
    "CREATE FUNCTION DYNO_MINE() AS $f$ SELECT '{other}', a FROM DYNO_TABLE $f$",
  );
});

test('placeholders in texts and comments stay, and :new is the row of a trigger', () => {
  expect(written('oracle', "CREATE TRIGGER {mine} /* {table} */ BEGIN :new.a := '{table}'; END;")).toBe(
    "CREATE TRIGGER DYNO_MINE /* {table} */ BEGIN :new.a := '{table}'; END;",
  );
});

test('a second statement and an unknown table are refused', () => {
  expect(() => written('postgres', 'CREATE VIEW {mine} AS SELECT 1; DROP TABLE x')).toThrow('more than one statement');
  expect(() => written('postgres', 'CREATE VIEW {mine} AS SELECT * FROM {gone}')).toThrow('{gone}');
});
