import type { StatementLogFormat } from '#engine-api/statement-log.ts';
import { mostEntry } from '../../shared/logs/most-entry.ts';
import { readMessages, timeOf } from './messages.ts';

const severities = 'DEBUG[1-5]?|INFO|NOTICE|WARNING|ERROR|LOG|FATAL|PANIC';
const parts = 'DETAIL|HINT|QUERY|CONTEXT|STATEMENT|LOCATION|BACKTRACE';
const behind = `(?<severity>${severities}|${parts}):  ?(?<message>.*)$`;

/** Patterns of the escapes of log_line_prefix (manual, "log_line_prefix"); others are any text without spaces. */
const escapes: Readonly<Record<string, string>> = {
  t: '(?<time>\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\S+?)',
  m: '(?<time>\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d+ \\S+?)',
  n: '(?<epoch>\\d{9,11}\\.\\d{1,6})',
  p: '(?<pid>\\d+)',
  c: '(?<session>[0-9a-f]+\\.[0-9a-f]+)',
  d: '(?<database>\\S*?)',
  a: '(?:.*?)',
  b: '(?:[a-z][a-z ]*?)',
  i: '(?:.*?)',
  s: '(?:\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d \\S+?)',
};

/** The pattern of an entry's first line under a log_line_prefix. */
function patternOf(prefix: string): RegExp {
  let pattern = '';
  let optional = 0;
  const named = new Set<string>();
  for (const [whole, sign] of prefix.matchAll(/%-?\d*([a-zA-Z%])|[^%]+|%/g)) {
    if (sign === undefined || sign === '%') {
      pattern += (sign ?? whole).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', ' +');
      continue;
    }
    if (sign === 'q') {
      // Processes without a session end the prefix here.
      pattern += '(?:';
      optional++;
      continue;
    }
    const one = escapes[sign] ?? '(?:\\S*?)';
    const name = /\?<(\w+)>/.exec(one)?.[1];
    // A prefix may name a part twice.
    pattern += ` *${name !== undefined && named.has(name) ? one.replace(/\?<\w+>/, '?:') : one} *?`;
    if (name !== undefined) named.add(name);
  }
  return new RegExp(`^${pattern}${')?'.repeat(optional)}${behind}`);
}

/** Prefixes that servers, packages and services have, and any other one whose first part is a time. */
const usual: readonly RegExp[] = [
  ...['%m [%p] %q%u@%d ', '%m [%p] ', '%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ', '%t [%p]: '].map(patternOf),
  ...['%t:%r:%u@%d:[%p]:', '%m:%r:%u@%d:[%p]:', '%t [%p-%l] %q%u@%d ', '%m [%p] %u@%d ', '%n [%p] '].map(patternOf),
  ...['%m %u@%d ', '%t %u %d %p ', '%t ', '%m ', '%p ', ''].map(patternOf),
];
const any = new RegExp(
  `^(?:(?<time>\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)? [A-Z0-9+-]+(?::\\d\\d)?)(?=\\W))?(?:.*?\\[(?<pid>\\d+)[^\\]]*\\])?.*?(?:^|[\\s:,\\]>])${behind}`,
);

/** The pattern that most of these lines match; the first of several. */
function recognised(head: readonly string[]): RegExp | null {
  let best: { readonly pattern: RegExp; readonly hits: number } | null = null;
  for (const pattern of [...usual, any]) {
    const hits = head.filter((line) => pattern.test(line)).length;
    if (hits > (best?.hits ?? 0)) best = { pattern, hits };
  }
  return best?.pattern ?? null;
}

/** The stderr of log_destination, which is the usual one. */
export const stderr: StatementLogFormat = {
  id: 'postgres-stderr',
  label: 'PostgreSQL log (stderr)',
  recognises: (head) => {
    const pattern = recognised(head);
    return pattern !== null && head.some((line) => pattern.exec(line)?.groups?.severity === 'LOG');
  },
  open(sink, { prefix, head }) {
    const pattern = prefix === null ? (recognised(head) ?? any) : patternOf(prefix);
    const messages = readMessages(sink);
    let entry: {
      readonly groups: Readonly<Record<string, string | undefined>>;
      readonly lines: string[];
      size: number;
      isCut: boolean;
    } | null = null;
    const flush = () => {
      if (entry === null) return;
      const { groups, lines, isCut } = entry;
      entry = null;
      const session = groups.session ?? groups.pid ?? '';
      const severity = groups.severity ?? '';
      const message = lines.join('\n');
      if (severity === 'DETAIL') return messages.detail(session, message);
      const database = groups.database;
      messages.take({
        ...{ session, severity, message, detail: null, isCut },
        at: groups.epoch === undefined ? timeOf(groups.time ?? '') : Math.round(Number(groups.epoch) * 1_000),
        database: database === undefined || database === '' || database === '[unknown]' ? null : database,
      });
    };
    return {
      line(text, number, isCut) {
        if (text.startsWith('\t')) {
          if (entry === null) return sink.unreadable(number);
          entry.size += text.length;
          if (isCut || entry.size > mostEntry) entry.isCut = true;
          else entry.lines.push(text.slice(1));
          return;
        }
        const groups = pattern.exec(text)?.groups;
        if (groups === undefined) {
          // Syslog and containers leave out the tab.
          if (text.trim() === '') entry?.lines.push('');
          else if (isCut || entry === null || /^\d{4}-\d\d-\d\d /.test(text)) {
            flush();
            sink.unreadable(number);
          } else {
            entry.size += text.length;
            if (entry.size > mostEntry) entry.isCut = true;
            else entry.lines.push(text);
          }
          return;
        }
        flush();
        entry = { groups, lines: [groups.message ?? ''], size: text.length, isCut };
      },
      end() {
        flush();
        messages.end();
      },
    };
  },
};
