import { expect, test } from 'vitest';
import { notTeardownText, setupFormOf } from '#engine-api/support/setup-form.ts';
import { catalog, findEngine } from './catalog.ts';

const found = (engine: string, text: string) => setupFormOf(findEngine(engine)!.descriptor, text, 'mine');

const taken: readonly (readonly [engine: string, makes: string | undefined, text: string])[] = [
  ['postgres', 'FUNCTION', 'CREATE FUNCTION {mine}(n int) RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2 $$;'],
  ['postgres', 'PROCEDURE', 'create procedure {mine}() language sql begin atomic select 1; end'],
  ['postgres', 'VIEW', '/* a comment */ CREATE VIEW {mine} AS SELECT * FROM {table}'],
  ['postgres', 'MATERIALIZED VIEW', 'CREATE MATERIALIZED VIEW {mine} AS SELECT * FROM {table} WITH DATA'],
  ['postgres', 'TRIGGER', 'CREATE TRIGGER {mine} BEFORE UPDATE OF price ON {table} EXECUTE FUNCTION {f}()'],
  ['postgres', 'STATISTICS', 'CREATE STATISTICS {mine} (dependencies) ON a, b FROM {table}'],
  ['postgres', undefined, 'ANALYZE {table} (a, "B")'],
  ['postgres', undefined, 'ALTER TABLE {table} ALTER COLUMN a SET STATISTICS 1000'],
  ['postgres', undefined, 'ALTER TABLE {table} SET (autovacuum_enabled = off)'],
  ['postgres', undefined, 'GRANT SELECT (a), UPDATE ON {table} TO someone'],
  ['postgres', undefined, 'GRANT EXECUTE ON FUNCTION {f}(int) TO PUBLIC'],
  ['mysql', 'VIEW', 'CREATE ALGORITHM = MERGE SQL SECURITY INVOKER VIEW {mine} AS SELECT 1'],
  ['mysql', 'FUNCTION', 'CREATE FUNCTION {mine}(a INT) RETURNS INT DETERMINISTIC BEGIN SET @x := a; RETURN @x; END'],
  ['mysql', 'TRIGGER', 'CREATE TRIGGER {mine} AFTER INSERT ON {table} FOR EACH ROW INSERT INTO {log} VALUES (NEW.id)'],
  ['mysql', undefined, 'ANALYZE TABLE {table} UPDATE HISTOGRAM ON a WITH 10 BUCKETS'],
  ['mysql', undefined, 'ANALYZE TABLE {table} PERSISTENT FOR COLUMNS (a, b) INDEXES ()'],
  ['mysql', undefined, "SET STATEMENT histogram_type = 'JSON_HB' FOR ANALYZE TABLE {table} PERSISTENT FOR ALL"],
  ['postgres', 'STATISTICS', 'CREATE STATISTICS {mine} (mcv, dependencies) ON "a", "b" FROM {table}'],
  ['sqlite', 'VIEW', 'CREATE VIEW {mine} AS SELECT 1'],
  ['sqlite', 'TRIGGER', 'CREATE TRIGGER {mine} AFTER INSERT ON {table} BEGIN SELECT 1; END'],
  ['sqlserver', 'PROCEDURE', 'CREATE PROC {mine} @n int AS SELECT @n'],
  ['sqlserver', 'TRIGGER', 'CREATE TRIGGER {mine} ON {table} AFTER INSERT AS SET NOCOUNT ON'],
  ['sqlserver', undefined, 'CREATE STATISTICS both ON {table} (a, b) WITH FULLSCAN'],
  [
    'sqlserver',
    undefined,
    'CREATE STATISTICS both ON {table} (a) WITH SAMPLE 50 PERCENT, NORECOMPUTE, INCREMENTAL = ON;',
  ],
  ['sqlserver', undefined, 'UPDATE STATISTICS {table}'],
  ['sqlserver', undefined, 'UPDATE STATISTICS {table} (both, [another]) WITH FULLSCAN'],
  ['sqlserver', undefined, 'GRANT SELECT (a, b), UPDATE ON {table} TO someone, [DOMAIN\\other] WITH GRANT OPTION'],
  ['sqlserver', undefined, 'GRANT SELECT ON OBJECT::{table} TO someone'],
  ['oracle', 'TRIGGER', 'CREATE TRIGGER {mine} BEFORE INSERT ON {table} FOR EACH ROW BEGIN :new.a := 1; END;'],
  ['oracle', 'FUNCTION', 'CREATE EDITIONABLE FUNCTION {mine} RETURN NUMBER IS BEGIN RETURN 1; END;'],
  ['drda', 'VIEW', 'CREATE VIEW {mine} AS SELECT a FROM {table}'],
  ['mongodb', 'view', '{"create": "{mine}", "viewOn": "{table}", "pipeline": []}'],
];

test.each(taken)('%s takes a statement that makes %s: %s', (engine, makes, text) => {
  expect(found(engine, text)).toMatchObject({ form: makes === undefined ? {} : { makes } });
});

