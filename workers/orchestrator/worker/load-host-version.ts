import { appVersion } from '#platform/app-version.ts';
import { journalVersion } from '#protocol/journal.ts';

/** The versions that coordinator and agents must share: Dyno's, and that of the records that workers fill. */
export const loadHostVersion = `${appVersion} (records ${journalVersion})`;
