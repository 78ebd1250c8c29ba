import { findEngine } from '#engines/catalog.ts';
import { isDefinition, makesTable, readDefinitions } from '#experiment/statements/create-table.ts';
import { type MadeTables, tablesOf } from '#experiment/statements/dataset-of-tables.ts';
import { withGivenNames, withKey } from '#experiment/statements/named-tables.ts';
import { usualParameter } from '#experiment/statements/usual-parameter.ts';
import { draftText } from '#experiment/yaml/draft-text.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import type { ParameterUse } from '#model/statements/parameter-uses.ts';
import { placedTokens } from '#model/statements/placed-tokens.ts';
import { namedParameters } from '#model/statements/program-parameters.ts';
import { parametersIn } from '#model/statements/statement-text.ts';
import { isolationIn, transactionControlIn, transactionGroups } from '#model/statements/transaction-control.ts';
import { oneLine } from '#model/text/printable.ts';
import { looksLikeType } from '#runner/operations/list-values.ts';
import { columnOfFile } from './csv-column.ts';
import { parseCsv } from './csv-records.ts';
import { type Dialect, dialects, readInDialect, recognised } from './script-dialects.ts';

/** The text of an experiment that a file of another kind became, and what the user should know about it. */
export interface FileDraft {
  readonly text: string;
  readonly note: string;
}

const mostStatements = 40;
/** The most statements of a script that are read, with those that define tables. */
const mostRead = 400;
const mostColumns = 5;

/** Options of the experiment that a script becomes. */
interface SqlOptions {
  /** The names of the targets. Default: the dialect's built-in one. */
  readonly targets?: readonly string[];
  /** The rows of each table that the script defines. */
  readonly rows?: number;
}

/**
 * The statements of an SQL script as an experiment of custom statements, with the tables that it defines; null: there
 * are none. `name`: the file's name without its ending. `given`: the script's dialect, where the user or a target says
 * it. Throws 'badInput' where no line has a place in an experiment.
 */
export function draftOfSql(
  name: string,
  script: string,
  given?: Dialect,
  { targets, rows = 10_000 }: SqlOptions = {},
): SqlDraft | null {
  const read = readInDialect(script, mostRead, given);
  const { experiment, notes, texts, isCut, areLookUps, told: ofTables } = experimentOf(read, rows);
  const { dialect, known, otherwise, left } = read;
  const tables = Object.keys(experiment.tables ?? {}).length;
  // A name in quotes may have several lines, which would not be part of a comment in the file.
  const told = [
    ...left.map(({ line, words, why }) => `Line ${line} was left out: ${words} (${why}).`),
    ...ofTables,
  ].map(oneLine);
  if (texts === 0 && tables === 0 && told.length > 0)
    throw new DynoError('badInput', `An experiment can use nothing of this script. ${told.join(' ')}`);
  if (texts === 0 && tables === 0) return null;
  const parameters = JSON.stringify(experiment).includes('"parameters"');
  const builtIn = findEngine(dialect?.id ?? '')?.descriptor.builtIn[0]?.target;
  const as = dialect
    ? `It was read as a script of ${dialect.label}${known === 'recognised' ? ', which its syntax shows' : ''}.`
    : otherwise.length > 0
      ? `Nothing in it shows for which product it is, and ${otherwise.map(({ label }) => label).join(', ')} would read it differently.`
      : null;
  return {
    text: draftText(
      name,
      'How fast are these statements?',
      experiment,
      [
        ...(tables === 0
          ? [
              'Choose a connection to your server under targets: Dyno never creates, changes or drops your tables by itself.',
            ]
          : []),
        ...(parameters ? ['Say under parameters what values each parameter gets.'] : []),
        ...told,
      ],
      targets ?? (builtIn === undefined ? undefined : [builtIn]),
    ),
    note: [
      ...(tables === 0 ? [] : [`${many(tables, 'table')} of the script will be made and filled by Dyno.`]),
      areLookUps
        ? 'The script only defines tables, so each table with a key has a statement that looks up a row.'
        : isCut
          ? `The first ${texts} statements were taken from the script, the others were left out.`
          : `${texts === 1 ? 'One statement was' : `${texts} statements were`} taken from the script.`,
      ...(as === null ? [] : [as]),
      ...notes.map((one) => `${sentence(one)}.`),
      ...told.slice(0, mostTold),
      ...(told.length > mostTold ? [`${told.length - mostTold} more are listed at the beginning of the file.`] : []),
      'Nothing has run: choose a connection, then Try once.',
    ].join(' '),
    told,
    dialect: dialect?.id ?? null,
    otherwise: otherwise.map(({ id }) => id),
  };
}

