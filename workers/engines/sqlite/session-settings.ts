import type { SessionSettingRules } from '#engine-api/descriptor.ts';

/** PRAGMAs of a connection that change neither the file nor the meaning of statements (sqlite.org/pragma.html). */
const allowed = [
  ...['analysis_limit', 'automatic_index', 'cache_size', 'cache_spill'],
  ...['mmap_size', 'temp_store', 'threads', 'wal_autocheckpoint'],
];

/** The settings of a trial's sessions. SQLite ignores PRAGMAs that it does not know, so the known ones are listed. */
export const sessionSettings: SessionSettingRules = {
  implementation: `PRAGMA ${allowed.join(', ')}`,
  names: allowed.join('|'),
  values: '-?\\d+|[a-z]+',
  refused: [
    {
      names: 'journal_mode|synchronous|busy_timeout|page_size',
      why: 'The file has it for all sessions: set journalMode, synchronous, busyTimeoutMs or pageSize of the target.',
    },
    { names: 'writable_schema|trusted_schema|schema_version|application_id', why: 'It can damage the file.' },
    {
      names: `(?!(?:${allowed.join('|')})$).*`,
      why: `Sessions set these PRAGMAs alone: ${allowed.join(', ')}.`,
    },
  ],
};
