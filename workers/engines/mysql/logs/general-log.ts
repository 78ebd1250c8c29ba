import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { mostEntry } from '../../shared/logs/most-entry.ts';
import { localTime } from './local-time.ts';
import { serverHead } from './slow-log.ts';

/** MariaDB writes the time if its second is a new one, and two tabs otherwise; MySQL writes it for each entry. */
const start =
  /^(?:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.?\d*(?:Z|[+-]\d\d:\d\d)?)\t|(\d{6}\s+\d?\d:\d\d:\d\d)\t|\t\t)\s*(\d+) ([A-Z][a-z]+(?: [A-Za-z]+)?)(?:\t(.*)|\s*)$/;

/** The most sessions whose database is known. */
const mostSessions = 10_000;

/** The general query log of MySQL and MariaDB (manual, "The General Query Log"). It has no times of calls. */
export const generalLog: StatementLogFormat = {
  id: 'mysql-general',
  label: 'MySQL or MariaDB general log',
  recognises: (head) => head.some((line) => start.test(line)) && !head.some((line) => line.startsWith('# User@Host: ')),
  open(sink) {
    let entry: {
      readonly session: string;
      readonly command: string;
      readonly lines: string[];
      size: number;
      isCut: boolean;
    } | null = null;
    let at: number | null = null;
    const databases = new Map<string, string>();
    const inDatabase = (session: string, database: string | undefined) => {
      if (database === undefined || database === '') return;
      if (databases.size >= mostSessions) databases.delete(databases.keys().next().value!);
      databases.set(session, database);
    };
    const flush = () => {
      if (entry === null) return;
      const { session, command, lines, isCut } = entry;
      entry = null;
      const text = lines.join('\n').trim();
      if (command === 'Connect') inDatabase(session, / on (\S+) using /.exec(text)?.[1]);
      if (command === 'Init DB') inDatabase(session, text);
      if (command === 'Quit') databases.delete(session);
      if (command !== 'Query' && command !== 'Execute') return sink.other('message');
      const used = /^use\s+`?([^`\s;]+)`?\s*;?$/i.exec(text);
      if (used) inDatabase(session, used[1]);
      const database = databases.get(session) ?? null;
      sink.calls({ ...{ text, calls: 1, ms: null, rows: null, at, database }, ...(isCut && { isCut }) });
    };
    return {
      line(text, number, isCut) {
        const found = start.exec(text);
        if (found) {
          flush();
          const [, iso, short, session, command, argument = ''] = found;
          const time = iso ?? short;
          if (time !== undefined) at = localTime(time);
          entry = { session: session!, command: command!, lines: [argument], size: argument.length, isCut };
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
        entry.size += text.length;
        if (isCut || entry.size > mostEntry) entry.isCut = true;
        if (!entry.isCut) entry.lines.push(text);
      },
      end: flush,
    };
  },
};
