/** The formats of a report, which are also the endings of its file. The first one is the default. */
export const reportFormats = ['html', 'pdf'] as const;
/** The format of a report: “html” or “pdf”. */
export type ReportFormat = (typeof reportFormats)[number];
