import { Document, isCollection, isMap, isScalar, type Pair } from 'yaml';
import type { KeptStatements, OtherKind, OtherStatements } from '#engine-api/kept-statements.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { isOneOf, isSign, placedTokens } from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { oneLine } from '#model/text/printable.ts';
import type { JudgedStatement } from './judged-statements.ts';

/** The order by which the first statements are taken. */
export type ImportOrder = 'time' | 'calls';

/** The statements to take. */
export interface ImportChoice {
  readonly by: ImportOrder;
  /** The most statements. */
  readonly top: number;
  /** True: statements that may write are taken, too. */
  readonly writes: boolean;
}

/** A statement that is not in the experiment, with the reason as a sentence. */
interface NotTaken {
  readonly statement: JudgedStatement;
  readonly why: string;
}

/** The statements of an experiment, and those that it does not have. */
export interface Chosen {
  readonly taken: readonly JudgedStatement[];
  readonly left: readonly NotTaken[];
}

/** Takes the first statements that an experiment can run. Pure. */
export function chooseStatements(statements: readonly JudgedStatement[], { by, top, writes }: ImportChoice): Chosen {
  const ordered = statements.toSorted((a, b) => (by === 'time' && b.totalMs - a.totalMs) || b.calls - a.calls);
  const usable = ordered.filter((one) => whyLeft(one, writes) === null);
  const taken = usable.slice(0, top);
  const left = ordered.flatMap((statement) => {
    if (taken.includes(statement)) return [];
    return [{ statement, why: whyLeft(statement, writes) ?? `It is not among the first ${formatCount(top)}.` }];
  });
  return { taken, left };
}

/** Takes the statements of these names. Pure. */
export function pickStatements(statements: readonly JudgedStatement[], names: ReadonlySet<string>): Chosen {
  const isTaken = ({ name, whyNot }: JudgedStatement) => names.has(name) && whyNot === null;
  return {
    taken: statements.filter(isTaken),
    left: statements.flatMap((statement) =>
      isTaken(statement) ? [] : [{ statement, why: whyLeft(statement, false) ?? 'It was not chosen.' }],
    ),
  };
}

/** The reason why a statement is not taken; null: it can be. */
function whyLeft({ whyNot, writes }: JudgedStatement, takesWrites: boolean): string | null {
  if (whyNot !== null) return whyNot;
  return takesWrites ? null : writes;
}

/** The shares of the server's time and calls that these statements have; null: the server counted none. */
export function coveredBy(
  taken: readonly JudgedStatement[],
  { totalMs, totalCalls }: KeptStatements,
): { readonly time: number | null; readonly calls: number | null } {
  const sum = (of: (one: JudgedStatement) => number) => taken.reduce((all, one) => all + of(one), 0);
  return {
    time: totalMs > 0 ? Math.min(1, sum((one) => one.totalMs) / totalMs) : null,
    calls: totalCalls > 0 ? Math.min(1, sum((one) => one.calls) / totalCalls) : null,
  };
}

const kindWords: Readonly<Record<OtherKind, string>> = {
  definition: 'Definitions and maintenance',
  session: 'Commands of sessions',
  catalog: 'Queries about the server itself',
  dyno: 'Statements of Dyno’s own runs',
  cut: 'Texts that the server has cut',
  hidden: 'Texts that the user may not see',
  older: 'Texts without calls since then, or whose calls since then the server does not tell',
  several: 'Texts of several statements',
  rare: 'Rarer texts, beyond the first ones',
  other: 'Other statements, such as calls of procedures',
};

/** The counted texts of a kind that no experiment takes, in words. */
export const otherText = ({ kind, texts, words }: OtherStatements): string =>
  `${kindWords[kind]}: ${many(texts, 'text')}${words.length > 0 && kind !== 'cut' ? ` (${words.join(', ')})` : ''}`;

/** The server whose statements an experiment has. */
interface ImportedFrom {
  /** The name of the target in experiment files. */
  readonly target: string;
  /** The log files that were read, as their names. Absent: the server was asked. */
  readonly files?: readonly string[];
  /** False: the values of parameters are made up by their kinds, or are those of the files. */
  readonly hasCatalog?: boolean;
  /** The view that was read, or the format of the files. */
  readonly source: string;
  readonly method: MethodName;
  readonly language: StatementLanguage;
  /** Now, in ISO 8601. */
  readonly at: string;
}

/**
 * The text of an experiment with these statements. Weights are shares of their calls, in percent. Values of parameters
 * come from the tables when a run starts, so that the text has none of a user's values.
 */
