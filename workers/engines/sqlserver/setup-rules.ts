import type { SetupRules } from '#engine-api/setup.ts';

/** The statements of `setup` (Transact-SQL reference). A server takes most of them as the only statement of a batch. */
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
      shape: 'create statistics [\\w"]+ on \\{\\} \\( [^{}()]* \\)(?: with [^{};]*)?',
    },
    { implementation: 'UPDATE STATISTICS {table}', shape: 'update statistics \\{\\}(?: [^{};]*)?' },
    {
      implementation: 'GRANT … ON {table} TO …',
      shape: 'grant [^{};]+ on (?:object :: )?\\{\\}(?: \\( [^{}()]* \\))? to [^{};]+',
    },
  ],
  refused: [
    {
      shape: 'grant ',
      why: 'It gives a right to something that Dyno has not made, where it would last: grant rights on {table}, which go with it.',
    },
  ],
};
