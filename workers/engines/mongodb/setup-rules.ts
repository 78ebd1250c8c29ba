import type { SetupRules } from '#engine-api/setup.ts';

/** The commands of `setup` and `teardown` (manual, "create", "drop"). */
export const setup: SetupRules = {
  forms: [
    {
      implementation: '{ "create": "{name}", "viewOn": "{table}", "pipeline": […] }',
      shape: 'create=\\{own\\} (?:viewOn=\\{\\} pipeline|pipeline viewOn=\\{\\})(?: collation)?',
      makes: 'view',
    },
  ],
  teardown: [{ implementation: '{ "drop": "{name}" }', shape: 'drop=\\{own\\}' }],
};
