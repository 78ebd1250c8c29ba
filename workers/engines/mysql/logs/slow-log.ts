import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { mostEntry } from '../../shared/logs/most-entry.ts';
import { localTime } from './local-time.ts';

/** The lines with which a server begins a file, also after FLUSH LOGS. */
export const serverHead = /^(?:\S.*, Version: .* started with:|Tcp port: \d+ .*|Time\s+Id\s+Command\s+Argument)\s*$/;

const numberOf = (line: string, name: string): number | null => {
  const found = new RegExp(`\\b${name}: (\\d+(?:\\.\\d+)?)`).exec(line)?.[1];
  return found === undefined ? null : Number(found);
};

/** An entry that is being read. */
interface Entry {
  readonly line: number;
  readonly heads: string[];
  readonly body: string[];
  size: number;
  isCut: boolean;
}

/** The slow query log of MySQL and MariaDB (manual, "The Slow Query Log"). */
export const slowLog: StatementLogFormat = {
  id: 'mysql-slow',
  label: 'MySQL or MariaDB slow log',
  recognises: (head) => head.some((line) => /^# Query_time: \d/.test(line) || /^# User@Host: /.test(line)),
  open(sink) {
    let entry: Entry | null = null;
    let database: string | null = null;
    let time: number | null = null;
    const flush = () => {
      if (entry === null) return;
      const { line, heads, body, isCut } = entry;
      entry = null;
      const figures = heads.find((one) => one.startsWith('# Query_time:'));
      const seconds = figures === undefined ? null : numberOf(figures, 'Query_time');
      let at = time;
      while (body.length > 0) {
        const use = /^use (?:`([^`]*)`|([^;]*));$/.exec(body[0]!);
        const set = /^SET timestamp=(\d+)(?:\.\d+)?;$/.exec(body[0]!);
        if (use) database = use[1] ?? use[2] ?? null;
        else if (set) at = Number(set[1]) * 1_000;
        else if (!/^SET (?:last_insert_id|insert_id)=[\d,a-z_=]*;$/.test(body[0]!)) break;
        body.shift();
      }
      const text = body.join('\n').trim();
      if (seconds === null) return sink.unreadable(line);
      if (text.startsWith('# administrator command:')) return sink.other('message');
      if (text === '' && !isCut) return sink.unreadable(line);
      const schema = /\bSchema: (\S+)/.exec(heads.join('\n'))?.[1];
      const rows = figures === undefined ? null : numberOf(figures, 'Rows_sent');
      const affected = numberOf(heads.join('\n'), 'Rows_affected');
      sink.calls({
        ...{ text: text.replace(/;$/, ''), calls: 1, ms: seconds * 1_000, at },
        rows: rows === null ? null : rows + (affected ?? 0),
        database: schema ?? database,
        ...(isCut && { isCut }),
      });
    };
    return {
      line(text, number, isCut) {
        const isTime = /^# Time: /.test(text);
        const isUser = /^# User@Host: /.test(text);
        if (isTime || isUser) {
          // The time stands in front of the user where the second is a new one.
          if (
            isTime ||
            entry === null ||
            entry.body.length > 0 ||
            entry.heads.some((one) => one.startsWith('# User@Host'))
          )
            flush();
          entry ??= { line: number, heads: [], body: [], size: 0, isCut: false };
          entry.heads.push(text.slice(0, 2_000));
          if (isTime) time = localTime(text.slice('# Time: '.length).trim()) ?? time;
          return;
        }
        if (serverHead.test(text)) {
          flush();
          return;
        }
        if (entry === null) {
          if (text.trim() !== '') sink.unreadable(number);
          return;
        }
        const isHead = entry.body.length === 0 && text.startsWith('# ') && !text.startsWith('# administrator command:');
        if (isHead) {
          if (entry.heads.length < 100) entry.heads.push(text.slice(0, 2_000));
          return;
        }
        entry.size += text.length;
        if (isCut || entry.size > mostEntry) entry.isCut = true;
        if (!entry.isCut) entry.body.push(text);
      },
      end: flush,
    };
  },
};
