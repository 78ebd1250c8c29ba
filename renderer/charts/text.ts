/** The words of this folder, by the file that shows them: texts, and functions where a text holds numbers or names. */
export const texts = {
  chart: {
    saveOrRead: (title: string | number) => `Save or read: ${title}`,
    showAsChart: 'Show as chart',
    showAsTable: 'Show as table',
    saveAsSvg: 'Save as SVG…',
    saveAsPng: 'Save as PNG…',
    saveAsCsv: 'Save as CSV…',
    couldNotSaveThe: (format: string | number) => `Could not save the ${format}`,
  },
  dataTable: {
    asATable: (label: string | number) => `${label}, as a table`,
    theFirstOfRowsThe: (mostRows: string | number, count: string | number) =>
      `The first ${mostRows} of ${count} rows; the CSV has them all.`,
  },
} as const;
