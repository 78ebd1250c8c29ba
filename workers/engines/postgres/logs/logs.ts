import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { csvlog } from './csvlog.ts';
import { jsonlog } from './jsonlog.ts';
import { pgbadger } from './pgbadger.ts';
import { stderr } from './stderr.ts';

/** The formats of files that tell which statements PostgreSQL has run. */
export const logs: readonly StatementLogFormat[] = [csvlog, jsonlog, pgbadger, stderr];
