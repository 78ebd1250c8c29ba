import { formatBytes, formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { ReadFile, ReadLogs } from './read-logs.ts';

const mostDatabases = 5;

/** The entries of log files by their kinds, as sentences without any text of the files. */
export function balanceTexts({ files, balance, databases, format }: ReadLogs): readonly string[] {
  const { entries, calls, parts, messages, plans, failed, before, elsewhere, undated, untimed } = balance;
  const unreadable = files.reduce((sum, one) => sum + one.unreadable.count, 0);
  const counted: readonly (readonly [number, string])[] = [
    [calls, 'tell of calls'],
    [parts, 'are parts of calls, and their time is counted'],
    [messages, 'are other messages'],
    [plans, 'are plans'],
    [failed, 'are statements that failed'],
    [before, 'are older'],
    [undated, 'have no time that can be read'],
    [elsewhere, 'are of other databases'],
    [unreadable, 'cannot be read'],
  ];
  const shown = counted.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`);
  return [
    `${format}: ${formatCount(entries + unreadable)} entries. ${shown.join(', ')}.`,
    ...files.map(fileText),
    ...(untimed > 0 ? [`${many(untimed, 'call')} have no time in the log.`] : []),
    ...(databases.length > 1
      ? [
          `Calls by database: ${databases
            .slice(0, mostDatabases)
            .map(([name, count]) => `${name} ${formatCount(count)}`)
            .join(', ')}${databases.length > mostDatabases ? ', …' : ''}.`,
        ]
      : []),
  ];
}

function fileText({ name, bytes, lines, unreadable, cut, isDamaged }: ReadFile): string {
  const { first, count } = unreadable;
  const rest = count > first.length ? ` and ${formatCount(count - first.length)} more` : '';
  return [
    `${name}: ${many(lines, 'line')}, ${formatBytes(bytes)}.`,
    ...(count === 0
      ? []
      : [
          `Not readable: ${first.length === 1 && rest === '' ? 'line' : 'lines'} ${first.map((one) => formatCount(one)).join(', ')}${rest}.`,
        ]),
    ...(cut === 0 ? [] : [`${many(cut, 'line')} longer than 32 million characters were read in part.`]),
    ...(isDamaged ? ['The compressed file is cut or damaged: what is in front of that was read.'] : []),
  ].join(' ');
}
