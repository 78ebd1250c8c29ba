/** Plain numbers, for CSV. Units stand in the column names. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/**
 * RFC 4180: commas, CRLF, quotes doubled. Numbers with a point and every digit; empty for what was not measured. Text
 * that a spreadsheet would run as a formula gets an apostrophe in front: also where one would begin behind a semicolon
 * or a tab, with which spreadsheets of many languages separate fields.
 */
export function toCsv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const safe = value.replace(/(^|[;\t\r\n])(\s*[=+\-@＝＋－＠])/g, "$1'$2").replace(/^[\t\r]/, "'$&");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
