import { expect, test } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import { draftOfCsv, draftOfSql } from './file-drafts.ts';
import { dialects } from './script-dialects.ts';

const errorsOf = (text: string | undefined) =>
  parseFile(text ?? '').diagnostics.filter(({ severity }) => severity === 'error');

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
  const { experiment } = parseFile(draft?.text ?? '');
  expect(experiment?.name).toBe('orders: "nightly"');
  expect(Object.keys(experiment?.statements ?? {})).toEqual(['select-1', 'update-2']);
  const { text, parameters } = experiment!.statements!['update-2']!;
  expect(text).toBe("/* set aside */\nUPDATE orders SET state = 'done' WHERE id = :id AND owner = :owner");
  expect(Object.keys(parameters ?? {})).toEqual(['id', 'owner']);
  expect(draft?.note).toContain('2 statements');
});

const textsOf = (script: string): readonly unknown[] =>
  Object.values(parseFile(draftOfSql('script', script)?.text ?? '').experiment?.statements ?? {}).map(
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
  expect(textsOf('BEGIN; SELECT 1; COMMIT;')).toEqual(['SELECT 1']);
  expect(
    textsOf('CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END $$ LANGUAGE plpgsql; SELECT f()'),
  ).toHaveLength(2);
});

test('of a very long script the first statements are taken, and the note says so', () => {
  const draft = draftOfSql('long', 'SELECT 1;\n'.repeat(500));
  expect(errorsOf(draft?.text)).toEqual([]);
  expect(Object.keys(parseFile(draft?.text ?? '').experiment?.statements ?? {})).toHaveLength(40);
  expect(draft?.note).toContain('The first 40');
});

test('of a script with as many statements as an experiment takes, none is said to be left out', () => {
  expect(draftOfSql('whole', 'SELECT 1;\n'.repeat(40))?.note).toContain('40 statements were taken from the script.');
  const cut = draftOfSql('cut', `BEGIN;\n${'SELECT 1;\n'.repeat(50)}COMMIT;`);
  expect(cut?.note).toContain('The first 39 statements were taken from the script, the others were left out.');
});

test('a name of several lines adds no line to the experiment', () => {
  const draft = draftOfSql('x', 'CREATE TABLE t (id int PRIMARY KEY, "a\nseed: 1\n" interval)')!;
  expect(draft.told).toEqual([expect.stringContaining('the column a seed: 1')]);
  expect(parseFile(draft.text).value).not.toHaveProperty('seed');
});

test.each(['', '  ;;\n', '-- only a remark'])('the script %j has no statement', (script) => {
  expect(draftOfSql('empty', script)).toBeNull();
});

test('columns of a CSV file become parameters that read it', () => {
  const draft = draftOfCsv('cities', 'cities.csv', 'City Name,Größe,1st\r\n"Zürich, Kreis 1",3,x\r\nBern,2,y\r\n');
  expect(errorsOf(draft?.text)).toEqual([]);
  const statement = parseFile(draft?.text ?? '').experiment?.statements?.['with-values'];
  expect(statement?.parameters).toEqual({
    city_name_1: { type: 'csv', file: 'cities.csv', column: 'City Name' },
    gro_e_2: { type: 'csv', file: 'cities.csv', column: 'Größe', as: 'integer' },
    value_3: { type: 'csv', file: 'cities.csv', column: '1st' },
  });
  expect(draft?.note).toContain('2 rows');
});

test('a CSV file without rows of values, and a damaged one, become none', () => {
  expect(draftOfCsv('empty', 'empty.csv', 'a,b\n')).toBeNull();
  expect(() => draftOfCsv('odd', 'odd.csv', 'a\n"b')).toThrow('odd.csv, line 2');
});

const draftOf = (script: string, engine?: string) => {
  const draft = draftOfSql(
    'script',
    script,
    dialects.find(({ id }) => id === engine),
  )!;
  expect(errorsOf(draft.text)).toEqual([]);
  return { ...draft, experiment: parseFile(draft.text).experiment! };
};

test('BEGIN … END of a pgbench script is one transaction, whose variables are drawn once for it', () => {
  const { experiment, note, dialect } = draftOf(`\\set aid random(1, 100000 * :scale)
\\set delta random(-5000, 5000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
\\sleep 20 ms
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
END;
`);
  expect(dialect).toBe('postgres');
  expect(Object.keys(experiment.statements!)).toEqual(['update-2', 'select-3']);
  expect(experiment.transactions).toMatchObject({
    'transaction-1': {
      steps: ['update-2', { thinkMs: 20, thinkTime: 'constant' }, 'select-3'],
      parameters: {
        delta: { type: 'integer', min: -5_000, max: 5_000 },
        aid: { type: 'integer', min: 1, max: 100_000 },
      },
    },
  });
  expect(experiment.scenarios).toBeUndefined();
  expect(note).toContain(':scale is 1');
});

