import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import type { AskedTable } from '#engine-api/table-facts.ts';
import { catalog } from '#engines/catalog.ts';
import { columnText, type MappedTable, type Twin, twinWithValues } from '#experiment/import-tables/twin.ts';
import { twinText } from '#experiment/import-tables/twin-text.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { oneLine } from '#model/text/printable.ts';
import { tableFactsOn } from '#orchestrator/try/ask-target.ts';
import { type CheckedTwin, checkTwin } from '#orchestrator/twin/check-twin.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { writeOutput } from '#platform/output-file.ts';
import { alignColumns } from '#presentation/terminal/run-text.ts';
import { twinLines, twinMarkdown } from '#presentation/terminal/twin-text.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { type Action, type Command, text } from '../command.ts';
import { confirmedHosts, confirmOption } from '../confirm-option.ts';
import { requireTrust } from '../experiments/require-trust.ts';
import { onInterrupt } from '../interrupt.ts';
import { findTarget } from '../targets/find-target.ts';

/** Help of `dyno import tables`. */
export const tablesHelp = [
  'tables      Reads the definitions of tables (all, or those that are named: TARGET orders sales.items) and the statistics of the server about them, and makes an experiment whose generated rows have the same statistics: nulls, different values, frequent values, ranges, lengths, order on disk, columns that depend on each other, references. PostgreSQL: pg_stats and pg_stats_ext; MySQL and MariaDB: histograms and index statistics; SQL Server: sys.dm_db_stats_histogram; Oracle: USER_TAB_COL_STATISTICS and USER_TAB_HISTOGRAMS; SQLite: the schema and sqlite_stat1; MongoDB: a sample of documents, which Dyno reads and does not keep.',
  'No row leaves the server. The file has bounds of histograms and frequent numbers and times; frequent texts are replaced by made-up ones of the same length, unless --keep-values is given. Labels of enumerated types belong to the definition, and are kept.',
].join('\n');

/** Options of `dyno import tables`. */
export const tablesOptions: Command['options'] = {
  scale: {
    type: 'string',
    about: 'tables: rows of the experiment for each row of the server, from 0.0001 to 1000. Default: 1.',
    problem: (value) => (scaleOf(value) === null ? 'takes a number from 0.0001 to 1000.' : null),
  },
  'keep-values': { type: 'boolean', about: 'tables: keeps frequent texts as they are at the server.' },
  on: { type: 'string', about: 'tables: the target of the experiment. Default: TARGET.' },
  check: {
    type: 'boolean',
    about: 'tables: makes the tables of the experiment on its target, compares them with yours, and drops them.',
  },
  markdown: {
    type: 'string',
    isOutput: true,
    about: 'tables, with --check: writes the comparison as Markdown (“-”: standard output).',
  },
  ...confirmOption,
};

function scaleOf(value: string): number | null {
  const scale = Number(value);
  return /^[\d.]+$/.test(value) && scale >= 0.0001 && scale <= 1_000 ? scale : null;
}

