import type { SetupRules } from '#engine-api/setup.ts';

const edition = '(?:(?:non)?editionable )?';

/** The statements of `setup` and `teardown` (SQL Language Reference, "SQL Statements"). */
export const setup: SetupRules = {
  forms: [
    {
      implementation: 'CREATE VIEW {name}',
      shape: `create (?:no force |force )?${edition}view \\{own\\} .+`,
      makes: 'VIEW',
    },
    {
      implementation: 'CREATE MATERIALIZED VIEW {name}',
      shape: 'create materialized view \\{own\\} .+',
      makes: 'MATERIALIZED VIEW',
    },
    { implementation: 'CREATE FUNCTION {name}', shape: `create ${edition}function \\{own\\} .+`, makes: 'FUNCTION' },
    { implementation: 'CREATE PROCEDURE {name}', shape: `create ${edition}procedure \\{own\\} .+`, makes: 'PROCEDURE' },
    {
      implementation: 'CREATE TRIGGER {name} … ON {table}',
      shape: `create ${edition}trigger \\{own\\} (?:before|after|instead of|for) (?:(?! on ).)* on \\{\\} .+`,
      makes: 'TRIGGER',
    },
    {
      implementation: 'GRANT … ON {table} TO …',
      shape: 'grant [^{}]+ on \\{\\}(?: \\( [^{}()]* \\))? to [^{}]+',
    },
  ],
  teardown: [
    {
      implementation: 'DROP VIEW, MATERIALIZED VIEW, TRIGGER, FUNCTION or PROCEDURE {name}',
      shape: 'drop (?:(?:materialized )?view|trigger|function|procedure) \\{own\\}',
    },
    { implementation: 'CALL {name}(…)', shape: 'call \\{own\\} \\( .*' },
  ],
  refused: [
    {
      shape: 'grant ',
      why: 'It gives a right to something that Dyno has not made, where it would last: grant rights on {table}, which go with it.',
    },
    {
      shape: 'analyze |begin dbms_stats',
      why: 'Dyno gathers the statistics itself when the server settles before each trial.',
    },
  ],
};
