import * as v from 'valibot';
import { DynoError } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import {
  type DamagedLine,
  isRecordKind,
  type JournalEntry,
  type JournalRecord,
  journalVersion,
  readRecord,
} from '#protocol/journal.ts';
import type { CallCounts, LoadCounts } from '#protocol/measurement.ts';
import type { PlannedTrial } from '#protocol/plan.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

/**
 * Parses the lines of one run file. The file may come from anybody, or from a damaged disk, so every returned record is
 * validated.
 */
interface JournalParser {
  /**
   * Reads a whole line; null for an empty one. Lines come in the order of the file, some may be left out, and the first
   * is the header. Throws 'badInput' if the first line is not the header of a supported run, because the rest of the
   * file would be meaningless.
   */
  parse(text: string, line: number): JournalEntry | null;
}

/** The depth exceeds that of any record and fits on any stack. */
const deepest = 100;
const longestMessage = 200;

/** @param file Its name, for messages. */
export function createJournalParser(file: string): JournalParser {
  let trials: ReadonlyMap<number, PlannedTrial> | null = null;

  const begin = (text: string): JournalEntry => {
    const header = headerOf(file, text);
    trials = new Map(header.plan.trials.map((trial) => [trial.number, trial]));
    return header;
  };

  return {
    parse(text, line) {
      if (trials === null) return begin(text);
      if (text.trim() === '') return null;
      const damaged = (kind: string, trial: number | null, why: string): DamagedLine => ({
        record: 'damaged',
        line,
        trial,
        message: `Line ${line}${kind === '' ? '' : `, ${withArticle(kind)}${trial === null ? '' : ` of trial ${trial}`},`} cannot be used: ${why}.`,
      });
      const value = parseJson(text);
      const kind = kindOf(value);
      if (kind === null) return damaged('', null, 'it is not a record');
      if (!isRecordKind(kind)) return { record: 'unknown', line, kind: short(kind, 40) };
      const number = trialOf(value);
      const trial = number !== null && trials.has(number) ? number : null;
      if (kind === 'header') return damaged(kind, null, 'a run has one header, and it has been read');
      const read = readRecord(kind, value);
      if ('issue' in read) return damaged(kind, trial, inWords(read.issue));
      const { record } = read;
      const problem = contradiction(record, trials) ?? (areReadable(record) ? null : 'a histogram in it is damaged');
      return problem === null ? record : damaged(kind, trial, problem);
    },
  };
}

function headerOf(file: string, text: string): Extract<JournalRecord, { record: 'header' }> {
  const value = nestingOf(text) > deepest ? null : parseJson(text);
  if (kindOf(value) !== 'header') {
    if (!/^\s*\{\s*"record"\s*:\s*"header"/.test(text))
      throw new DynoError('badInput', `${file} is not a Dyno run: its first line is no header.`, {
        hint: 'Choose a file that Dyno has written; its name ends in .dyno-run.',
      });
    throw unreadable(file, 'it is not a record');
  }
  const { version } = value as { readonly version?: unknown };
  if (typeof version === 'number' && version !== journalVersion)
    throw new DynoError(
      'badInput',
      `${file} was made by another version of Dyno: its format is ${version}, and this version reads ${journalVersion}.`,
      { hint: 'Open it with the version that made it, or run the experiment in it again.' },
    );
  const read = readRecord('header', value);
  if ('issue' in read) throw unreadable(file, inWords(read.issue));
  return read.record;
}

const unreadable = (file: string, why: string): DynoError =>
  new DynoError('badInput', `The header of ${file}, its first line, cannot be used: ${why}.`, {
    hint: 'The file is damaged, and without its header nothing in it can be understood: open another copy of it, or run the experiment again.',
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const kindOf = (value: unknown): string | null =>
  isMapping(value) && Object.hasOwn(value, 'record') && typeof value.record === 'string' ? value.record : null;

/** The number of the trial in a record of any kind. */
function trialOf(value: unknown): number | null {
  if (!isMapping(value)) return null;
  const { trial, result } = value;
  const number = isMapping(result) ? result.number : isMapping(trial) ? trial.number : trial;
  return typeof number === 'number' ? number : null;
}

/** The contradiction between a record and the plan; null if there is none. */
function contradiction(record: JournalRecord, trials: ReadonlyMap<number, PlannedTrial>): string | null {
  switch (record.record) {
    case 'phase':
    case 'snapshot':
    case 'probe':
    case 'loadHosts':
    case 'hosts':
    case 'hostSecond':
    case 'queryPlans':
      return trials.has(record.trial) ? null : notPlanned(record.trial);
    case 'trial':
      return againstPlan(record.trial, trials);
    case 'result':
      return againstPlan(record.result, trials);
    default:
      return null;
  }
}

function againstPlan(trial: PlannedTrial, trials: ReadonlyMap<number, PlannedTrial>): string | null {
  const planned = trials.get(trial.number);
  if (planned === undefined) return notPlanned(trial.number);
  return planned.variant === trial.variant && planned.target === trial.target && planned.repeat === trial.repeat
    ? null
    : `the plan has another trial ${trial.number}`;
}

const notPlanned = (number: number): string => `the plan has no trial ${number}`;

/** True if every histogram in a record can be decoded. */
function areReadable(record: JournalRecord): boolean {
  if (record.record === 'snapshot') return histogramsIn(record.snapshot.counts).every(Histogram.isEncoded);
  if (record.record !== 'result') return true;
  const { totals, statements = [], stages = [], network } = record.result;
  return [
    ...histogramsIn(totals),
    ...statements.flatMap(({ service, response, sinceStart, failed }) =>
      [service, response, sinceStart, failed].filter((text) => typeof text === 'string'),
    ),
    ...stages.flatMap(histogramsOfLoad),
    ...(network === undefined ? [] : [network.intended, network.added]),
  ].every(Histogram.isEncoded);
}

function histogramsIn({ service, failed, commit, connecting, load }: CallCounts): readonly string[] {
  return [service, failed, commit, connecting?.opened, ...(load === undefined ? [] : histogramsOfLoad(load))].filter(
    (text) => typeof text === 'string',
  );
}

const histogramsOfLoad = ({ response, sinceStart, startError, wait }: LoadCounts): readonly string[] => [
  response,
  sinceStart,
  startError,
  wait,
];

/**
 * Levels of brackets in a text of JSON. It uses no regular expression, because a long string would exhaust its stack.
 */
function nestingOf(text: string): number {
  let level = 0;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (quoted && char === '\\') at++;
    else if (char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (char === '[' || char === '{') most = Math.max(most, ++level);
    else if (char === ']' || char === '}') level--;
  }
  return most;
}

/** "result.totals.calls: Expected number but received "x"", "result.error.kind: "x" is none of its values". */
function inWords(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  const what =
    issue.type === 'picklist' ? `${issue.received} is none of its values` : issue.message.replace(/^Invalid \w+: /, '');
  return short(`${path === null ? '' : `${path}: `}${what}`, longestMessage);
}

const short = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`);

const withArticle = (kind: string): string => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
