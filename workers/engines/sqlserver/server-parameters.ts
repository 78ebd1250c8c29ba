import type { ServerParameterRules } from '#engine-api/descriptor.ts';

const changeable = [
  ...['max degree of parallelism', 'cost threshold for parallelism', 'optimize for ad hoc workloads'],
  ...['min memory per query (KB)', 'index create memory (KB)', 'query wait (s)', 'recovery interval (min)'],
  'cursor threshold',
];

const refused = {
  'max server memory (MB)': 'A smaller size drops pages that other users read.',
  'min server memory (MB)': 'The server shows another value than the one that was configured.',
  'user connections': 'Other users could not log in.',
};

/** Options of the server (manual, "Server configuration options"): numbers that change no answer and no right. */
export const serverParameters: ServerParameterRules = {
  running: {
    implementation: 'sp_configure, and RECONFIGURE',
    right: 'ALTER SETTINGS, which the role serveradmin has',
    names: changeable,
    refused,
  },
  names: [...changeable, ...Object.keys(refused), 'max worker threads', 'priority boost', 'lightweight pooling'],
  values: '-?\\d+',
  memory: {},
};
