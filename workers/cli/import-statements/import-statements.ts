import { statSync } from 'node:fs';
import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import {
  type Chosen,
  chooseStatements,
  coveredBy,
  coveredText,
  type ImportOrder,
  importedExperiment,
  otherText,
  shortText,
} from '#experiment/import-statements/imported-experiment.ts';
import { type JudgedStatement, judgedStatements } from '#experiment/import-statements/judged-statements.ts';
import { DynoError } from '#model/error.ts';
import { formatBytes, formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { toldStatements, userTablesOn } from '#orchestrator/try/ask-target.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { writeOutput } from '#platform/output-file.ts';
import { alignColumns } from '#presentation/terminal/run-text.ts';
import { balanceTexts } from '#workspace/statement-logs/balance-text.ts';
import { logFormats, type ReadLogs, readLogs } from '#workspace/statement-logs/read-logs.ts';
import type { Action, Command, CommandContext } from '../command.ts';
import { text } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { findTarget } from '../targets/find-target.ts';
import { sinceOf, sinceProblem } from './since.ts';

const usualTop = 50;
const orders: readonly ImportOrder[] = ['time', 'calls'];

/** Help of `dyno import statements`. */
export const statementsHelp = [
  'TARGET is a saved connection or a built-in target (`dyno targets`).',
  '',
  'statements  Reads the counts that the server keeps of its statements (PostgreSQL: pg_stat_statements; MySQL and MariaDB: performance_schema; SQL Server: Query Store; Oracle: V$SQL; MongoDB: $queryStats or the profiler), and makes an experiment of the statements with the most time. Weights are shares of the calls. Values of parameters are read from the tables when a run starts: the file has none of them, and literals of the server’s texts become parameters. Statements that may write are listed, and taken only with --writes. Nothing runs.',
  `            LOG is a file of the server instead, plain or compressed by gzip, and several of them are read one after another: ${logFormats.map(({ format }) => format.label).join(', ')}. No connection is made unless --on names a server. Each entry is counted as taken or left out; one that cannot be read is named by its line.`,
].join('\n');

/** Options of `dyno import statements`. */
export const statementsOptions: Command['options'] = {
  top: {
    type: 'string',
    about: `statements: the most statements. Default: ${usualTop}.`,
    problem: (value) => (/^[1-9]\d{0,2}$/.test(value) ? null : 'takes a whole number from 1 to 999.'),
  },
  by: { type: 'string', oneOf: orders, about: 'statements: takes those with the most time or calls. Default: time.' },
  writes: { type: 'boolean', about: 'statements: takes those that may write, too. A run then changes your tables.' },
  since: {
    type: 'string',
    about:
      'statements: counts those of the last minutes, hours or days (30m, 2h, 7d), or since a time (2026-11-30T22:00:00Z).',
    problem: (value) => sinceProblem(value),
  },
  format: {
    type: 'string',
    oneOf: logFormats.map(({ format }) => format.id),
    about: `statements: the format of the log files: ${logFormats.map(({ format }) => format.id).join(', ')}. Default: it is recognised by their content.`,
  },
  prefix: {
    type: 'string',
    about: 'statements: log_line_prefix of a PostgreSQL log. Default: it is recognised.',
  },
  database: { type: 'string', about: 'statements: counts those of this database alone, where the log files tell it.' },
  'keep-values': { type: 'boolean', about: 'See import.' },
  on: { type: 'string', about: 'See import.' },
};

/** The names that are files, if all of them are; else null. */
const filesOf = (names: readonly string[]): readonly string[] | null =>
  names.every((name) => statSync(name, { throwIfNoEntry: false })?.isFile()) ? names : null;

/** `dyno import statements`: makes an experiment from the statements that a server has counted or logged. */
export const importStatements: Action = async (context, names) => {
  const { home, values, note } = context;
  const files = filesOf(names);
  const [word = ''] = names;
  if (files === null && (names.length > 1 || /[/\\]|\.(?:log|csv|json|gz)$/i.test(word))) {
    const missing = names.find((name) => !statSync(name, { throwIfNoEntry: false })?.isFile()) ?? word;
    throw new DynoError('badInput', `There is no file ${missing}.`, {
      hint: 'Name one TARGET, or the log files of one server.',
    });
  }
  const asked = files === null ? word : text(values, 'on');
  if (asked !== undefined && looksLikeConnectionString(asked))
    throw new DynoError('badInput', 'An experiment names its target, and a URL has no name.', {
      hint: 'Save it as a connection, in the window or with dyno connections import, and name that.',
    });
  const stop = new AbortController();
  using _ = onInterrupt(() => stop.abort());
  const since = sinceOf(text(values, 'since'), Date.now());
  if (files !== null) return fromFiles(context, files, since, stop.signal);
  const unused = ['format', 'prefix', 'database', 'keep-values', 'on'].find((name) => values[name] !== undefined);
  if (unused !== undefined)
    throw new DynoError('badInput', `--${unused} is for log files, and ${word} is a target.`, {
      hint: 'Leave it out, or name the log files of the server.',
    });
  const { target, passwords } = findTarget(home, word, {});
  const { descriptor } = catalogEntry(target.engine);
  const access = { home, passwords, signal: stop.signal, onActivity: note };
  const { kept, tables } = await toldStatements(target, access, since === null ? null : new Date(since).toISOString());
  const source = kept.source ?? descriptor.keptStatements ?? '';
  return hand(context, { kept, tables, descriptor, target: word, source }, null);
};

/** The statements of log files. */
async function fromFiles(
  context: CommandContext,
  files: readonly string[],
  since: number | null,
  signal: AbortSignal,
): Promise<number> {
  const { values, note } = context;
  const on = text(values, 'on');
  let shown = 0;
  const logs = await readLogs(files, {
    ...{ since, signal, database: text(values, 'database') ?? null, keepValues: values['keep-values'] === true },
    ...{ format: text(values, 'format') ?? null, prefix: text(values, 'prefix') ?? null },
    onProgress(bytes, of) {
      const share = Math.floor((10 * bytes) / of);
      if (of < bytesWithProgress || share <= shown) return;
      shown = share;
      note(`${formatPercent(share / 10)} of ${formatBytes(of)} are read.`);
    },
  });
  const { descriptor } = catalogEntry(logs.engine);
  const told = on === undefined ? null : await tablesOn(context, on, logs, signal);
  const target = on ?? descriptor.builtIn[0]?.target ?? '';
  const found = { kept: logs.kept, tables: told, descriptor, target, source: logs.format };
  const code = hand(context, found, logs);
  if (on === undefined && code === exitCodes.ok)
    note(`The experiment names ${target} as its target, which does not have your tables: change it, or use --on.`);
  return code;
}

/** Files that take long enough for their progress to be told. */
const bytesWithProgress = 200 * 1_024 * 1_024;

/** The user's tables on the server to whose engine the logs belong. */
async function tablesOn(
  { home, note }: CommandContext,
  on: string,
  { engine, format }: ReadLogs,
  signal: AbortSignal,
): Promise<readonly UserTable[]> {
  const { target, passwords } = findTarget(home, on, {});
  if (target.engine !== engine)
    throw new DynoError(
      'badInput',
      `${on} is a ${catalogEntry(target.engine).descriptor.label}, and the logs are ${format}.`,
      {
        hint: 'Name a server of the same engine with --on.',
      },
    );
  return userTablesOn(target, { home, passwords, signal, onActivity: note });
}

/** Statements, the catalog with which they are judged, and their origin. */
interface Found {
  readonly kept: KeptStatements;
  readonly tables: readonly UserTable[] | null;
  readonly descriptor: EngineDescriptor;
  readonly target: string;
  readonly source: string;
}

/** Chooses among the statements, prints them and writes the experiment. */
function hand(
  { values, print, printJson, note }: CommandContext,
  { kept, tables, descriptor, target, source }: Found,
  logs: ReadLogs | null,
): number {
  const language = descriptor.statements!;
  const statements = judgedStatements(kept, tables, language);
  const chosen = chooseStatements(statements, {
    by: text(values, 'by') === 'calls' ? 'calls' : 'time',
    top: Number(text(values, 'top') ?? usualTop),
    writes: values.writes === true,
  });
  const method = descriptor.support.statement?.prepared ? 'prepared' : 'bind';
  const at = new Date().toISOString();
  const from = { target, source, method, language, at, hasCatalog: tables !== null } as const;
  const files = logs === null ? {} : { files: logs.files.map(({ name }) => name) };
  const experiment = chosen.taken.length === 0 ? null : importedExperiment(chosen, kept, { ...from, ...files });
  const file = text(values, 'output');
  if (experiment !== null && file !== undefined && file !== '-') writeOutput('The experiment', file, experiment);
  if (values.json === true)
    printJson({ ...jsonOf(target, source, chosen, kept, experiment), ...(logs && logsOf(logs)) });
  else {
    const show = file === '-' ? note : print;
    for (const line of [...tableLines(chosen, kept, source), ...(logs ? logLines(logs) : [])]) show(line);
    if (experiment !== null && file === '-') print(experiment.trimEnd());
  }
  if (experiment === null) {
    const who = logs === null ? 'The server has counted no statement of this database' : 'The files have no statement';
    note(statements.length === 0 ? `${who} that an experiment could run.` : 'No statement was taken.');
    return exitCodes.badExperiment;
  }
  if (file === undefined) note('Nothing was written: -o FILE writes the experiment.');
  else if (file !== '-') note(`${file} was written, and nothing has run. Try it: dyno try ${file}`);
  return exitCodes.ok;
}

const logsOf = ({ files, balance, databases }: ReadLogs) => ({
  files,
  balance,
  databases: databases.map(([name, calls]) => ({ name, calls })),
});

/** The balance of log files as lines of text. */
const logLines = (logs: ReadLogs): readonly string[] => [
  '',
  'Entries:',
  ...balanceTexts(logs).map((one) => `  ${one}`),
];

const plain = ({ name, text: own, calls, meanMs, totalMs, rowsPerCall, share, tables, writes }: JudgedStatement) => ({
  ...{ name, text: own, calls, meanMs, totalMs, rowsPerCall, share, tables, writes },
});

const jsonOf = (
  target: string,
  source: string,
  { taken, left }: Chosen,
  kept: KeptStatements,
  experiment: string | null,
) => ({
  ...{ target, source, since: kept.since, totalMs: kept.totalMs, totalCalls: kept.totalCalls },
  covered: coveredBy(taken, kept),
  taken: taken.map((one) => ({ ...plain(one), parameters: one.origins, notes: one.notes })),
  left: left.map(({ statement, why }) => ({ ...plain(statement), why })),
  others: kept.others,
  experiment,
});

type Cells = readonly [share: string, calls: string, mean: string, rows: string, rest: string];

/** The statements that were taken and those that were not, as lines of text. */
function tableLines({ taken, left }: Chosen, kept: KeptStatements, source: string): readonly string[] {
  const cells = (one: JudgedStatement, rest: string): Cells => [
    formatPercent(one.share),
    formatCount(one.calls),
    formatMs(one.meanMs),
    formatShort(one.rowsPerCall),
    rest,
  ];
  const head: Cells = ['time', 'calls', 'mean', 'rows', 'statement'];
  const mine = taken.map((one) => cells(one, `${one.name}: ${shortText(one.written)}`));
  const rest = [
    ...left.map(({ statement, why }) => cells(statement, `${shortText(statement.text)} – ${why}`)),
    ...kept.others.map(
      (one): Cells => [
        formatPercent(kept.totalMs > 0 ? one.totalMs / kept.totalMs : null),
        formatCount(one.calls),
        formatMs(one.calls > 0 && kept.totalMs > 0 ? one.totalMs / one.calls : null),
        '',
        otherText(one),
      ],
    ),
  ];
  const [heads, ...lines] = alignColumns([head, ...mine, ...rest]);
  return [
    `${source}: ${many(taken.length, 'statement')} with ${coveredText(taken, kept)}${kept.since === null ? '' : ` since ${kept.since}`}.`,
    ...(mine.length > 0 ? ['', 'Taken:', heads!, ...lines.slice(0, mine.length)] : []),
    ...taken.flatMap(({ name, notes }) => notes.map((one) => `  ${name}: ${one}`)),
    ...(rest.length > 0 ? ['', 'Left out:', heads!, ...lines.slice(mine.length)] : []),
  ];
}