/**
 * The experiment of a script that the user pasted, in the dialect that its syntax shows, else in that of `engine`.
 * Null: it has no statement.
 */
export const draftOfPasted = (script: string, engine: string | null, rows: number): SqlDraft | null =>
  draftOfSql('My SQL', script, recognised(script) ?? dialects.find(({ id }) => id === engine), { rows });

/** A script as an experiment. */
export interface SqlDraft extends FileDraft {
  /** Sentences about the parts that are not in the experiment, each beginning with the line. */
  readonly told: readonly string[];
  /** The engine in whose dialect it was read; null if its syntax fits no product. */
  readonly dialect: string | null;
  /** The engines in whose dialect it would read differently, if the dialect is unknown. */
  readonly otherwise: readonly string[];
}

const mostTold = 3;

interface Made {
  readonly experiment: Readonly<Record<string, unknown>> & { readonly tables?: MadeTables['tables'] };
  readonly notes: readonly string[];
  /** Number of statements. */
  readonly texts: number;
  /** True if the script has more statements than an experiment takes. */
  readonly isCut: boolean;
  /** True if the statements are Dyno's own, because the script only defines tables. */
  readonly areLookUps: boolean;
  /** Sentences about the tables, each beginning with its line. */
  readonly told: readonly string[];
}

/** A statement of a script as the experiment has it. */
interface MadeStatement {
  readonly text: string;
  readonly times: number;
  readonly uses: ReadonlyMap<string, ParameterUse | null>;
}

