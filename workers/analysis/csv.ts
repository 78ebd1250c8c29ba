import type { Table } from './charts/chart.ts';

/**
 * RFC 4180: commas, CRLF, quotes doubled. Numbers with a point and every digit; empty for what was not measured. Text that a
 * spreadsheet would run as a formula gets an apostrophe in front.
 */
export function toCsv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
