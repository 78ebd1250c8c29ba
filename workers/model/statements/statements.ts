import * as v from 'valibot';
import { firstProblem, identifier } from '../dataset/column-parts.ts';
import { generatedSchema } from '../dataset/column-specs.ts';
import type { ErrorData } from '../error.ts';
import { described, fileKey } from '../file-key.ts';
import { decimal, integer } from '../numbers.ts';
import { settingSchemas } from '../settings/settings.ts';

const name = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,59}$/,
    'must begin with a letter, and have nothing but letters, digits, _ and - (60 characters at most)',
  ),
);
/** The reason why the text cannot name a statement, transaction, scenario or check; null if it can. */
export const statementNameProblem = (text: string): string | null => firstProblem(name, text);
const weight = v.optional(
  fileKey(decimal(0, 1_000_000), {
    label: 'Weight',
    help: 'Relative frequency of the statement. Default: 1, or 0 for a statement that is a step of a transaction.',
    usual: '1',
  }),
);
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(100_000));
/** One text for all targets, or a text per engine or target. */
export const textSchema = v.union([text, v.record(v.string(), text)]);
const count = integer(0, 1_000_000_000);
const rows = (label: string) =>
  fileKey(count, { label, help: 'Any other number of rows is an error.', unit: 'rows', usual: 'any' });
/** The most statements of an experiment; likewise its transactions, scenarios and checks. */
const mostItems = 500;
const mostSteps = 1_000;

/** The types that a file can give the values of a list (a CSV column, a query's answer) or of an answer. */
const listTypes = ['text', 'integer', 'decimal', 'float', 'uuid', 'timestamp', 'boolean', 'bytes'] as const;
/** The type of the values in a list. */
export type ListType = (typeof listTypes)[number];
/**
 * The type of values that a server returned, as parameters of later calls. `own`: each value has its own type, which
 * its text includes in the engine's notation (Extended JSON, a literal).
 */
export type AnswerType = ListType | 'own';

const row = v.optional(
  described(
    v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
    'Name of the row. In each call, parameters that draw from the same file or query and have the same name take their values from the same row.',
  ),
);

const tableName = described(identifier, 'One of `tables`, or the name of the dataset. Default: the dataset’s table.');
const key = v.strictObject({
  type: fileKey(v.literal('key'), {
    label: 'key of a table',
    help: 'The key of a row that was loaded into a table.',
  }),
  table: v.optional(tableName),
  keyDistribution: v.optional(settingSchemas.keyDistribution),
});
const newKey = v.strictObject({
  type: fileKey(v.literal('newKey'), {
    label: 'key of a new row',
    help: 'The key of a row that does not exist yet; no key occurs twice in a trial.',
  }),
  table: v.optional(tableName),
});
const csv = v.strictObject({
  type: fileKey(v.literal('csv'), { label: 'column of a CSV file', help: 'The values of a column of a CSV file.' }),
  file: described(
    v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
    'Path of a CSV file with a header line, relative to the experiment’s folder.',
    { first: 'values.csv' },
  ),
  column: described(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), 'Column of the file.', { first: 'id' }),
  as: v.optional(
    described(v.picklist(listTypes), 'Type of the values. Default: text. Servers compare texts by their own rules.'),
  ),
  nullAs: v.optional(
    described(
      v.nullable(v.pipe(v.string(), v.maxLength(60))),
      'The unquoted field that stands for null. Default: the empty field; `""` is an empty text. null: no field stands for null.',
    ),
  ),
  row,
});
const query = v.strictObject({
  type: fileKey(v.literal('query'), { label: 'result of a query', help: 'The values of a query’s result.' }),
  text: described(textSchema, 'Query that provides the values. It runs once, before the clock starts.', {
    first: 'SELECT 1',
  }),
  column: v.optional(
    described(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), 'Column of the result. Default: the first column.'),
  ),
  as: v.optional(described(v.picklist(listTypes), 'Type of the values. Default: the type that the server gives them.')),
  row,
});

