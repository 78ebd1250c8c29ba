import { extname } from 'node:path';
import { DynoError } from '#model/error.ts';
import { type ReportFormat, reportFormats } from '#protocol/report-formats.ts';
import { text, type Values } from '../command.ts';

const named = reportFormats.map((format) => `“${format}”`).join(' or ');

/** The option of commands that write a report. */
export const formatOption = {
  format: {
    type: 'string',
    about: `Format of the report: ${named}. Default: by the ending of the file, otherwise “${reportFormats[0]}”.`,
  },
} as const;

const isFormat = (word: string): word is ReportFormat => (reportFormats as readonly string[]).includes(word);

/** The format that the option or the ending of the file names. */
export function reportFormat(values: Values, file: string | undefined): ReportFormat {
  const asked = text(values, 'format');
  if (asked !== undefined && !isFormat(asked)) throw new DynoError('badInput', `--format takes ${named}.`);
  return asked ?? formatOfFile(file);
}

/** The format that the ending of a file names. HTML for other endings. */
export function formatOfFile(file = ''): ReportFormat {
  const ending = extname(file).slice(1).toLowerCase();
  return isFormat(ending) ? ending : reportFormats[0];
}
