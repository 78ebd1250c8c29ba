/** Formats numbers for CSV. Column names include the unit. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/**
 * Writes CSV according to RFC 4180: commas, CRLF, doubled quotes. Numbers have a decimal point and all digits; missing
 * values are empty. Text that a spreadsheet would run as a formula gets a leading apostrophe. That includes text after
 * a semicolon or a tab, which separate fields in spreadsheets of many languages.
 */
export const toCsv = ({ columns, rows }: Table): string => [columns, ...rows].map(csvLine).join('');

/** One record of toCsv with its end of line. */
export const csvLine = (row: Table['rows'][number]): string => `${row.map(field).join(',')}\r\n`;

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const safe = value.replace(/(^|[;\t\r\n])(\s*[=+\-@＝＋－＠])/g, "$1'$2").replace(/^[\t\r]/, "'$&");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