const captured = v.strictObject({
  type: fileKey(v.literal('captured'), {
    label: 'result of an earlier step',
    help: 'A value of an earlier step’s result.',
  }),
  from: described(v.pipe(v.string(), v.minLength(1)), 'Earlier step whose result contains the value.', {
    first: 'statement',
  }),
  column: described(
    v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    'Column of the value in the first row of the result.',
    { first: 'id' },
  ),
  as: v.optional(
    described(
      v.picklist(listTypes),
      'Type of the value. Default: on MongoDB, RavenDB and SQLite the type of the value in the answer, elsewhere integer.',
    ),
  ),
  scale: v.optional(
    described(
      integer(0, 38),
      'For a decimal, the number of digits after the decimal point. A value with more digits is rejected. Default: the digits of the value, or 19 if the server needs the number in advance.',
    ),
  ),
});
/** A parameter with values from the answer of an earlier step, with their types on the current engine. */
export type CapturedSpec = Omit<v.InferOutput<typeof captured>, 'as'> & { readonly as: AnswerType };

/** The source of a parameter's values: a generator, the keys of a table, a list, or the answer of an earlier step. */
export const parameterSchema = v.variant('type', [...generatedSchema.options, key, newKey, csv, query, captured]);
/** The specification of a parameter. */
export type ParameterSpec = v.InferOutput<typeof parameterSchema>;
const parameters = v.optional(v.pipe(v.record(identifier, parameterSchema), v.maxEntries(1_000)), {});

const milliseconds = decimal(0, 3_600_000);
/** A pause before the next step. */
const pauseSchema = v.strictObject({
  thinkMs: described(
    v.union([milliseconds, v.strictObject({ from: milliseconds, to: milliseconds })]),
    'Mean of the think time between two steps in ms, or { from, to } for a uniform distribution between two bounds.',
  ),
  thinkTime: v.optional(
    described(settingSchemas.thinkTime, 'Distribution of the think time if thinkMs is a mean.'),
    'exponential',
  ),
});
/** A pause between steps, ms. */
export type PauseStep = v.InferOutput<typeof pauseSchema>;

/** Repeated or optional steps; each repetition draws new values of `parameters`. */
export interface BlockStep {
  readonly steps: readonly TransactionStep[];
  readonly parameters: Readonly<Record<string, ParameterSpec>>;
  readonly times?: number | { readonly min: number; readonly max: number } | undefined;
  readonly probability?: number | undefined;
  readonly otherwise?: readonly TransactionStep[] | undefined;
}
/** A step: the name of a statement, a pause, or a block of steps. */
export type TransactionStep = string | PauseStep | BlockStep;

const times = integer(1, 100);
const step: v.GenericSchema<unknown, TransactionStep> = v.lazy(() => stepSchema);
/** The schema of a step. */
export const stepSchema: v.GenericSchema<unknown, TransactionStep> = v.union([
  described(v.string(), 'A statement.'),
  pauseSchema,
  v.strictObject({
    steps: v.pipe(
      v.array(step),
      v.minLength(1),
      v.maxLength(mostSteps),
      v.description('Steps that are repeated, or that run with a probability.'),
    ),
    parameters: described(parameters, 'Values that these steps share, drawn again for each repetition.'),
    times: v.optional(
      described(
        v.union([times, v.strictObject({ min: times, max: times })]),
        'Number of repetitions, or { min, max } for a range in which each number is equally probable.',
      ),
    ),
    probability: v.optional(described(decimal(0, 1), 'Probability that the steps run.')),
    otherwise: v.optional(
      v.pipe(v.array(step), v.maxLength(mostSteps), v.description('Steps that run if `steps` do not.')),
    ),
  }),
]);

