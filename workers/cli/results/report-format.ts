import { extname } from 'node:path';
import { DynoError } from '#model/error.ts';
import { fileEndings, isFolderFormat, type ReportFormat, reportFormats } from '#protocol/report-formats.ts';
import { text, type Values } from '../command.ts';

const named = reportFormats.map((format) => `“${format}”`).join(', ');

/** The option of commands that write a report. */
export const formatOption = {
  format: {
    type: 'string',
    about: `Format of the report, one of ${named}. Tables (CSV, Parquet) and pictures (SVG, PNG) are folders. Default: by the ending of the file, otherwise “${reportFormats[0]}”.`,
  },
} as const;

const isFormat = (word: string): word is ReportFormat => (reportFormats as readonly string[]).includes(word);

/** The format that the option or the ending of the file names. */
export function reportFormat(values: Values, file: string | undefined): ReportFormat {
  const asked = text(values, 'format');
  if (asked !== undefined && !isFormat(asked)) throw new DynoError('badInput', `--format takes one of ${named}.`);
  return asked ?? formatOfFile(file);
}

/** The format that the ending of a file names. HTML for other endings. */
export function formatOfFile(file = ''): ReportFormat {
  const ending = extname(file).slice(1).toLowerCase();
  const format = reportFormats.find((one) => !isFolderFormat(one) && fileEndings[one] === ending);
  return format ?? reportFormats[0];
}
