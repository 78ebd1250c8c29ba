import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { generalLog } from './general-log.ts';
import { queryDigest } from './query-digest.ts';
import { slowLog } from './slow-log.ts';

/** The formats of files that tell which statements MySQL or MariaDB has run. */
export const logs: readonly StatementLogFormat[] = [slowLog, queryDigest, generalLog];
