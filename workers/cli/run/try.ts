import { formatMs } from '#model/format/format.ts';
import type { TriedStatement, TryReport } from '#model/statements/statements.ts';
import { asItem, printable } from '#model/text/printable.ts';
import { tryOnce } from '#orchestrator/try/try-once.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { triedAsText } from '#presentation/text/tried-as-text.ts';
import { type Command, jsonOption, text } from '../command.ts';
import { confirmedHosts, confirmOption } from '../confirm-option.ts';
import { experimentOptions, folderOf, withChanges, writtenText } from '../experiments/experiment-text.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { onInterrupt } from '../interrupt.ts';

/** `dyno try`: runs custom statements and checks once, and rolls back. */
export const tryCommand: Command = {
  name: 'try',
  arguments: 'FILE',
  summary:
    'Runs an experiment’s custom statements and checks once, shows result and plan, and undoes what they change.',
  help: 'Everything runs in a transaction that is rolled back; what an engine could not undo is not run, and it says why. Statements run as the run does it with one of its variants: by its method, driver and options, on tables with its keys, indexes and statistics. These have 1,000 rows at most, and are dropped; where the run has more, the report says so.',
  options: {
    target: { type: 'string', about: 'On this target alone.' },
    variant: { type: 'string', about: 'With this variant’s settings; otherwise with the first one of each target.' },
    statement: { type: 'string', about: 'This statement or transaction alone.' },
    check: { type: 'string', about: 'This check alone, of tables as they are loaded.' },
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
    const folder = folderOf(word);
    const written = writtenText(home, word);
    const yaml = withChanges(written, values);
    ensureHome(home);
    const experiment = requireTrust(home, word, written, yaml, values.trust === true);
    const reports = await tryOnce({
      ...{ home, experiment },
      confirmed: confirmedHosts(values),
      ...(folder && { folder }),
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
    if (stop.signal.aborted) return exitCodes.cancelled;
    return reports.every(isFine) ? exitCodes.ok : exitCodes.someTrialsFailed;
  },
};

/** A statement that the engine cannot run, or that Dyno cannot undo, is not a failure. */
const isFine = ({ error, statements }: TryReport): boolean =>
  [error, ...statements.map((one) => one.error)].every((one) => one === null || one.kind === 'unsupported');

function reportText({ target, item, as, statements, error }: TryReport): string {
  const head = `${item.name} on ${target}`;
  const said = error === null ? [] : [`  ${errorText(error)}`];
  const how = as ? [`  ${triedAsText(as)}`] : [];
  return ['', head, '='.repeat(head.length), ...how, ...said, ...statements.flatMap(statementLines)].join('\n');
}

const errorText = ({ message, hint }: NonNullable<TryReport['error']>): string =>
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
    ...(error ? [`  ${errorText(error)}`] : []),
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