export function importedExperiment(chosen: Chosen, kept: KeptStatements, from: ImportedFrom): string {
  const { taken } = chosen;
  const calls = taken.reduce((sum, one) => sum + one.calls, 0);
  const document = new Document({
    dyno: 1,
    name: `Statements of ${oneLine(from.target)}`.slice(0, 100),
    question: `How fast does ${oneLine(from.target)} run its own statements?`.slice(0, 300),
    workload: { operation: 'statement', method: from.method },
    statements: Object.fromEntries(
      taken.map((one) => [
        one.name,
        {
          text: inLines(one.written, from.language),
          ...(Object.keys(one.parameters).length > 0 && { parameters: one.parameters }),
          weight: Number(((100 * one.calls) / calls).toPrecision(3)),
          ...(one.share !== null && { timeShare: roundedShare(one.share) }),
        },
      ]),
    ),
    targets: [from.target],
    measure: { until: { seconds: 10 }, repeats: 3 },
  });
  document.commentBefore = headText(chosen, kept, from);
  const statements = document.get('statements', true);
  if (isMap(statements))
    for (const [i, pair] of (statements.items as Pair[]).entries()) {
      const one = taken[i]!;
      if (isScalar(pair.key)) pair.key.commentBefore = comment([figuresText(one), ...one.notes]);
      const parameters = document.getIn(['statements', one.name, 'parameters'], true);
      if (isMap(parameters)) for (const { value } of parameters.items) if (isMap(value)) value.flow = true;
    }
  for (const path of [['workload'], ['targets'], ['measure', 'until']]) {
    const node = document.getIn(path, true);
    if (isCollection(node)) node.flow = true;
  }
  for (const { key } of isMap(document.contents) ? document.contents.items : [])
    if (isScalar(key) && ['workload', 'statements', 'targets', 'measure'].includes(String(key.value)))
      key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}

/** A share of the server's time with the digits that a file keeps. */
const roundedShare = (share: number): number => Number(Math.min(1, share).toPrecision(3));

const mostLine = 100;
const clauses =
  'from where group having order limit offset fetch union join left right inner full cross set values returning'.split(
    ' ',
  );
/** Words in front of JOIN and SET that begin the same clause. */
const continues: Readonly<Record<string, readonly string[]>> = {
  join: ['left', 'right', 'inner', 'full', 'cross', 'outer'],
  values: ['on'],
};

/** A long text with each clause, or each member of a command, on a line of its own. */
function inLines(text: string, language: StatementLanguage): string {
  if (language.language !== 'sql') return commandInLines(text);
  if (text.length <= mostLine) return text;
  const tokens = placedTokens(text, language);
  let depth = 0;
  let written = '';
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    if (isSign(token, '(')) depth++;
    if (isSign(token, ')')) depth--;
    const before = tokens[i - 1];
    const isClause = depth === 0 && before !== undefined && isOneOf(token, ...clauses) && !isSign(tokens[i + 1], '(');
    if (!isClause || isOneOf(before, ...(continues[token.text] ?? [])) || text[token.start - 1] !== ' ') continue;
    written += `${text.slice(at, token.start - 1)}\n`;
    at = token.start;
  }
  return written + text.slice(at);
}

function commandInLines(text: string): string {
  const spaced = (value: unknown) => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  const command: unknown = JSON.parse(text);
  if (text.length <= mostLine || !isMapping(command)) return spaced(command);
  const lines = Object.entries(command).map(([name, value]) => `${JSON.stringify(name)}: ${spaced(value)}`);
  return `{ ${lines.join(',\n  ')} }`;
}

const comment = (lines: readonly string[]): string => lines.map((line) => ` ${oneLine(line)}`).join('\n');

/** The counts of a statement, for people. */
const figuresText = ({ share, calls, meanMs, rowsPerCall }: JudgedStatement): string =>
  [
    `${share === null ? '' : `${formatPercent(share)} of the time: `}${many(calls, 'call')}${meanMs === null ? '' : ` of ${formatMs(meanMs)}`}`,
    ...(rowsPerCall === null ? [] : [`${formatShort(rowsPerCall)} rows each`]),
  ].join(', ');

const mostText = 100;

/** A text on one line, cut behind its first 100 characters. */
export const shortText = (text: string): string => {
  const line = oneLine(text.replaceAll(/\s+/g, ' ').trim());
  return line.length > mostText ? `${line.slice(0, mostText)}…` : line;
};

const mostLeft = 40;

const shareText = (share: number | null): string => (share === null ? '' : `${formatPercent(share)}: `);

/** The shares of the time and of the calls, as words; logs may have no times. */
export const coveredText = (taken: readonly JudgedStatement[], kept: KeptStatements): string => {
  const { time, calls } = coveredBy(taken, kept);
  return `${time === null ? '' : `${formatPercent(time)} of the time and `}${formatPercent(calls)} of the calls`;
};

function headText({ taken, left }: Chosen, kept: KeptStatements, from: ImportedFrom): string {
  const { target, source, at, files, hasCatalog = true } = from;
  const since = kept.since === null ? '' : ` from ${kept.since}`;
  const lines = [
    files === undefined
      ? `Statements that ${target} counted (${source})${since} to ${at}.`
      : `Statements of ${files.join(', ')} (${source})${since}, read at ${at}.`,
    `They have ${coveredText(taken, kept)} that the ${files === undefined ? 'server counted for this database' : 'files have'}.`,
    `Weights are shares of the calls, in percent. ${
      hasCatalog
        ? 'Values of parameters are read from the tables when a run starts.'
        : 'Values of parameters are made up by the kinds of values in the files, so that most find no row.'
    }`,
    ...(left.length + kept.others.length > 0 ? ['', 'Left out:'] : []),
    ...left
      .slice(0, mostLeft)
      .map(({ statement, why }) => `- ${shareText(statement.share)}${shortText(statement.text)} – ${why}`),
    ...(left.length > mostLeft ? [`- ${formatNumber(left.length - mostLeft)} more statements`] : []),
    ...kept.others.map(
      (one) => `- ${shareText(kept.totalMs > 0 ? one.totalMs / kept.totalMs : null)}${otherText(one)}`,
    ),
  ];
  return comment(lines);
}
