import { appVersion } from '#platform/app-version.ts';
import { journalVersion } from '#protocol/journal.ts';

/** The versions that coordinator and agents must share: Dyno's version, and the version of the workers' records. */
export const loadHostVersion = `${appVersion} (records ${journalVersion})`;
