import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { isMapping } from '#model/is-mapping.ts';
import { jsonDocuments } from '../../shared/logs/json-documents.ts';

/**
 * The JSON report of pgBadger (`pgbadger -x json`), with counts and times of queries. The names of queries are in lower
 * case, so that one sample of each is read. pgBadger takes the places of bound values out of both: such a text is cut.
 */
export const pgbadger: StatementLogFormat = {
  id: 'pgbadger',
  label: 'pgBadger’s JSON report',
  recognises: (head) => head.some((line) => line.includes('"normalyzed_info"')),
  open: (sink) =>
    jsonDocuments(sink, (report, line) => {
      const all = report.normalyzed_info;
      if (!isMapping(all)) return sink.unreadable(line);
      for (const [database, queries] of Object.entries(all))
        for (const [text, query] of isMapping(queries) ? Object.entries(queries) : []) {
          if (!isMapping(query) || !(Number(query.count) > 0)) continue;
          const [sample] = isMapping(query.samples) ? Object.values(query.samples) : [];
          const own = isMapping(sample) && typeof sample.query === 'string' ? sample.query : text;
          const isCut = isMapping(sample) && sample.bind !== null && sample.bind !== undefined;
          const ms = Number(query.duration ?? 0);
          // Its database is unknown where the log's prefix does not name it.
          sink.calls({
            ...{ text: own, isCut, calls: Number(query.count), ms: ms > 0 ? ms : null, rows: null, at: null },
            database: database === 'unknown' || database === '[unknown]' ? null : database,
          });
        }
    }),
};
