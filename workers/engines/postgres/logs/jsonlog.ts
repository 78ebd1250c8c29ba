import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { firstDocument, jsonDocuments } from '../../shared/logs/json-documents.ts';
import { readMessages, timeOf } from './messages.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The jsonlog of log_destination, from version 15 (manual, "Using JSON-Format Log Output"). */
export const jsonlog: StatementLogFormat = {
  id: 'postgres-json',
  label: 'PostgreSQL jsonlog',
  recognises: (head) => {
    const first = firstDocument(head);
    return first !== null && 'error_severity' in first && 'timestamp' in first;
  },
  open(sink) {
    const messages = readMessages(sink);
    const documents = jsonDocuments(sink, (entry, line) => {
      const [severity, message] = [text(entry.error_severity), text(entry.message)];
      if (severity === null) return sink.unreadable(line);
      messages.take({
        session: text(entry.session_id) ?? String(entry.pid ?? ''),
        severity,
        message: message ?? '',
        detail: text(entry.detail),
        at: timeOf(text(entry.timestamp) ?? ''),
        database: text(entry.dbname),
        isCut: false,
      });
    });
    return {
      line: documents.line,
      end() {
        documents.end();
        messages.end();
      },
    };
  },
};
