/** The formats of a report. The first one is the default. */
export const reportFormats = ['html', 'pdf', 'markdown', 'csv', 'parquet', 'svg', 'png'] as const;
/** A format of a report: one file, or a folder of files. */
export type ReportFormat = (typeof reportFormats)[number];

const folderFormats = ['csv', 'parquet', 'svg', 'png'] as const satisfies readonly ReportFormat[];
/** A format whose report is a folder of files: tables or pictures. */
export type FolderFormat = (typeof folderFormats)[number];
/** A format whose report is one file. */
export type FileFormat = Exclude<ReportFormat, FolderFormat>;

/** True if the report is a folder of files. */
export const isFolderFormat = (format: ReportFormat): format is FolderFormat =>
  (folderFormats as readonly ReportFormat[]).includes(format);

/** The ending of the name of a report of one file. */
export const fileEndings = { html: 'html', pdf: 'pdf', markdown: 'md' } as const satisfies Record<FileFormat, string>;
