import type { SetupRules } from '#engine-api/setup.ts';

/** The commands of `setup` (manual, "create"). */
export const setup: SetupRules = {
  forms: [
    {
      implementation: '{ "create": "{name}", "viewOn": "{table}", "pipeline": […] }',
      shape: 'create=\\{own\\} (?:viewOn=\\{\\} pipeline|pipeline viewOn=\\{\\})(?: collation)?',
      makes: 'view',
    },
  ],
};