const refused: readonly (readonly [engine: string, why: RegExp, text: string])[] = [
  ['postgres', /name of \{mine\} is new/, 'CREATE OR REPLACE VIEW {mine} AS SELECT 1'],
  ['postgres', /Leave IF out/, 'CREATE MATERIALIZED VIEW IF NOT EXISTS {mine} AS SELECT 1'],
  ['postgres', /name has to be \{mine\}/, 'CREATE VIEW public.orders AS SELECT * FROM {table}'],
  ['postgres', /name has to be \{mine\}/, 'CREATE VIEW {other} AS SELECT 1'],
  ['postgres', /could not bring back/, 'DROP VIEW {mine}'],
  ['postgres', /could not undo/, 'ALTER TABLE public.orders SET (fillfactor = 50)'],
  ['postgres', /could not undo/, 'ALTER TABLE {table} RENAME TO theirs'],
  ['postgres', /could not undo/, 'ALTER TABLE {table} SET SCHEMA public'],
  ['postgres', /could not undo/, 'ALTER TABLE {table} ALTER COLUMN a SET STATISTICS 1, RENAME b TO c'],
  ['postgres', /could not undo/, 'ANALYZE'],
  ['postgres', /could not undo/, 'ANALYZE {table}, public.orders'],
  ['postgres', /has not made/, 'GRANT admin TO someone'],
  ['postgres', /has not made/, 'GRANT SELECT ON {table}, public.orders TO someone'],
  ['postgres', /could not undo/, 'CREATE TRIGGER {mine} BEFORE INSERT ON public.orders EXECUTE FUNCTION {f}()'],
  ['postgres', /could not undo/, 'CREATE STATISTICS {mine} ON a, b FROM public.orders'],
  ['postgres', /could not undo/, 'CREATE TEMP VIEW {mine} AS SELECT 1'],
  ['postgres', /changes rows/, 'INSERT INTO {table} VALUES (1)'],
  ['postgres', /comment within a comment/, 'CREATE /* /* */ */ VIEW {mine} AS SELECT 1'],
  ['mysql', /carries out/, 'CREATE /*! OR REPLACE */ VIEW {mine} AS SELECT 1'],
  ['mysql', /would last/, "GRANT SELECT ON {table} TO 'someone'@'%'"],
  ['mysql', /part of the whole server/, "CREATE FUNCTION {mine} RETURNS STRING SONAME 'x.so'"],
  ['mysql', /DEFINER out/, "CREATE DEFINER = 'root'@'%' PROCEDURE {mine}() SELECT 1"],
  ['mysql', /go on running/, 'CREATE EVENT {mine} ON SCHEDULE EVERY 1 DAY DO SELECT 1'],
  ['mysql', /carries out/, 'CREATE TRIGGER {mine} BEFORE /*!99999 x */ INSERT ON {table} FOR EACH ROW SET @a = 1'],
  ['mysql', /carries out/, 'ANALYZE TABLE {table} /*M! , theirs */'],
  ['mysql', /could not undo/, 'ANALYZE TABLE {table} PERSISTENT FOR ALL, theirs'],
  ['mysql', /could not undo/, "SET STATEMENT sql_mode = '' FOR ANALYZE TABLE {table} PERSISTENT FOR ALL"],
  [
    'mysql',
    /could not undo/,
    'CREATE TRIGGER {mine} AFTER INSERT ON theirs FOR EACH ROW SET @x = 1 IN (SELECT 1 ON {table} . a)',
  ],
  [
    'oracle',
    /could not undo/,
    'CREATE TRIGGER {mine} AFTER LOGON ON DATABASE BEGIN SELECT 1 INTO x FROM a JOIN b ON {table}.id = 1; END;',
  ],
  ['drda', /could not undo/, 'CREATE TRIGGER {mine} AFTER INSERT ON theirs SELECT 1 FROM a JOIN b ON {table} .id = 1'],
  ['sqlite', /no stored functions/, 'CREATE FUNCTION {mine}() RETURNS INT'],
  ['sqlite', /temporary/, 'CREATE TEMP TRIGGER {mine} AFTER INSERT ON {table} BEGIN SELECT 1; END'],
  ['sqlserver', /could not undo/, 'UPDATE STATISTICS {table}; DROP TABLE dbo.orders'],
  ['sqlserver', /could not undo/, 'UPDATE STATISTICS {table} REVERT'],
  ['sqlserver', /could not undo/, 'UPDATE STATISTICS {table} (a) EXEC xp_cmdshell'],
  ['sqlserver', /nothing but WITH/, 'CREATE STATISTICS s ON {table} (a) WITH FULLSCAN DROP TABLE dbo.orders'],
  ['sqlserver', /has not made/, 'GRANT SELECT ON {table} TO someone GRANT CONTROL SERVER TO someone'],
  ['sqlserver', /has not made/, 'GRANT CONTROL SERVER TO someone GRANT SELECT ON {table} TO someone'],
  ['sqlserver', /is new/, 'CREATE OR ALTER VIEW {mine} AS SELECT 1'],
  ['mongodb', /could not undo/, '{"create": "{mine}"}'],
  ['mongodb', /could not undo/, '{"create": "{mine}", "viewOn": "orders", "pipeline": []}'],
  ['mongodb', /no JSON/, 'db.createView()'],
];

