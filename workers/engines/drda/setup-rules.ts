import type { SetupRules } from '#engine-api/setup.ts';

/** The statements of `setup` and `teardown` (Derby Reference Manual, "SQL statements"). */
export const setup: SetupRules = {
  forms: [
    { implementation: 'CREATE VIEW {name}', shape: 'create view \\{own\\} .+', makes: 'VIEW' },
    {
      implementation: 'CREATE TRIGGER {name} … ON {table}',
      shape: 'create trigger \\{own\\} (?:after|no cascade before) (?:(?! on ).)* on \\{\\} .+',
      makes: 'TRIGGER',
    },
    {
      implementation: 'CREATE FUNCTION {name}(…) … EXTERNAL NAME: a method of a class that the server has (Derby)',
      shape: 'create function \\{own\\} \\( .+',
      makes: 'FUNCTION',
    },
    {
      implementation: 'CREATE PROCEDURE {name}(…) … EXTERNAL NAME: likewise (Derby)',
      shape: 'create procedure \\{own\\} \\( .+',
      makes: 'PROCEDURE',
    },
  ],
  teardown: [
    {
      implementation: 'DROP VIEW, TRIGGER, FUNCTION or PROCEDURE {name}',
      shape: 'drop (?:view|trigger|function|procedure) \\{own\\}',
    },
    { implementation: 'CALL {name}(…)', shape: 'call \\{own\\} \\( .*' },
  ],
  refused: [
    { shape: 'create materialized ', why: 'Derby and SQLFire’s family have no materialised views.' },
    { shape: 'create statistics |analyze ', why: 'The server makes its statistics when it settles before each trial.' },
    { shape: 'grant ', why: 'Dyno drops no rights: the server has them only where SQL authorization is on.' },
  ],
};
