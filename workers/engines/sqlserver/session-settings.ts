import type { SessionSettingRules } from '#engine-api/descriptor.ts';

/** The settings of a trial's sessions (Transact-SQL reference, "SET statements"). */
export const sessionSettings: SessionSettingRules = {
  implementation: 'SET',
  names: '[a-z_]+',
  values: '-?\\w+',
  refused: [
    { names: 'transaction isolation level', why: 'Use the setting `isolation` of the workload.' },
    { names: 'nocount|rowcount|textsize', why: 'It hides or cuts rows and values, which Dyno counts and compares.' },
    {
      names: 'fmtonly|noexec|parseonly|offsets|showplan_\\w+|statistics( \\w+)?',
      why: 'Statements would not run, or would answer something else.',
    },
    { names: 'implicit_transactions|remote_proc_transactions', why: 'Dyno’s own transactions depend on it.' },
    {
      names:
        'quoted_identifier|ansi_(defaults|nulls|padding|warnings)|concat_null_yields_null|numeric_roundabort|language|dateformat|datefirst',
      why: 'It changes the meaning of statements and values, which Dyno compares, and indexed views and filtered indexes need it as it is. Set it as sessionSettings of the connection.',
    },
    {
      names: 'identity_insert|context_info|fips_flagger',
      why: 'It is a state of the session, no setting of its work.',
    },
  ],
};