/** The statements, the transactions that the script begins and ends itself, and a scenario with its drawn values. */
function experimentOf(
  { items: all, drawn, notes: ofScript, language, dialect }: ReturnType<typeof readInDialect>,
  rows: number,
): Made {
  const notes = new Set(ofScript);
  const texts = all.flatMap((item) => (item.kind === 'statement' ? [item] : []));
  const definitions = texts.filter(({ text }) => isDefinition(text, language));
  const makesTables = definitions.some(({ text }) => makesTable(text, language));
  const items = makesTables ? all.filter((item) => !definitions.some((one) => one === item)) : all;
  const { tables, names, told }: MadeTables = makesTables
    ? tablesOf(readDefinitions(definitions.map(atFirstLine), language), {
        rows: () => rows,
        place: (line) => `Line ${line}`,
      })
    : { tables: {}, names: new Map(), told: [] };
  function atFirstLine({ text, line }: (typeof definitions)[number]) {
    // The line is that of the first word, and the text begins with the comments before it.
    return { text, line: line - text.slice(0, placedTokens(text, language)[0]?.start ?? 0).split('\n').length + 1 };
  }
  const made: Record<string, Readonly<Record<string, unknown>>> = { ...tables };
  const statements = new Map<string, MadeStatement>();
  const pauses = new Map<string, number>();
  const order: string[] = [];
  for (const item of items) {
    if (item.kind === 'pause') {
      const name = `pause ${pauses.size + 1}`;
      pauses.set(name, item.ms);
      order.push(name);
    } else if (statements.size < mostStatements) {
      const renamed = withGivenNames(item.text, language, names);
      const whole = withKey(renamed, language, tables);
      if (whole?.key)
        notes.add(`the key ${whole.key} was added to the INSERT, because no server numbers the rows of Dyno’s tables`);
      if (whole && whole.missing.length > 0) made[whole.table] = withNulls(made[whole.table]!, whole.missing);
      const { text, signs, uses } = namedParameters(whole?.text ?? renamed, language);
      if (signs.length > 0) notes.add('parameters of the script are written :name here');
      const name = nameOf(item.text, statements.size);
      statements.set(name, { text, times: item.times, uses });
      order.push(name);
    }
  }
  const isCut = texts.length > mostRead || items.filter(({ kind }) => kind === 'statement').length > statements.size;
  const controls = new Map(
    [...statements].flatMap(([name, { text }]) => {
      const control = transactionControlIn(text, language);
      return control ? [[name, control] as const] : [];
    }),
  );
  const groups = transactionGroups(order, (name) => controls.get(name) ?? null);
  const isGone = (name: string) =>
    ['begins', 'ends', 'undoes', 'holds', 'isolates'].includes(controls.get(name)?.kind ?? '');
  const isolations = dialect ? (findEngine(dialect.id)?.descriptor.isolations ?? {}) : {};
  const isolation = [...controls.keys()]
    .map((name) => isolationIn(statements.get(name)!.text, isolations))
    .find(Boolean);
  const areLookUps = statements.size === 0 && makesTables;
  if (areLookUps)
    for (const [name, table] of Object.entries(tables)) {
      if (typeof table.key !== 'string') continue;
      // A script that only defines tables gets a statement for each, so that it can be run.
      const { text, uses } = namedParameters(`SELECT * FROM {${name}} WHERE ${table.key} = :${table.key}`, language);
      const statement = `look-up-${name.replaceAll('_', '-')}`;
      statements.set(statement, { text, times: 1, uses });
      order.push(statement);
    }
  const kept = new Map([...statements].filter(([name]) => !isGone(name)));
  const usedBy = (names: readonly string[]) =>
    names.flatMap((name) => (kept.has(name) ? parametersIn(kept.get(name)!.text, language, []) : []));
  const specOf = (name: string, owners: readonly string[]) => {
    const uses = owners.flatMap((owner) => statements.get(owner)?.uses.get(name) ?? []);
    return drawn[name] ?? usualParameter({ tables: made }, name, uses[0] ?? null, language);
  };
  const specs = (names: readonly string[], owners: readonly string[] = [...kept.keys()]) =>
    Object.fromEntries(names.map((name) => [name, specOf(name, owners)]));
  const stepOf = (name: string): unknown => {
    const ms = pauses.get(name);
    if (ms !== undefined) return { thinkMs: ms, thinkTime: 'constant' };
    const { times } = kept.get(name)!;
    return times > 1 ? { steps: [name], times } : name;
  };
  const transactions: Record<string, unknown> = {};
  const units: unknown[] = [];
  const shared = new Map<string, ReadonlySet<string>>();
  const done = new Set<string>();
  for (const name of order) {
    if (done.has(name) || isGone(name)) continue;
    const group = groups.find(({ steps }) => steps.includes(name));
    const steps = group?.steps.filter((one) => kept.has(one) || pauses.has(one)) ?? [];
    if (!group || !steps.some((one) => kept.has(one))) {
      done.add(name);
      units.push(pauses.has(name) ? stepOf(name) : name);
      continue;
    }
    if (group.isUndone)
      notes.add(`the script rolls the transaction of ${steps.length} statements back, and Dyno commits it`);
    const used = usedBy(steps);
    const twice = [
      ...new Set(used.filter((one) => drawn[one] !== undefined || used.indexOf(one) !== used.lastIndexOf(one))),
    ];
    const transaction = `transaction-${Object.keys(transactions).length + 1}`;
    transactions[transaction] = {
      steps: steps.map(stepOf),
      ...(twice.length > 0 && { parameters: specs(twice) }),
    };
    for (const one of steps) {
      done.add(one);
      shared.set(one, new Set(twice));
    }
    units.push(transaction);
  }
  if (groups.some(({ steps }) => steps.length > 0)) notes.add('what the script commits together is a transaction here');
  // Values that several units share, and pauses between them, belong to a user who goes through the script.
  const alone = units.filter((unit): unit is string => typeof unit === 'string');
  const isScenario = alone.length > 1 && (Object.keys(drawn).length > 0 || units.length > alone.length);
  const ofUser = isScenario ? Object.keys(drawn).filter((one) => usedBy([...kept.keys()]).includes(one)) : [];
  if (isScenario) {
    notes.add('one pass of the script is a scenario here');
    for (const one of Object.values(transactions)) delete (one as { parameters?: unknown }).parameters;
  }
  const ownOf = (name: string, text: string) =>
    parametersIn(text, language, []).filter((one) => !shared.get(name)?.has(one) && !ofUser.includes(one));
  return {
    experiment: {
      ...(Object.keys(made).length > 0 && { tables: made }),
      ...(isolation && { workload: { operation: 'statement', method: 'prepared', isolation } }),
      statements: Object.fromEntries(
        [...kept].map(([name, { text, times }]) => {
          const own = ownOf(name, text);
          if (times > 1 && !shared.has(name))
            notes.add(`the batch of ${name} ran ${times} times, which is its weight here`);
          return [
            name,
            {
              text,
              ...(own.length > 0 && { parameters: specs(own, [name]) }),
              ...(times > 1 && !shared.has(name) && { weight: times }),
            },
          ];
        }),
      ),
      ...(Object.keys(transactions).length > 0 && { transactions }),
      ...(isScenario && {
        scenarios: { script: { steps: units, ...(ofUser.length > 0 && { parameters: specs(ofUser) }) } },
      }),
    },
    notes: [...notes],
    texts: kept.size,
    isCut,
    areLookUps,
    told,
  };
}

