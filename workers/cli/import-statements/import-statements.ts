import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import {
  type Chosen,
  chooseStatements,
  coveredBy,
  type ImportOrder,
  importedExperiment,
  otherText,
  shortText,
} from '#experiment/import-statements/imported-experiment.ts';
import { type JudgedStatement, judgedStatements } from '#experiment/import-statements/judged-statements.ts';
import { DynoError } from '#model/error.ts';
import { formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { toldStatements } from '#orchestrator/try/ask-target.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { writeOutput } from '#platform/output-file.ts';
import { alignColumns } from '#presentation/terminal/run-text.ts';
import type { Action, Command } from '../command.ts';
import { text } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { findTarget } from '../targets/find-target.ts';

const usualTop = 50;
const orders: readonly ImportOrder[] = ['time', 'calls'];

/** Help of `dyno import statements`. */
export const statementsHelp = [
  'TARGET is a saved connection or a built-in target (`dyno targets`).',
  '',
  'statements  Reads the counts that the server keeps of its statements (PostgreSQL: pg_stat_statements; MySQL and MariaDB: performance_schema; SQL Server: Query Store; Oracle: V$SQL; MongoDB: $queryStats or the profiler), and makes an experiment of the statements with the most time. Weights are shares of the calls. Values of parameters are read from the tables when a run starts: the file has none of them, and literals of the server’s texts become parameters. Statements that may write are listed, and taken only with --writes. Nothing runs.',
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
};

/** `dyno import statements`: makes an experiment from the statements that a server has counted. */
export const importStatements: Action = async ({ home, values, print, printJson, note }, names) => {
  const [word = ''] = names;
  if (looksLikeConnectionString(word))
    throw new DynoError('badInput', 'An experiment names its target, and a URL has no name.', {
      hint: 'Save it as a connection, in the window or with dyno connections import, and name that.',
    });
  const { target, passwords } = findTarget(home, word, {});
  const { descriptor } = catalogEntry(target.engine);
  const stop = new AbortController();
  using _ = onInterrupt(() => stop.abort());
  const { kept, tables } = await toldStatements(target, { home, passwords, signal: stop.signal, onActivity: note });
  const language = descriptor.statements!;
  const statements = judgedStatements(kept, tables, language);
  const chosen = chooseStatements(statements, {
    by: text(values, 'by') === 'calls' ? 'calls' : 'time',
    top: Number(text(values, 'top') ?? usualTop),
    writes: values.writes === true,
  });
  const source = kept.source ?? descriptor.keptStatements ?? '';
  const method = descriptor.support.statement?.prepared ? 'prepared' : 'bind';
  const at = new Date().toISOString();
  const experiment =
    chosen.taken.length === 0 ? null : importedExperiment(chosen, kept, { target: word, source, method, language, at });
  const file = text(values, 'output');
  if (experiment !== null && file !== undefined && file !== '-') writeOutput('The experiment', file, experiment);
  if (values.json === true) printJson(jsonOf(word, source, chosen, kept, experiment));
  else {
    const show = file === '-' ? note : print;
    for (const line of tableLines(chosen, kept, source)) show(line);
    if (experiment !== null && file === '-') print(experiment.trimEnd());
  }
  if (experiment === null) {
    note(
      statements.length === 0
        ? 'The server has counted no statement of this database that an experiment could run.'
        : 'No statement was taken.',
    );
    return exitCodes.badExperiment;
  }
  if (file === undefined) note('Nothing was written: -o FILE writes the experiment.');
  else if (file !== '-') note(`${file} was written, and nothing has run. Try it: dyno try ${file}`);
  return exitCodes.ok;
};

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
        formatMs(one.calls > 0 ? one.totalMs / one.calls : null),
        '',
        otherText(one),
      ],
    ),
  ];
  const [heads, ...lines] = alignColumns([head, ...mine, ...rest]);
  const { time, calls } = coveredBy(taken, kept);
  return [
    `${source}: ${many(taken.length, 'statement')} with ${formatPercent(time)} of the time and ${formatPercent(calls)} of the calls${kept.since === null ? '' : ` since ${kept.since}`}.`,
    ...(mine.length > 0 ? ['', 'Taken:', heads!, ...lines.slice(0, mine.length)] : []),
    ...taken.flatMap(({ name, notes }) => notes.map((one) => `  ${name}: ${one}`)),
    ...(rest.length > 0 ? ['', 'Left out:', heads!, ...lines.slice(mine.length)] : []),
  ];
}
