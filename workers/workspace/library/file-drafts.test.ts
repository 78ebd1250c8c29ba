import { expect, test } from 'vitest';
import { parseExperiment } from '#experiment/experiment-file.ts';
import { draftOfCsv, draftOfSql } from './file-drafts.ts';

const errorsOf = (text: string | undefined) =>
  parseExperiment(text ?? '').diagnostics.filter(({ severity }) => severity === 'error');

test('a script becomes an experiment with its statements, which is valid as it is', () => {
  const draft = draftOfSql(
    'orders: "nightly"',
    `-- the open ones; really
SELECT * FROM orders WHERE state = ';' AND owner = :owner;\r
;
/* set aside */
UPDATE orders SET state = 'done' WHERE id = :id AND owner = :owner;
-- the end;
`,
  );
  expect(errorsOf(draft?.text)).toEqual([]);
  const { experiment } = parseExperiment(draft?.text ?? '');
  expect(experiment?.name).toBe('orders: "nightly"');
  expect(Object.keys(experiment?.statements ?? {})).toEqual(['select-1', 'update-2']);
  const { text, parameters } = experiment!.statements!['update-2']!;
  expect(text).toBe("/* set aside */\nUPDATE orders SET state = 'done' WHERE id = :id AND owner = :owner");
  expect(Object.keys(parameters ?? {})).toEqual(['id', 'owner']);
  expect(draft?.note).toContain('2 statements');
});

const textsOf = (script: string): readonly unknown[] =>
  Object.values(parseExperiment(draftOfSql('script', script)?.text ?? '').experiment?.statements ?? {}).map(
    ({ text }) => text,
  );

test('T-SQL is split at GO, which is no part of a statement; what a batch declares stays with its batch', () => {
  const script = `USE shop
GO
SELECT 'a
GO
b', [go]
  go 5
/*
GO
*/
DECLARE @id int = 5; SELECT * FROM t WHERE id = @id;
GO
CREATE PROCEDURE p AS BEGIN SELECT 1; SELECT 2; END
GO
SELECT 3 SELECT 4
GO`;
  expect(textsOf(script)).toEqual([
    'USE shop',
    "SELECT 'a\nGO\nb', [go]",
    '/*\nGO\n*/\nDECLARE @id int = 5; SELECT * FROM t WHERE id = @id;',
    'CREATE PROCEDURE p AS BEGIN SELECT 1; SELECT 2; END',
    'SELECT 3',
    'SELECT 4',
  ]);
});

test('a @name that nothing in a query declares is a parameter', () => {
  const script = "SELECT '@no', @@rowcount, a@link FROM t WHERE id = @id AND tags @> tag; EXEC p @named = 1";
  expect(textsOf(script)).toEqual([
    "SELECT '@no', @@rowcount, a@link FROM t WHERE id = :id AND tags @> tag",
    'EXEC p @named = 1',
  ]);
});

test('PL/SQL blocks end at their line with a slash, and keep their semicolons', () => {
  const script = `SELECT 6 / 2 FROM dual;
DECLARE
  n NUMBER;
BEGIN
  IF n IS NULL THEN n := 1; END IF;
END;
/
CREATE OR REPLACE PROCEDURE p IS BEGIN NULL; END;
/
SELECT 1
FROM dual
/`;
  expect(textsOf(script)).toEqual([
    'SELECT 6 / 2 FROM dual',
    'DECLARE\n  n NUMBER;\nBEGIN\n  IF n IS NULL THEN n := 1; END IF;\nEND;',
    'CREATE OR REPLACE PROCEDURE p IS BEGIN NULL; END;',
    'SELECT 1\nFROM dual',
  ]);
});

test('a block without any line that ends it stays whole, and BEGIN of a transaction is none', () => {
  expect(textsOf('DECLARE x NUMBER; BEGIN x := 1; END;')).toEqual(['DECLARE x NUMBER; BEGIN x := 1; END;']);
  expect(textsOf('CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; SELECT 1')).toEqual([
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END',
    'SELECT 1',
  ]);
  expect(textsOf('BEGIN; SELECT 1; COMMIT;')).toEqual(['BEGIN', 'SELECT 1', 'COMMIT']);
  expect(
    textsOf('CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql; SELECT f()'),
  ).toHaveLength(2);
});

test('of a very long script the first statements are taken, and the note says so', () => {
  const draft = draftOfSql('long', 'SELECT 1;\n'.repeat(500));
  expect(errorsOf(draft?.text)).toEqual([]);
  expect(Object.keys(parseExperiment(draft?.text ?? '').experiment?.statements ?? {})).toHaveLength(40);
  expect(draft?.note).toContain('The first 40');
});

test.each(['', '  ;;\n', '-- only a remark'])('the script %j has no statement', (script) => {
  expect(draftOfSql('empty', script)).toBeNull();
});

test('columns of a CSV file become parameters that read it', () => {
  const draft = draftOfCsv('cities', 'cities.csv', 'City Name,Größe,1st\r\n"Zürich, Kreis 1",3,x\r\nBern,2,y\r\n');
  expect(errorsOf(draft?.text)).toEqual([]);
  const statement = parseExperiment(draft?.text ?? '').experiment?.statements?.['with-values'];
  expect(statement?.parameters).toEqual({
    city_name_1: { type: 'csv', file: 'cities.csv', column: 'City Name' },
    gro_e_2: { type: 'csv', file: 'cities.csv', column: 'Größe' },
    value_3: { type: 'csv', file: 'cities.csv', column: '1st' },
  });
  expect(draft?.note).toContain('2 rows');
});

test('a CSV file without rows of values, and a damaged one, become none', () => {
  expect(draftOfCsv('empty', 'empty.csv', 'a,b\n')).toBeNull();
  expect(() => draftOfCsv('odd', 'odd.csv', 'a\n"b')).toThrow('odd.csv, line 2');
});