/** The schema of a custom statement. */
export const statementSchema = v.strictObject({
  text: described(
    textSchema,
    'One text for all targets, or a text per engine (or target) and `default`. SQL uses :name for a parameter, RQL uses $name, a MongoDB command is JSON with "$name", and a load, query or batch of RavenDB is JSON with "{table}/$name". {table} stands for the dataset’s table, or {orders} if `dataset.name` is orders; {name} stands for a table of `tables`.',
  ),
  parameters,
  weight,
  expectRows: v.optional(
    fileKey(
      v.union([
        count,
        v.strictObject({ min: v.optional(rows('Minimum rows')), max: v.optional(rows('Maximum rows')) }),
      ]),
      {
        label: 'Number of rows',
        help: 'Number of rows that each execution must return or change. Any other number is an error (wrongResult).',
      },
    ),
  ),
  isRead: v.optional(
    described(
      v.boolean(),
      'true: the statement changes nothing. Default: Dyno decides by the text (`dyno try` shows the decision).',
    ),
  ),
  timeShare: v.optional(
    fileKey(decimal(0, 1), {
      label: 'Share of the server’s time',
      unit: '%',
      help: 'The statement’s share of the time that the server, from which it was imported, has spent in all its statements: 0.31 is 31 %. Dyno orders the decision of a rehearsal by it. It has no influence on what runs.',
      usual: 'unknown',
    }),
  ),
  notOn: v.optional(
    described(
      v.record(v.string(), v.pipe(v.string(), v.minLength(1), v.maxLength(2_000))),
      'Targets that do not run the statement, each with the reason. Variants with the statement are skipped there.',
    ),
  ),
});
/** The custom statements of an experiment, by name. */
export const statementsSchema = v.pipe(
  v.record(name, statementSchema),
  v.maxEntries(mostItems),
  v.description('Your custom statements, for operation: statement.'),
);

/** The schema of a transaction. */
export const transactionSchema = v.strictObject({
  steps: v.pipe(
    v.array(stepSchema),
    v.minLength(1),
    v.maxLength(mostSteps),
    v.description(
      'Names of statements, think times, and blocks { steps, times, probability, otherwise }, in order. All steps are committed together, or rolled back at the first error.',
    ),
  ),
  parameters: described(parameters, 'Values that all steps share. They take precedence over a statement’s own.'),
  weight,
});
/** The transactions of an experiment, by name. */
export const transactionsSchema = v.pipe(
  v.record(name, transactionSchema),
  v.maxEntries(mostItems),
  v.description('Several statements as one transaction.'),
);

/** The schema of a scenario. */
export const scenarioSchema = v.strictObject({
  steps: v.pipe(
    v.array(v.union([described(v.string(), 'A statement or transaction.'), pauseSchema])),
    v.minLength(1),
    v.maxLength(mostSteps),
    v.description(
      'Statements and transactions, each with its own commit, and think times. During a think time, the user holds no connection.',
    ),
  ),
  parameters: described(
    parameters,
    'Values that stay the same for one pass through the steps. They take precedence over those of steps.',
  ),
  users: v.optional(
    fileKey(decimal(0, 1_000_000), {
      label: 'Users',
      help: 'Relative number of users that run this scenario. In an open load, it is the relative number of arrivals.',
    }),
    1,
  ),
});
/** The scenarios of an experiment, by name. */
export const scenariosSchema = v.pipe(
  v.record(name, scenarioSchema),
  v.maxEntries(mostItems),
  v.description('Sequences of steps that virtual users repeat, instead of statements drawn by weight.'),
);
/** The schema of a check. */
export const checkSchema = v.strictObject({
  text: described(
    textSchema,
    'Query without parameters that finds violations: one text, or a text per engine (or target).',
  ),
  about: v.optional(
    fileKey(v.pipe(v.string(), v.maxLength(600)), {
      label: 'Conditions that must hold',
      help: 'The condition that the check verifies.',
    }),
  ),
});
/** The checks of an experiment, by name. */
export const checksSchema = v.pipe(
  v.record(name, checkSchema),
  v.maxEntries(mostItems),
  v.description(
    'Queries that return no row if the data are correct. Dyno runs them after each trial; any row fails the trial.',
  ),
);
/** The specification of a check. */
export type CheckSpec = v.InferOutput<typeof checkSchema>;

/** The specification of a custom statement. */
export type StatementSpec = v.InferOutput<typeof statementSchema>;
/** The specification of a transaction. */
export type TransactionSpec = v.InferOutput<typeof transactionSchema>;
/** The specification of a scenario. */
export type ScenarioSpec = v.InferOutput<typeof scenarioSchema>;

/** Values for a parameter; null if the source has no value (an empty field of a CSV file). */
export interface ValueList {
  readonly as: AnswerType;
  /** The engine's declared type for the values as parameters. Absent: the default type of their kind. */
  readonly declared?: string;
  readonly values: readonly (string | null)[];
  /**
   * The source rows of the values: the n-th values of two lists with the same source belong to one row. Absent: no
   * other list shares the source.
   */
  readonly source?: string;
}

