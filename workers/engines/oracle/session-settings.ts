import type { SessionSettingRules } from '#engine-api/descriptor.ts';

/** The settings of a trial's sessions (SQL Language Reference, "ALTER SESSION"). */
export const sessionSettings: SessionSettingRules = {
  implementation: 'ALTER SESSION SET',
  names: '[a-z][a-z0-9_$]*',
  values: "[^']*",
  refused: [
    {
      names: 'current_schema|container|edition|service',
      why: 'It changes which tables a statement means.',
    },
    { names: 'isolation_level', why: 'Use the setting `isolation` of the workload.' },
    { names: 'commit_(wait|logging|write)', why: 'Use the option `oracle.commit` of the workload.' },
    {
      names: 'nls_.*|time_zone|error_on_overlap_time|row|constraints?|default_collation|exclude_.*',
      why: 'It changes how values are written or read, or which rows a statement sees, and Dyno compares these. Set it as sessionSettings of the connection.',
    },
    {
      names: 'events?|sql_trace|timed_os_statistics|tracefile_identifier|max_dump_file_size|.*_dump_dest',
      why: 'It has the server write files of traces.',
    },
    { names: '_.*', why: 'Hidden parameters are for Oracle’s support alone.' },
    { names: 'db_create_.*|log_archive_.*', why: 'It names files of the server.' },
  ],
};