test.each(refused)('%s refuses what could not be undone (%s): %s', (engine, why, text) => {
  expect(found(engine, text)).toMatchObject({ why: expect.stringMatching(why) });
});

test('an engine has statements of setup, or the reason why it has none', () => {
  const without = catalog.filter(({ descriptor }) => !descriptor.setup);
  expect(without.map(({ descriptor }) => descriptor.id)).toEqual(['ravendb', 'noop']);
  for (const { descriptor } of without) expect(descriptor.unsupportedReasons.setup).toMatch(/\.$/);
});

const tornDown: readonly (readonly [engine: string, text: string])[] = [
  ['postgres', 'DROP MATERIALIZED VIEW {mine};'],
  ['postgres', 'DROP FUNCTION {mine}(bigint)'],
  ['postgres', 'CALL {mine}(1, now())'],
  ['postgres', 'REFRESH MATERIALIZED VIEW CONCURRENTLY {mine}'],
  ['postgres', 'REVOKE SELECT (a), UPDATE ON {table} FROM someone'],
  ['postgres', 'ALTER TABLE {table} SET (autovacuum_enabled = on)'],
  ['mysql', 'DROP TRIGGER {mine}'],
  ['mysql', 'CALL {mine}'],
  ['mysql', 'ANALYZE TABLE {table}'],
  ['sqlserver', 'DROP PROC {mine}'],
  ['sqlserver', "EXEC {mine} 1, N'a'"],
  ['oracle', 'DROP MATERIALIZED VIEW {mine}'],
  ['oracle', 'CALL {mine}()'],
  ['drda', 'DROP TRIGGER {mine}'],
  ['sqlite', 'DROP VIEW {mine}'],
  ['mongodb', '{"drop": "{mine}"}'],
];

test.each(tornDown)('%s takes a statement of teardown: %s', (engine, text) => {
  expect(notTeardownText(findEngine(engine)!.descriptor, text, ['mine'])).toBeNull();
});

const notTornDown: readonly (readonly [engine: string, why: RegExp, text: string])[] = [
  ['postgres', /makes something/, 'CREATE VIEW {mine} AS SELECT 1'],
  ['postgres', /no statement of setup has made/, 'DROP VIEW public.orders'],
  ['postgres', /no statement of setup has made/, 'DROP TABLE {table}'],
  ['postgres', /no statement of setup has made/, 'DROP VIEW IF EXISTS orders'],
  ['postgres', /could not undo/, 'DROP VIEW {mine} CASCADE'],
  ['postgres', /could not undo/, 'DROP VIEW {mine}, public.orders'],
  ['postgres', /no statement of setup has made/, 'CALL theirs()'],
  ['postgres', /could not undo/, 'REVOKE SELECT ON public.orders, {table} FROM someone'],
  ['postgres', /could not undo/, 'REVOKE admin FROM someone'],
  ['postgres', /changes rows/, 'TRUNCATE {table} CASCADE'],
  ['postgres', /changes rows/, 'DELETE FROM orders'],
  ['mysql', /could not undo/, 'DROP VIEW {mine}, orders'],
  ['mysql', /carries out/, 'DROP /*! DATABASE x */ VIEW {mine}'],
  ['mysql', /changes rows/, 'UPDATE {table} SET a = 1'],
  ['sqlserver', /could not undo/, 'DROP VIEW {mine} DROP TABLE dbo.orders'],
  ['sqlserver', /could not undo/, 'EXEC {mine} 1 DROP TABLE dbo.orders'],
  ['sqlserver', /could not undo/, 'EXEC {mine} DELETE'],
  ['sqlserver', /no statement of setup has made/, "EXEC ('DROP TABLE dbo.orders')"],
  ['oracle', /could not undo/, 'DROP VIEW {mine} CASCADE CONSTRAINTS'],
  ['sqlite', /no statement of setup has made/, 'DROP TABLE {table}'],
  ['mongodb', /no statement of setup has made/, '{"drop": "orders"}'],
  ['mongodb', /no statement of setup has made/, '{"drop": "{table}"}'],
  ['mongodb', /no statement of setup has made/, '{"dropDatabase": 1}'],
  ['ravendb', /no statements of teardown/, 'DROP VIEW {mine}'],
];

test.each(notTornDown)('%s refuses in a teardown (%s): %s', (engine, why, text) => {
  expect(notTeardownText(findEngine(engine)!.descriptor, text, ['mine'])).toMatch(why);
});
