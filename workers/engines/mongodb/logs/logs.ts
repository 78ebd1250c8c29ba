import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { profileExport, serverLog } from './profile-log.ts';

/** The formats of files that tell which commands MongoDB has run. */
export const logs: readonly StatementLogFormat[] = [profileExport, serverLog];