test('statements of pgbench that commit by themselves, with shared variables, are a scenario', () => {
  const { experiment } = draftOf(`\\set n 3 * (2 + 1)
\\setrandom id 1 :n
SELECT :n, :id;
\\sleep 1
BEGIN; UPDATE t SET a = 1 WHERE id = :id; COMMIT;`);
  expect(experiment.statements!['select-1']!.text).toBe('SELECT 9, :id');
  expect(experiment.scenarios).toMatchObject({
    script: {
      steps: ['select-1', { thinkMs: 1_000 }, 'transaction-1'],
      parameters: { id: { type: 'integer', min: 1, max: 9 } },
    },
  });
});

test('rows of COPY and commands of psql are named with their lines, and never statements', () => {
  const { experiment, told, dialect } = draftOf(`SET statement_timeout = 0;
\\timing on
\\set tab city
\\set name 'it''s'
COPY public.city (id, name) FROM stdin;
1	Bern; it's a city
2	Basel
\\.
ALTER TABLE ONLY public.city ADD CONSTRAINT city_pkey PRIMARY KEY (id);
CREATE FUNCTION public.f(a integer) RETURNS integer LANGUAGE sql AS $_$ SELECT $1 + 1; $_$;
\\copy t from 'x.csv'
SELECT count(*) FROM :tab WHERE name = :'name' \\g
SELECT 'drop' \\gexec
SELECT :'nothing';
\\i other.sql
\\q
DELETE FROM city;`);
  expect(dialect).toBe('postgres');
  expect(Object.values(experiment.statements!).map(({ text }) => text)).toEqual([
    'SET statement_timeout = 0',
    'ALTER TABLE ONLY public.city ADD CONSTRAINT city_pkey PRIMARY KEY (id)',
    'CREATE FUNCTION public.f(a integer) RETURNS integer LANGUAGE sql AS $_$ SELECT $1 + 1; $_$',
    "SELECT count(*) FROM city WHERE name = 'it''s'",
  ]);
  expect(told).toEqual([
    'Line 5 was left out: COPY public.city (id, name) FROM stdin (its 2 rows are in the script: load them before).',
    expect.stringMatching(/^Line 11 was left out: .copy t from 'x.csv' \(a command of psql/),
    expect.stringMatching(/^Line 13 was left out: SELECT 'drop' .gexec \(its answer goes to .gexec/),
    expect.stringMatching(/^Line 14 was left out: SELECT :'nothing' \(:'nothing' has no value/),
    expect.stringMatching(/^Line 15 was left out: .i other.sql/),
  ]);
});

test('what pgbench draws otherwise than Dyno is named, with the statements that need it', () => {
  const { experiment, told } = draftOf(`\\set a random_gaussian(1, 10, 2.5)
\\set b :a + 1
SELECT 1;
SELECT :a;`);
  expect(Object.keys(experiment.statements!)).toEqual(['select-1']);
  expect(told.map((one) => one.slice(0, 7))).toEqual(['Line 1 ', 'Line 2 ', 'Line 4 ']);
});

test('DELIMITER, backslashes and comments of MySQL', () => {
  const { experiment, told, dialect } = draftOf(
    `-- routines of the shop
/*!40101 SET NAMES utf8mb4 */;
DROP PROCEDURE IF EXISTS add_line;
DELIMITER $$
CREATE PROCEDURE add_line(IN p_order INT, IN p_text VARCHAR(40))
BEGIN
  INSERT INTO line (order_no, note) VALUES (p_order, '$$');
  UPDATE head SET n = n + 1 WHERE id = p_order;
END $$
DELIMITER ;
CREATE PROCEDURE inline_body() BEGIN IF 1 THEN SELECT CASE 1 WHEN 1 THEN 2 END; END IF; END;
CREATE PROCEDURE one() SELECT 1;
source more.sql
INSERT INTO t VALUES ('it\\'s; one', "a;b"); # the ; end
SELECT COUNT(*) FROM \`line;\`\\G
SELECT 2;`.replaceAll('\\"', '"'),
  );
  expect(dialect).toBe('mysql');
  expect(experiment.statements!['drop-1']!.text).toBe('DROP PROCEDURE IF EXISTS add_line');
  expect(Object.values(experiment.statements!).map(({ text }) => String(text).split('\n').at(-1))).toEqual([
    'DROP PROCEDURE IF EXISTS add_line',
    'END',
    'CREATE PROCEDURE inline_body() BEGIN IF 1 THEN SELECT CASE 1 WHEN 1 THEN 2 END; END IF; END',
    'CREATE PROCEDURE one() SELECT 1',
    "INSERT INTO t VALUES ('it\\'s; one', \"a;b\")",
    'SELECT COUNT(*) FROM `line;`',
    'SELECT 2',
  ]);
  expect(told).toEqual([
    expect.stringMatching(/^Line 2 was left out: .*SET NAMES utf8mb4.*the server carries out/),
    expect.stringMatching(/^Line 13 was left out: source more.sql/),
  ]);
});

test('GO with a count, and variables of sqlcmd', () => {
  const { experiment, told, note } = draftOf(`:setvar table "dbo.t"
BEGIN TRAN
UPDATE $(table) SET a = 1 WHERE id = @id
COMMIT
GO
SELECT TOP 1 * FROM [dbo].[t]
GO 5
SELECT $(missing)
GO
:r other.sql
GO`);
  expect(experiment.statements).toMatchObject({
    'update-2': { text: 'UPDATE dbo.t SET a = 1 WHERE id = :id' },
    'select-4': { text: 'SELECT TOP 1 * FROM [dbo].[t]', weight: 5 },
  });
  expect(experiment.transactions).toMatchObject({ 'transaction-1': { steps: ['update-2'] } });
  expect(note).toContain('ran 5 times');
  expect(told.map((one) => one.slice(0, 8))).toEqual(['Line 8 w', 'Line 10 ']);
});

test('SQL*Plus: its settings, EXEC, DEFINE and &variables', () => {
  const { experiment, told, dialect } = draftOf(`SET ECHO OFF
PROMPT Hello; it's me
DEFINE owner = SHOP
VARIABLE n NUMBER
EXEC dbms_stats.gather_table_stats('&owner', 'T');
SELECT * FROM &owner..t WHERE id = :n;
SELECT &what FROM dual;
SET TRANSACTION READ ONLY;
SELECT 1 FROM dual;
COMMIT;
@other.sql
EXIT`);
  expect(dialect).toBe('oracle');
  expect(Object.values(experiment.statements!).map(({ text }) => text)).toEqual([
    "BEGIN dbms_stats.gather_table_stats('SHOP', 'T'); END;",
    'SELECT * FROM SHOP.t WHERE id = :n',
    'SET TRANSACTION READ ONLY',
    'SELECT 1 FROM dual',
  ]);
  expect(told.map((one) => one.slice(0, 8))).toEqual(['Line 7 w', 'Line 11 ']);
});

test('commands of SQLite’s shell and of ij are not statements', () => {
  const { told, dialect, experiment } = draftOf(
    '.mode box\n.read x.sql\nPRAGMA cache_size;\nBEGIN;\nSELECT 1;\nEND;\n',
  );
  expect(dialect).toBe('sqlite');
  expect(told).toEqual([expect.stringContaining('Line 2 was left out: .read x.sql')]);
  expect(experiment.targets).toEqual(['sqlite']);
  expect(experiment.transactions).toMatchObject({ 'transaction-1': { steps: ['select-3'] } });
  const ij = draftOf("connect 'jdbc:derby:x';\nautocommit off;\nSELECT 1 FROM SYSIBM.SYSDUMMY1;\nCOMMIT;");
  expect(ij.dialect).toBe('drda');
  expect(ij.told).toHaveLength(2);
});

test('a script without signs is asked about where products read it differently, and only there', () => {
  const script = "INSERT INTO t VALUES ('a\\'); DELETE FROM t WHERE a = 'b';";
  expect(draftOfSql('x', 'SELECT 1; SELECT 2;')).toMatchObject({ dialect: null, otherwise: [] });
  expect(draftOfSql('x', "SELECT 'a#b'; SELECT 2 # x;")!.otherwise).toContain('mysql');
  const given = draftOf(script, 'postgres');
  expect(Object.keys(given.experiment.statements!)).toHaveLength(2);
  const mysql = draftOf(script, 'mysql');
  expect(Object.keys(mysql.experiment.statements!)).toHaveLength(1);
});

test('the isolation of a transaction in a script is that of the experiment', () => {
  const script = 'BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT 1::int;\nCOMMIT;';
  expect(draftOf(script).experiment.workload).toMatchObject({ isolation: 'repeatableRead' });
});

test('a long dump is read in pieces, and every table’s rows are named', () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => `${i}\tit's ${i}; row`).join('\n');
  const script = Array.from(
    { length: 5 },
    (_, i) => `COPY t${i} (a, b) FROM stdin;\n${rows}\n\\.\nSELECT '${'x'.repeat(6_000)};';\n`,
  );
  const { told, experiment } = draftOf(script.join(''));
  expect(told).toHaveLength(5);
  expect(told.every((one) => one.includes('its 2000 rows'))).toBe(true);
  expect(Object.keys(experiment.statements!)).toHaveLength(5);
});

test.each<[string, string | null]>([
  ['SELECT data->>1 FROM t WHERE id = 1::int', 'postgres'],
  ['DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END $$\nDELIMITER ;', 'mysql'],
  ['CREATE TABLE `t` (`id` int) ENGINE=InnoDB;', 'mysql'],
  ['SELECT 1\nGO\nSELECT 2\nGO', 'sqlserver'],
  ['BEGIN NULL; END;\n/\n', 'oracle'],
  ['PRAGMA foreign_keys = 1; SELECT 1;', 'sqlite'],
  ['SELECT 1; SELECT 2;', null],
])('%j has the signs of %s', (script, engine) => {
  expect(draftOfSql('x', script)?.dialect).toBe(engine);
});

test('what the client runs on a condition, and what it gives its own variables, is named', () => {
  const { experiment, told } = draftOf(
    '\\\\if :x\nSELECT 1::int;\n\\\\else\nSELECT 2;\n\\\\endif\nSELECT 3;\n'.replaceAll('\\\\', '\\'),
  );
  expect(Object.values(experiment.statements!)).toMatchObject([{ text: 'SELECT 3' }]);
  expect(told.map((one) => one.slice(0, 6))).toEqual(['Line 1', 'Line 2', 'Line 3', 'Line 4', 'Line 5']);
  const plus = draftOf('VARIABLE n NUMBER\nEXEC :n := 5\nSELECT sysdate FROM dual WHERE 1 = :n;');
  expect(plus.told).toEqual([expect.stringContaining('Line 2 was left out: EXEC :n := 5')]);
});

test('a script of which no line has a place is refused with each of its lines', () => {
  const script = '\\\\set aid random_zipfian(1, 10, 1.07)\nSELECT :aid;\n'.replaceAll('\\\\', '\\');
  expect(() => draftOfSql('x', script)).toThrow(/Line 1 was left out: .*Line 2 was left out: SELECT :aid/);
});

test('a BEGIN alone is a transaction, whose product is not asked for', () => {
  expect(draftOfSql('x', 'BEGIN;\nSELECT 1;\nCOMMIT;')).toMatchObject({ otherwise: [] });
  expect(draftOf('START TRANSACTION;\nSELECT 1;\nCOMMIT;').experiment.transactions).toBeDefined();
});

const shopScript = `CREATE TABLE customers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email varchar(80) NOT NULL
);
CREATE TABLE public.orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers (id),
  "Status" varchar(12) NOT NULL CHECK ("Status" IN ('new', 'paid')),
  span interval,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON orders (customer_id, created_at);
SELECT * FROM public.orders o WHERE o.customer_id = $1 AND o."Status" = $2 LIMIT $3;
INSERT INTO orders (customer_id, "Status") VALUES ($1, $2);`;

test('the tables of a script are made by Dyno, and its statements use them by their names', () => {
  const postgres = dialects.find(({ id }) => id === 'postgres');
  const draft = draftOfSql('shop', shopScript, postgres, { rows: 500, targets: ['sqlite', 'noop'] })!;
  const { experiment, diagnostics } = parseFile(draft.text);
  expect(diagnostics).toEqual([]);
  expect(experiment).toMatchObject({
    targets: ['sqlite', 'noop'],
    tables: {
      customers: { rows: 500, key: 'id' },
      orders: {
        columns: {
          customer_id: { type: 'reference', table: 'customers' },
          status: { type: 'oneOf', values: ['new', 'paid'] },
          created_at: { type: 'timestamp', nulls: 0.1 },
        },
        indexes: [{ columns: ['customer_id', 'created_at'] }],
      },
    },
    statements: {
      'select-1': {
        text: 'SELECT * FROM {orders} o WHERE o.customer_id = :customer_id AND o.status = :status LIMIT :row_limit',
        parameters: { customer_id: { type: 'reference' }, status: { type: 'oneOf' }, row_limit: { type: 'integer' } },
      },
      'insert-2': {
        text: 'INSERT INTO {orders} (customer_id, status, id) VALUES (:customer_id, :status, :id)',
        parameters: { id: { type: 'newKey', table: 'orders' } },
      },
    },
  });
  expect(draft.told).toEqual([
    'Line 9: the column span was left out, because it has a type that Dyno does not generate (interval).',
  ]);
  expect(draft.note).toContain('2 tables of the script will be made and filled by Dyno.');
});

test('a script that only defines tables looks up their rows by key', () => {
  const draft = draftOfSql('only', 'CREATE TABLE a_b (id int PRIMARY KEY, x int)')!;
  expect(draft.note).toContain('The script only defines tables');
  expect(parseFile(draft.text).experiment?.statements).toMatchObject({
    'look-up-a-b': { text: 'SELECT * FROM {a_b} WHERE id = :id', parameters: { id: { type: 'key', table: 'a_b' } } },
  });
});
