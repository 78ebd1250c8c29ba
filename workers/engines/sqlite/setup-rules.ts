import type { SetupRules } from '#engine-api/setup.ts';

/** The statements of `setup` and `teardown` (SQLite's documentation, "SQL As Understood By SQLite"). */
export const setup: SetupRules = {
  forms: [
    { implementation: 'CREATE VIEW {name}', shape: 'create view \\{own\\} .+', makes: 'VIEW' },
    {
      implementation: 'CREATE TRIGGER {name} … ON {table}',
      shape: 'create trigger \\{own\\} (?:(?! on ).)* on \\{\\} .+',
      makes: 'TRIGGER',
    },
    { implementation: 'ANALYZE {table}', shape: 'analyze \\{\\}' },
  ],
  teardown: [{ implementation: 'DROP VIEW or TRIGGER {name}', shape: 'drop (?:view|trigger) \\{own\\}' }],
  refused: [
    { shape: 'create (?:aggregate )?(?:function|procedure) ', why: 'SQLite has no stored functions and procedures.' },
    { shape: 'create materialized ', why: 'SQLite has no materialised views.' },
    { shape: 'create statistics ', why: 'SQLite has no statistics of several columns.' },
    {
      shape: 'create temp',
      why: 'A temporary object is one of the control connection alone, and no call would find it.',
    },
    { shape: 'grant ', why: 'SQLite has no rights.' },
  ],
};