/** Parameters by name, in order, and the lists for some of them. */
export interface ParameterScope {
  readonly specs: Readonly<Record<string, Exclude<ParameterSpec, { readonly type: 'captured' }> | CapturedSpec>>;
  readonly lists: Readonly<Record<string, ValueList>>;
}

/** A statement as one engine runs it. */
export interface MixStatement {
  readonly name: string;
  readonly text: string;
  readonly own: ParameterScope;
  readonly expectRows: { readonly min: number; readonly max: number } | null;
  readonly isRead: boolean;
}

/** A statement, by its index in the mix; a pause; or a block. */
export type MixStep = number | PauseStep | MixBlock;

/** Steps that run `least` … `most` times, with the given probability; else `otherwise` runs. */
export interface MixBlock {
  readonly steps: readonly MixStep[];
  readonly otherwise: readonly MixStep[];
  readonly least: number;
  readonly most: number;
  readonly probability: number;
  /** Each repetition draws new values. */
  readonly scope: ParameterScope;
}

/** One item of a statement mix, drawn by its weight: an autocommitted statement, or a transaction. */
export interface MixItem {
  readonly name: string;
  readonly weight: number;
  readonly steps: readonly MixStep[];
  /** Null: a single statement. */
  readonly transaction: ParameterScope | null;
}

/** The loop of a virtual user: items, by their indices in the mix, with pauses between them. */
export interface MixScenario {
  readonly name: string;
  /** Number of users in this scenario. */
  readonly users: number;
  readonly scope: ParameterScope;
  readonly steps: readonly (number | PauseStep)[];
}

/** All custom statements of an experiment, for one target. */
export interface StatementMix {
  readonly statements: readonly MixStatement[];
  readonly items: readonly MixItem[];
  /** Absent: items are drawn by their weights. */
  readonly scenarios?: readonly MixScenario[];
}

/** One of the user's own tables, for completion. */
export interface UserTable {
  /** Null: the name needs no schema. */
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly string[];
}

/** Rows as text for reading, with all digits of the server; null stays null. */
export interface ShownRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Number of rows returned or changed, including hidden rows; null: the server does not report it. */
  readonly count: number | null;
  /** True if the answer has more rows than `count`; their number was not requested. */
  readonly hasMore?: true;
}

/** A statement, transaction or check that can be tried. */
export interface TriedItem {
  /** `statement` includes transactions. */
  readonly kind: 'statement' | 'check';
  readonly name: string;
}

/** The result of one tried statement, which was rolled back or changed nothing. */
export interface TriedStatement {
  readonly name: string;
  readonly text: string;
  readonly isRead: boolean;
  /** Values of the parameters as text. */
  readonly parameters: readonly { readonly name: string; readonly value: string | null }[];
  readonly shown: ShownRows | null;
  /** True if the count is within expectRows; null if the file has no expectation, or the server reports no count. */
  readonly asExpected: boolean | null;
  /** The server's plan; null: the server gives none for this statement, and planNote explains why. */
  readonly plan: string | null;
  readonly planNote: string | null;
  readonly elapsedMs: number | null;
  /** The reason why the statement did not run, or the server's error. */
  readonly error: ErrorData | null;
}

/** The part of a run that a try shows: a variant, on tables that may have fewer rows. */
export interface TriedAs {
  /** The label of the variant whose settings, tables, indexes and statistics match the run. */
  readonly variant: string;
  /** The other variants of the run on this target. */
  readonly others: number;
  /** Tables with fewer rows than in the run, so that plans and times may differ. */
  readonly smaller: readonly { readonly table: string; readonly rows: number; readonly rowsInRun: number }[];
}

/** The result of trying one statement, transaction or check on one target. */
export interface TryReport {
  readonly target: string;
  readonly engine: string;
  readonly item: TriedItem;
  /** Null: the run has no variant for this target. */
  readonly as: TriedAs | null;
  readonly statements: readonly TriedStatement[];
  /** An error outside of the statements, such as an unreachable target. */
  readonly error: ErrorData | null;
}
