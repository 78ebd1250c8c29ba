import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { isMapping } from '#model/is-mapping.ts';
import { jsonDocuments } from '../../shared/logs/json-documents.ts';

/** A metric of a class; undefined: the log has none. */
function metric(metrics: unknown, name: string, of: string): unknown {
  const one = isMapping(metrics) ? metrics[name] : undefined;
  return isMapping(one) ? one[of] : undefined;
}

const sumOf = (metrics: unknown, name: string): number | null => {
  const sum = metric(metrics, name, 'sum');
  return sum === undefined || Number.isNaN(Number(sum)) ? null : Number(sum);
};

/** The JSON report of pt-query-digest (`--output json`). The fingerprint is taken where a class has no example. */
export const queryDigest: StatementLogFormat = {
  id: 'pt-query-digest',
  label: 'pt-query-digest’s JSON report',
  recognises: (head) => {
    const text = head.slice(0, 50).join('\n');
    return text.includes('"classes"') && /"(?:checksum|fingerprint|query_count|distillate)"/.test(text);
  },
  open: (sink) =>
    jsonDocuments(sink, (report, line) => {
      if (!Array.isArray(report.classes)) return sink.unreadable(line);
      for (const one of report.classes as readonly unknown[]) {
        const calls = isMapping(one) ? Number(one.query_count) : 0;
        if (!isMapping(one) || !(calls > 0)) continue;
        const example = isMapping(one.example) ? one.example.query : undefined;
        const text = typeof example === 'string' && example !== '' ? example : String(one.fingerprint ?? '');
        const seconds = sumOf(one.metrics, 'Query_time');
        const [sent, affected] = [sumOf(one.metrics, 'Rows_sent'), sumOf(one.metrics, 'Rows_affected')];
        const database = metric(one.metrics, 'db', 'value') ?? metric(one.metrics, 'Schema', 'value');
        sink.calls({
          ...{ text: text.replace(/\s*(?:;|\\G)\s*$/, ''), calls, at: null },
          ms: seconds === null ? null : seconds * 1_000,
          rows: sent === null && affected === null ? null : (sent ?? 0) + (affected ?? 0),
          database: typeof database === 'string' && database !== '' ? database : null,
        });
      }
    }),
};
