import type { SetupRules } from '#engine-api/setup.ts';

/** The statements of `setup` and `teardown` (manual, "SQL Commands"). */
export const setup: SetupRules = {
  forms: [
    { implementation: 'CREATE VIEW {name}', shape: 'create (?:recursive )?view \\{own\\} .+', makes: 'VIEW' },
    {
      implementation: 'CREATE MATERIALIZED VIEW {name}',
      shape: 'create materialized view \\{own\\} .+',
      makes: 'MATERIALIZED VIEW',
    },
    { implementation: 'CREATE FUNCTION {name}(…)', shape: 'create function \\{own\\} \\( .+', makes: 'FUNCTION' },
    { implementation: 'CREATE PROCEDURE {name}(…)', shape: 'create procedure \\{own\\} \\( .+', makes: 'PROCEDURE' },
    {
      implementation: 'CREATE TRIGGER {name} … ON {table}',
      shape: 'create (?:constraint )?trigger \\{own\\} (?:(?! on ).)* on \\{\\} .+',
      makes: 'TRIGGER',
    },
    {
      implementation: 'CREATE STATISTICS {name} … FROM {table}',
      shape: 'create statistics \\{own\\} [^{}]*\\bfrom \\{\\}',
      makes: 'STATISTICS',
    },
    {
      implementation: 'ANALYZE {table}',
      shape: 'analyze (?:verbose |\\( [^{}()]* \\) )?\\{\\}(?: \\( [^{}()]* \\))?',
    },
    {
      implementation: 'ALTER TABLE {table} ALTER COLUMN … SET STATISTICS, STORAGE, COMPRESSION or (…)',
      shape:
        'alter (?:table|materialized view) \\{\\} alter (?:column )?\\S+ set (?:statistics (?:- )?0|storage \\w+|compression \\w+|\\( [^{}()]* \\))',
    },
    { implementation: 'ALTER TABLE {table} SET (…)', shape: 'alter table \\{\\} set \\( [^{}()]* \\)' },
    {
      implementation: 'GRANT … ON {table} TO …',
      shape: 'grant [^{}]+ on (?:table |function |procedure )?\\{\\}(?: \\( [^{}()]* \\))? to [^{}]+',
    },
  ],
  teardown: [
    {
      implementation: 'DROP VIEW or MATERIALIZED VIEW {name}',
      shape: 'drop (?:materialized )?view \\{own\\}',
    },
    {
      implementation: 'DROP FUNCTION or PROCEDURE {name}',
      shape: 'drop (?:function|procedure) \\{own\\}(?: \\( [^{}()]*\\))?',
    },
    { implementation: 'CALL {name}(…)', shape: 'call \\{own\\} \\( .*' },
    {
      implementation: 'REFRESH MATERIALIZED VIEW {name}',
      shape: 'refresh materialized view (?:concurrently )?\\{own\\}(?: with (?:no )?data)?',
    },
    {
      implementation: 'REVOKE … ON {table} FROM …',
      shape: 'revoke [^{}]+ on (?:table )?\\{\\}(?: \\( [^{}()]* \\))? from [^{}]+',
    },
  ],
  statistics: { text: 'CREATE STATISTICS {own} ON {columns} FROM {}', leastColumns: 2 },
  refused: [
    {
      shape: 'grant ',
      why: 'It gives a right to something that Dyno has not made, where it would last: grant rights on {table}, which go with it.',
    },
  ],
};
