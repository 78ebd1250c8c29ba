import { formatMs } from '#model/format/format.ts';
import type { TriedStatement, TryReport } from '#model/statements/statements.ts';
import { asItem, printable } from '#model/text/printable.ts';
import { tryOnce } from '#orchestrator/try/try-once.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { titled } from '#presentation/terminal/run-text.ts';
import { triedAsText } from '#presentation/text/tried-as-text.ts';
import { type Command, jsonOption, text } from '../command.ts';
import { confirmedHosts, confirmOption } from '../confirm-option.ts';
import { experimentOptions, givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { onInterrupt } from '../interrupt.ts';
import { matrixLines } from './try-matrix.ts';

/** `dyno try`: runs custom statements and checks once, and rolls back. */
export const tryCommand: Command = {
  name: 'try',
  arguments: 'FILE',
  summary:
    'Runs the custom statements and checks of an experiment once, shows rows and query plans, and rolls all changes back.',
  help: 'Everything runs in a transaction that is rolled back. Dyno does not run statements that the engine cannot undo, and says why. Statements run with the method, driver and options of one variant, on tables with its keys, indexes and statistics. The tables have at most 1,000 rows and are dropped afterwards; the output says if the run would load more. With several targets, a table at the end has every statement on every target, and the messages of the targets.',
  options: {
    target: { type: 'string', about: 'Uses this target only.' },
    variant: { type: 'string', about: 'Uses the settings of this variant. Default: the first variant of each target.' },
    statement: { type: 'string', about: 'Runs this statement or transaction only.' },
    check: { type: 'string', about: 'Runs this check only, on freshly loaded tables.' },
    ...experimentOptions,
    ...trustOption,
    ...confirmOption,
    ...jsonOption,
  },
  takes: [1, 1],
  async run({ home, positionals: [word = ''], values, print, printJson, note }) {
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    const [target, variant] = [text(values, 'target'), text(values, 'variant')];
    const items = (['statement', 'check'] as const).flatMap((kind) => {
      const name = text(values, kind);
      return name ? [{ kind, name }] : [];
    });
    const given = givenExperiment(home, word, values);
    ensureHome(home);
    const experiment = requireTrust(home, given, values.trust === true);
    const reports = await tryOnce({
      ...{ home, experiment },
      confirmed: confirmedHosts(values),
      folder: given.folder,
      ...(target && { target }),
      ...(variant && { variant }),
      ...(items.length > 0 && { items }),
      signal: stop.signal,
      onActivity: note,
      onReport: (report) => {
        if (!values.json) print(printable(reportText(report)));
      },
    });
    if (values.json) printJson(reports);
    else for (const line of titled('On all targets', matrixLines(reports))) print(printable(line));
    if (stop.signal.aborted) return exitCodes.cancelled;
    return reports.every(isFine) ? exitCodes.ok : exitCodes.someTrialsFailed;
  },
};

/** A statement that the engine cannot run, or that Dyno cannot undo, is not a failure. */
const isFine = ({ error, statements }: TryReport): boolean =>
  [error, ...statements.map((one) => one.error)].every((one) => one === null || one.kind === 'unsupported');

function reportText({ target, item, as, statements, error }: TryReport): string {
  const head = `${item.name} on ${target}`;
  const said = error === null ? [] : [`  ${itemErrorText(error)}`];
  const how = as ? [`  ${triedAsText(as)}`] : [];
  return ['', head, '='.repeat(head.length), ...how, ...said, ...statements.flatMap(statementLines)].join('\n');
}

const itemErrorText = ({ message, hint }: NonNullable<TryReport['error']>): string =>
  hint === null ? asItem(message) : `${asItem(message)}\n  try: ${asItem(hint)}`;

function statementLines(tried: TriedStatement): readonly string[] {
  const { name, parameters, shown, plan, planNote, elapsedMs, error, isRead } = tried;
  const values = parameters.map((one) => `:${one.name} = ${one.value ?? 'null'}`);
  const time = elapsedMs === null ? '' : `, ${formatMs(elapsedMs)}`;
  const count = shown?.count ?? 'the server does not say how many';
  const counted = `${count} rows${shown?.hasMore ? ' and more' : ''}`;
  const rows = shown ? `${counted}${isRead ? '' : ' changed or returned, rolled back'}${time}` : 'not run';
  return [
    `${name}: ${rows}`,
    ...(values.length > 0 ? [`  ${values.join(', ')}`] : []),
    ...(error ? [`  ${itemErrorText(error)}`] : []),
    ...(shown && shown.columns.length > 0 ? table(shown.columns, shown.rows) : []),
    ...(plan === null ? (planNote === null ? [] : [`  No plan: ${planNote}`]) : ['  Plan:', ...indent(plan)]),
  ];
}

const indent = (lines: string): readonly string[] => lines.split('\n').map((line) => `    ${line}`);

const mostLines = 20;
const widest = 40;

function table(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): readonly string[] {
  const cut = (value: string | null) => {
    const one = (value ?? 'null').replaceAll(/\s+/g, ' ');
    return one.length > widest ? `${one.slice(0, widest - 1)}…` : one;
  };
  const all = [columns, ...rows.slice(0, mostLines)].map((row) => row.map(cut));
  const widths = columns.map((_, c) => Math.max(...all.map((row) => row[c]?.length ?? 0)));
  const lines = all.map((row) => `  ${row.map((cell, c) => cell.padEnd(widths[c]!)).join('  ')}`.trimEnd());
  return rows.length > mostLines ? [...lines, `  … ${rows.length - mostLines} more shown with --json`] : lines;
}
