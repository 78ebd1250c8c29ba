import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { mostEntry } from '../../shared/logs/most-entry.ts';
import { readMessages, timeOf } from './messages.ts';

/** The start of a record: its time, and the comma behind it. */
const start = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [^,"]*,/;
/** Numbers of columns before version 13, of 13, and since 14 (manual, "Using CSV-Format Log Output"). */
const widths: ReadonlySet<number> = new Set([23, 24, 26]);
const columns = { time: 0, database: 2, session: 5, severity: 11, message: 13, detail: 14 } as const;

/** The fields of a whole record; null: it is none. */
function fieldsOf(record: string): readonly string[] | null {
  const fields: string[] = [];
  for (let at = 0; at <= record.length; ) {
    if (record.charCodeAt(at) !== 0x22) {
      const comma = record.indexOf(',', at);
      const end = comma === -1 ? record.length : comma;
      const field = record.slice(at, end);
      if (field.includes('"')) return null;
      fields.push(field);
      at = end + 1;
      continue;
    }
    let close = record.indexOf('"', at + 1);
    while (close !== -1 && record.charCodeAt(close + 1) === 0x22) close = record.indexOf('"', close + 2);
    if (close === -1 || (close + 1 < record.length && record[close + 1] !== ',')) return null;
    fields.push(record.slice(at + 1, close).replaceAll('""', '"'));
    at = close + 2;
    if (close + 1 === record.length) break;
  }
  return start.test(record) && widths.has(fields.length) ? fields : null;
}

/** True if a quoted field is open at the end of the text. */
function isOpen(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** The csvlog of log_destination. */
export const csvlog: StatementLogFormat = {
  id: 'postgres-csv',
  label: 'PostgreSQL csvlog',
  recognises: (head) => head.some((line) => start.test(line) && line.split(',').length > 12),
  open(sink) {
    const messages = readMessages(sink);
    let parts: string[] = [];
    let size = 0;
    let first = 0;
    let open = false;
    let isCutRecord = false;
    const reset = () => {
      parts = [];
      size = 0;
      open = false;
      isCutRecord = false;
    };
    const take = (fields: readonly string[]) =>
      messages.take({
        session: fields[columns.session]!,
        severity: fields[columns.severity]!,
        message: fields[columns.message]!,
        detail: fields[columns.detail] || null,
        at: timeOf(fields[columns.time]!),
        database: fields[columns.database] || null,
        isCut: false,
      });
    return {
      line(text, number, isCut) {
        if (parts.length > 0 || isCutRecord) {
          // A whole record within an open one: the open one has lost its end.
          const next = start.test(text) && !isCut ? fieldsOf(text) : null;
          if (next) {
            sink.unreadable(first);
            reset();
            return take(next);
          }
          if (isCutRecord && start.test(text)) {
            sink.unreadable(first);
            reset();
          }
        }
        if (isCutRecord) return;
        if (parts.length === 0) {
          if (text === '') return;
          first = number;
          if (!start.test(text)) return sink.unreadable(number);
        }
        if (isOpen(text)) open = !open;
        parts.push(text);
        size += text.length;
        if (isCut || size > mostEntry) {
          reset();
          isCutRecord = true;
          return;
        }
        if (open) return;
        const fields = fieldsOf(parts.join('\n'));
        reset();
        if (fields) take(fields);
        else sink.unreadable(first);
      },
      end() {
        if (parts.length > 0 || isCutRecord) sink.unreadable(first);
        reset();
        messages.end();
      },
    };
  },
};
