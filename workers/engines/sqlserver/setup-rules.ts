import type { SetupRules } from '#engine-api/setup.ts';

// A batch needs no sign between its statements: these patterns name each word behind the table, so that none can begin
// another statement.
const option =
  '(?:fullscan|resample|norecompute|all|columns|index|sample 0 (?:percent|rows)|maxdop = 0|' +
  '(?:incremental|auto_drop|persist_sample_percent) = (?:on|off))';
const options = `(?: with ${option}(?: , ${option})*)?`;
const principals = '[\\w"]+(?: , [\\w"]+)*(?: with grant option)?(?: as [\\w"]+)?';

/**
 * The statements of `setup` and `teardown` (Transact-SQL reference). A server takes most of them as the only
 * statement of a batch.
 */
export const setup: SetupRules = {
  forms: [
    { implementation: 'CREATE VIEW {name}', shape: 'create view \\{own\\} .+', makes: 'VIEW' },
    { implementation: 'CREATE FUNCTION {name}(…)', shape: 'create function \\{own\\} \\( .+', makes: 'FUNCTION' },
    { implementation: 'CREATE PROCEDURE {name}', shape: 'create proc(?:edure)? \\{own\\} .+', makes: 'PROCEDURE' },
    {
      implementation: 'CREATE TRIGGER {name} ON {table}',
      shape: 'create trigger \\{own\\} on \\{\\} .+',
      makes: 'TRIGGER',
    },
    {
      implementation: 'CREATE STATISTICS name ON {table} (…)',
      shape: `create statistics [\\w"]+ on \\{\\} \\( [^{}()]* \\)${options}`,
    },
    {
      implementation: 'UPDATE STATISTICS {table}',
      shape: `update statistics \\{\\}(?: "| \\( [^{}()]* \\))?${options}`,
    },
    {
      implementation: 'GRANT … ON {table} TO …',
      shape: `grant (?:(?! (?:to|on) )[\\w ,()"])+ on (?:object :: )?\\{\\}(?: \\( [^{}()]* \\))? to ${principals}`,
    },
  ],
  teardown: [
    {
      implementation: 'DROP VIEW, TRIGGER, FUNCTION or PROCEDURE {name}',
      shape: 'drop (?:view|trigger|function|proc(?:edure)?) \\{own\\}',
    },
    {
      implementation: 'EXECUTE {name}, with numbers and texts as its arguments',
      shape: "exec(?:ute)? \\{own\\}(?: (?:0|')(?: , (?:0|'))*)?",
    },
  ],
  refused: [
    {
      shape: 'create statistics ',
      why: 'Write CREATE STATISTICS name ON {table} (…), and behind it nothing but WITH and its options.',
    },
    {
      shape: 'grant ',
      why: 'It gives a right to something that Dyno has not made, where it would last: grant rights on {table}, which go with it.',
    },
  ],
};
