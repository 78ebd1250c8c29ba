import { appVersion } from '#platform/app-version.ts';
import { journalVersion } from '#protocol/journal.ts';

/** What coordinator and agents have in common: Dyno's version, and that of the records that workers fill. */
export const loadHostVersion = `${appVersion} (records ${journalVersion})`;
