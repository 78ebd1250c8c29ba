import * as v from 'valibot';
import type { Read } from './read-values.ts';

/** The sections that a reader can leave out of a report of one file, in their order. */
export const reportSections = [
  'answer',
  'picture',
  'caveats',
  'note',
  'conditions',
  'numbers',
  'history',
  'findings',
  'latency',
  'time',
  'plans',
  'settings',
  'checks',
  'machine',
  'experiment',
] as const;
/** The name of a section, which stands for several headings of the report. */
export type SectionName = (typeof reportSections)[number];

/** The largest number of characters of a report's title, and of its author. */
export const longestName = 200;

/** The largest file of a logo, in bytes. */
export const mostLogoBytes = 256 * 1_024;

const base64 = v.pipe(
  v.string(),
  v.maxLength(Math.ceil(mostLogoBytes / 3) * 4),
  v.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'is no base64'),
);

/** The schema of ReportChoices. */
export const reportChoicesSchema = v.strictObject({
  sections: v.pipe(v.array(v.picklist(reportSections)), v.minLength(1), v.maxLength(reportSections.length)),
  /** The title of the report. Empty: the name of the experiment. */
  title: v.pipe(v.string(), v.maxLength(longestName)),
  /** The person who stands behind the report. Empty: nobody is named. */
  author: v.pipe(v.string(), v.maxLength(longestName)),
  /** The file of a logo (PNG or SVG) as base64. Null: there is none. */
  logo: v.nullable(base64),
  /** Replaces the names of targets and engines by letters, because some licences forbid publishing results by name. */
  hidesEngines: v.boolean(),
  /** Replaces addresses, the names of hosts, users and databases, and paths. */
  hidesHosts: v.boolean(),
});
/** The choices of the user who makes a report. */
export type ReportChoices = Read<typeof reportChoicesSchema>;

/** A report with all sections, in which nothing is hidden. */
export const standardChoices: ReportChoices = {
  sections: [...reportSections],
  title: '',
  author: '',
  logo: null,
  hidesEngines: false,
  hidesHosts: false,
};