/** `dyno import tables`: makes an experiment whose tables have the statistics of those of a server. */
export const importTables: Action = async ({ home, values, print, printJson, note }, [word = '', ...names]) => {
  if (looksLikeConnectionString(word) && text(values, 'on') === undefined)
    throw new DynoError('badInput', 'An experiment names its target, and a URL has no name.', {
      hint: 'Save it as a connection, or name the target of the experiment with --on.',
    });
  const { target, passwords } = findTarget(home, word, {});
  const { descriptor } = catalogEntry(target.engine);
  if (descriptor.tableStatistics === undefined)
    throw new DynoError('unsupported', `Dyno reads no statistics of tables of ${descriptor.label}.`, {
      hint: descriptor.unsupportedReasons.tableStatistics ?? 'Write an SQL script of the tables, and use dyno draft.',
    });
  const on = text(values, 'on') ?? word;
  const { engine: onEngine } = on === word ? target : findTarget(home, on, {}).target;
  const stop = new AbortController();
  using _ = onInterrupt(() => stop.abort());
  const asked = names.map(askedTable);
  const facts = await tableFactsOn(target, { home, passwords, signal: stop.signal, onActivity: note }, asked);
  for (const { schema, name } of asked)
    if (!facts.some((one) => one.name === name && (schema === null || one.schema === null || one.schema === schema)))
      throw new DynoError(
        'badInput',
        `${word} has no table ${schema === null ? name : `${schema}.${name}`} that the user may read.`,
      );
  if (facts.length === 0) {
    note(`${word} has no table of yours that the user may read.`);
    return exitCodes.badExperiment;
  }
  const scale = scaleOf(text(values, 'scale') ?? '1') ?? 1;
  const made = twinWithValues(facts, { scale, keepValues: values['keep-values'] === true });
  const { twin } = made;
  const from = looksLikeConnectionString(word) ? descriptor.label : word;
  const experiment = twinText(
    twin,
    { name: from, engine: target.engine },
    { name: on, engine: onEngine },
    catalog.map((one) => one.descriptor),
  );
  const file = text(values, 'output');
  if (file !== undefined && file !== '-') writeOutput('The experiment', file, experiment);
  const markdown = text(values, 'markdown');
  const checked =
    values.check === true
      ? await checkTwin({
          ...{ home, passwords, signal: stop.signal, onActivity: note, original: target, made, scale },
          experiment: requireTrust(home, { file: parseFile(experiment) }, false),
          confirmed: confirmedHosts(values),
        })
      : null;
  const limits = checked ? limitsOf(checked) : [];
  if (values.json === true)
    printJson({ target: from, source: descriptor.tableStatistics, scale, ...twin, experiment, check: checked });
  else {
    const show = file === '-' || markdown === '-' ? note : print;
    for (const line of [...mappingLines(twin), '', ...twin.told.map(oneLine)]) show(line);
    if (checked) for (const line of ['', 'How far is the twin off?', ...twinLines(checked, limits)]) show(line);
    if (file === '-') print(experiment.trimEnd());
  }
  if (checked && markdown !== undefined) {
    const written = twinMarkdown(`How far is the twin of ${from} off?`, checked, limits);
    if (markdown === '-') print(written.trimEnd());
    else writeOutput('The comparison', markdown, written);
  }
  if (file === undefined) note('Nothing was written: -o FILE writes the experiment.');
  else if (file !== '-')
    note(
      `${file} was written: ${many(twin.mapping.length, 'table')} by ${descriptor.tableStatistics}. Nothing has run. Try it: dyno run ${file}`,
    );
  return exitCodes.ok;
};

/** Sentences about what was not compared, and why. */
const limitsOf = ({ isProduction }: CheckedTwin): readonly string[] =>
  isProduction
    ? [
        'The original is a production server: no query ran there, and nothing was counted. Its figures are those of its statistics and of EXPLAIN.',
      ]
    : [];

/** A table by its name, or by its schema and its name. */
function askedTable(word: string): AskedTable {
  const [, schema, name] = /^(?:(.+)\.)?([^.]+)$/.exec(word) ?? [];
  return { schema: schema ?? null, name: name ?? word };
}

/** The tables and columns with their places in the experiment, as lines of text. */
function mappingLines({ mapping }: Twin): readonly string[] {
  return mapping.flatMap(({ table, rows, name, twinRows, columns }: MappedTable) => [
    `${oneLine(table)}: ${formatCount(rows)} rows → ${name}: ${formatCount(twinRows)} rows`,
    ...alignColumns(
      columns.map(({ column, type, as, hasStatistics }) => [
        `  ${oneLine(column)}`,
        oneLine(type),
        as === null ? '(left out)' : `${columnText(as)}${hasStatistics ? '' : ' (no statistics)'}`,
      ]),
      ['left', 'left'],
    ),
  ]);
}