/** A table in which columns may be null, because an INSERT leaves them out. */
function withNulls(table: Readonly<Record<string, unknown>>, columns: readonly string[]) {
  const specs = Object.entries(table.columns as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  return {
    ...table,
    columns: Object.fromEntries(
      specs.map(([name, spec]) => [name, columns.includes(name) ? { ...spec, nulls: spec.nulls ?? 0.1 } : spec]),
    ),
  };
}

/** A statement whose parameters are drawn from a CSV file in the folder of the experiments. Throws as parseCsv does. */
export function draftOfCsv(name: string, file: string, csv: string): FileDraft | null {
  const records = parseCsv(csv, file);
  const [columns = [], ...rows] = records.map(({ fields }) => fields.map(({ text }) => text));
  const named = columns.filter((column) => column.trim() !== '').slice(0, mostColumns);
  if (named.length === 0 || rows.length === 0) return null;
  const parameters = new Map(
    named.map((column, index) => {
      const as = looksLikeType(columnOfFile(records, { file, column }).values);
      return [parameterName(column, index), { type: 'csv', file, column, ...(as !== 'text' && { as }) }];
    }),
  );
  const text = `SELECT ${[...parameters.keys()].map((parameter) => `:${parameter}`).join(', ')}`;
  return {
    text: draftText(
      name,
      `How fast are our statements with the values of ${file}?`,
      { statements: { 'with-values': { text, parameters: Object.fromEntries(parameters) } } },
      ['Replace the statement by one of yours; its parameters take the values of one row of the file in each call.'],
    ),
    note: `${rows.length === 1 ? 'One row' : `${formatCount(rows.length)} rows`} of values. The file was copied beside your experiments, where runs read it.`,
  };
}

/** Name of a statement from its first word and its number in the script, such as "select-3". */
function nameOf(text: string, index: number): string {
  const [word] = /[a-z]+/i.exec(text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')) ?? ['statement'];
  return `${word.toLowerCase().slice(0, 20)}-${index + 1}`;
}

/**
 * Makes the name of a parameter from a column's name. Columns whose names differ only in special characters get
 * different names.
 */
function parameterName(column: string, index: number): string {
  const plain = column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 24);
  return /^[a-z]/.test(plain) ? `${plain}_${index + 1}` : `value_${index + 1}`;
}
