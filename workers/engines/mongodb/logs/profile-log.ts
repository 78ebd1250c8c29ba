import type { LogSink, StatementLogFormat } from '#engine-api/statement-log.ts';
import { isMapping } from '#model/is-mapping.ts';
import { firstDocument, jsonDocuments } from '../../shared/logs/json-documents.ts';
import { profiledCall } from '../statements/profiled-call.ts';
import { fromExtended } from './extended-json.ts';

/** The databases of the server itself. */
const ofServer: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** Gives a document of the profiler to the sink. */
function giveProfiled(sink: LogSink, document: Readonly<Record<string, unknown>>, at: unknown, line: number): void {
  const namespace = document.ns;
  if (typeof namespace !== 'string' || !namespace.includes('.')) {
    sink.unreadable(line);
    return;
  }
  const { calls, ms, rows, ...own } = profiledCall(document);
  const database = namespace.slice(0, namespace.indexOf('.'));
  sink.calls({
    ...{ calls, ms, rows, database },
    text: ofServer.has(database) ? { kind: 'catalog', words: '' } : own,
    at: at instanceof Date && !Number.isNaN(at.getTime()) ? at.getTime() : null,
  });
}

/** An export of system.profile by mongoexport, mongosh or Compass: a document a line, or a list. */
export const profileExport: StatementLogFormat = {
  id: 'mongodb-profile',
  label: 'MongoDB profiler export',
  recognises: (head) => {
    const first = firstDocument(head);
    return first !== null && 'op' in first && 'ns' in first && ('millis' in first || 'command' in first);
  },
  open: (sink) =>
    jsonDocuments(sink, (document, line) => {
      const read = fromExtended(document);
      if (isMapping(read)) giveProfiled(sink, read, read.ts, line);
    }),
};

/** The structured log of mongod and mongos, from version 4.4: the entries "Slow query" (manual, "Log Messages"). */
export const serverLog: StatementLogFormat = {
  id: 'mongodb-log',
  label: 'mongod log',
  recognises: (head) => {
    const first = firstDocument(head);
    return first !== null && 't' in first && 'c' in first && 'ctx' in first;
  },
  open: (sink) =>
    jsonDocuments(sink, (entry, line) => {
      if (entry.msg !== 'Slow query') return sink.other('message');
      const attr = fromExtended(entry.attr);
      if (!isMapping(attr)) return sink.unreadable(line);
      const command = isMapping(attr.command) ? attr.command : {};
      const isMore = attr.type === 'getmore' || 'getMore' in command;
      const document = {
        ...attr,
        op: isMore ? 'getmore' : attr.type,
        millis: attr.durationMillis,
        // The entry is cut where an attribute is too large.
        command: isMapping(entry.truncated) ? { ...command, $truncated: '' } : command,
      };
      giveProfiled(sink, document, fromExtended(entry.t), line);
    }),
};
