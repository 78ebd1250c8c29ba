import type { SetupRules } from '#engine-api/setup.ts';

/**
 * The statements of `setup` and `teardown` (MySQL manual, "Data Definition Statements"; MariaDB, "Data Definition").
 */
export const setup: SetupRules = {
  forms: [
    {
      implementation: 'CREATE VIEW {name}',
      shape: 'create (?:algorithm = \\w+ )?(?:sql security \\w+ )?view \\{own\\} .+',
      makes: 'VIEW',
    },
    {
      implementation: 'CREATE FUNCTION {name}(…)',
      shape: 'create (?:aggregate )?function \\{own\\} \\( .+',
      makes: 'FUNCTION',
    },
    { implementation: 'CREATE PROCEDURE {name}(…)', shape: 'create procedure \\{own\\} \\( .+', makes: 'PROCEDURE' },
    {
      implementation: 'CREATE TRIGGER {name} … ON {table}',
      shape: 'create trigger \\{own\\} (?:before|after) (?:(?! on ).)* on \\{\\} .+',
      makes: 'TRIGGER',
    },
    {
      implementation: 'ANALYZE TABLE {table}',
      shape:
        "(?:set statement histogram_type = ' for )?analyze (?:no_write_to_binlog |local )?table \\{\\}(?: (?:update|drop) histogram on [^{}]+| persistent for (?:all|columns (?:all|\\( [^{}()]*\\)) indexes (?:all|\\( [^{}()]*\\))))?",
    },
  ],
  teardown: [
    {
      implementation: 'DROP VIEW, TRIGGER, FUNCTION or PROCEDURE {name}',
      shape: 'drop (?:view|trigger|function|procedure) \\{own\\}',
    },
    { implementation: 'CALL {name}(…)', shape: 'call \\{own\\}(?: \\( .*)?' },
  ],
  // MariaDB's histograms; MySQL refuses the text.
  statistics: { text: 'ANALYZE TABLE {} PERSISTENT FOR ALL', leastColumns: 0 },
  refused: [
    { shape: 'grant ', why: 'The server keeps a right on a table when the table is dropped, so that it would last.' },
    {
      shape: 'create (?:\\w+ )?function \\{own\\} returns ',
      why: 'A function of a library is a part of the whole server.',
    },
    { shape: 'create (?:\\w+ )*definer ', why: 'It would act with the rights of another user: leave DEFINER out.' },
    { shape: 'create (?:\\w+ )*event ', why: 'The server would go on running it beside the measurement.' },
  ],
};
