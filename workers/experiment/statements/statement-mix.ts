import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { commandOf } from '#model/statements/document-rules.ts';
import { looksLikeRequest, requestOf } from '#model/statements/json-request.ts';
import { rqlBeginnings } from '#model/statements/reading-queries.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { partsOf, type StatementLanguage, wordsOf } from '#model/statements/statement-text.ts';
import type {
  MixItem,
  MixStatement,
  MixStep,
  ParameterScope,
  ParameterSpec,
  StatementMix,
  StatementSpec,
  TransactionStep,
  ValueList,
} from '#model/statements/statements.ts';
import { isPause, scopesAround, statementsIn } from '#model/statements/steps.ts';
import { formatPath } from '#model/text/path-text.ts';
import type { Experiment } from '../schema/experiment.ts';

/** The choice of a statement's text: a target's name has priority over its engine's. */
export interface TextChoice {
  readonly target: string;
  readonly engine: string;
}

/** The file's key of the text for a target; empty: the file has one text for all, or none for this target. */
export function keyFor(text: StatementSpec['text'], { target, engine }: TextChoice): readonly string[] {
  if (typeof text === 'string') return [];
  return [target, engine, 'default'].filter((key) => Object.hasOwn(text, key)).slice(0, 1);
}

/** The text for a target; null: the file has none. */
export function textFor(text: StatementSpec['text'], choice: TextChoice): string | null {
  if (typeof text === 'string') return text;
  const [key] = keyFor(text, choice);
  return key === undefined ? null : text[key]!;
}

/** The language that the engine expects, with an example, if the text is visibly in another one (SQL); else null. */
export function missedLanguage(text: string, statements: StatementLanguage) {
  switch (statements.language) {
    case 'sql':
      return null;
    case 'json':
      return commandOf(text) === null ? { name: 'JSON', example: '{ "find": … }' } : null;
    case 'rql':
      if (looksLikeRequest(text))
        return requestOf(text) === null ? { name: 'load, query or batch in JSON', example: '{ "Ids": … }' } : null;
      return rqlBeginnings.includes(wordsOf(partsOf(text, statements))[0] ?? '')
        ? null
        : { name: 'RQL', example: 'from {table} …' };
  }
}

type Own = Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>;

/** Single statements and transactions with their weights, without those of weight 0 or outside of all scenarios. */
export function weightsOf({ statements = {}, transactions = {}, scenarios }: Own): ReadonlyMap<string, number> {
  if (scenarios)
    return new Map(
      Object.values(scenarios)
        .filter(({ users }) => users > 0)
        .flatMap((one) => one.steps.flatMap((step) => (typeof step === 'string' ? [[step, 1] as const] : []))),
    );
  const steps = new Set(Object.values(transactions).flatMap((one) => statementsIn(one.steps)));
  const all = [
    ...Object.entries(statements).map(([name, { weight }]) => [name, weight ?? (steps.has(name) ? 0 : 1)] as const),
    ...Object.entries(transactions).map(([name, { weight }]) => [name, weight ?? 1] as const),
  ];
  return new Map(all.filter(([, weight]) => weight > 0));
}

/** The reason why a target cannot run the experiment's custom statements, as a sentence; null where it can. */
export function noMixText(experiment: Own, engine: EngineDescriptor, target: string): string | null {
  if (!engine.statements) return `${engine.label} runs no statements of your own.`;
  const { statements = {} } = experiment;
  const weights = weightsOf(experiment);
  if (engine.reference && capturesIn(experiment).length > 0)
    return `${engine.label} answers nothing that ${capturesIn(experiment)[0]} could be captured from.`;
  for (const name of namesIn(experiment, [...weights.keys()])) {
    const spec = statements[name];
    const text = spec && textFor(spec.text, { target, engine: engine.id });
    const path = formatPath(['statements', name, 'text', engine.id]);
    const refusal = refusalOf(spec, target);
    if (refusal !== null) return `\`${name}\` does not run on ${target}: ${refusal}`;
    if (text === null) return `\`${name}\` has no text for ${engine.label} (${path}).`;
    const missed = text === undefined ? null : missedLanguage(text, engine.statements);
    if (missed) return `\`${name}\` has no ${missed.name} for ${engine.label} (${path}: '${missed.example}').`;
  }
  return null;
}

/** The reason of the file why a target does not run a statement; null: the file has none. */
export const refusalOf = (spec: Pick<StatementSpec, 'notOn'> | undefined, target: string): string | null =>
  spec?.notOn !== undefined && Object.hasOwn(spec.notOn, target) ? spec.notOn[target]! : null;

/** Parameters with values from the answer of an earlier step. */
const capturesIn = ({ transactions = {} }: Own): readonly string[] =>
  Object.entries(transactions)
    .flatMap(([name, one]) => scopesAround(null, name, one))
    .flatMap(({ parameters }) => Object.keys(parameters).filter((name) => parameters[name]?.type === 'captured'));

/** The names of the statements in the given statements and transactions, each once. */
function namesIn({ statements = {}, transactions = {} }: Own, items: readonly string[]): readonly string[] {
  return [
    ...new Set(
      items.flatMap((one) => (Object.hasOwn(statements, one) ? [one] : statementsIn(transactions[one]?.steps ?? []))),
    ),
  ];
}

/** A parameter with values from a list: its declaration and its position. */
export interface ListedParameter {
  /** Name of the statement or transaction, then the parameter's; unique in the file. */
  readonly id: string;
  readonly spec: ParameterSpec & { readonly type: 'csv' | 'query' };
}

interface Declared {
  readonly id: string;
  readonly name: string;
  readonly spec: ParameterSpec;
}

const declaredBy = (owner: string, parameters: Readonly<Record<string, ParameterSpec>> = {}): readonly Declared[] =>
  Object.entries(parameters).map(([name, spec]) => ({ id: `${owner} ${name}`, name, spec }));

/** A statement's parameters; a single statement takes missing ones from the first transaction that has it as a step. */
function parametersOf({ statements = {}, transactions = {} }: Own, name: string, alone: boolean): readonly Declared[] {
  const own = declaredBy(name, statements[name]?.parameters);
  const found = Object.entries(transactions).find(([, { steps }]) => alone && statementsIn(steps).includes(name));
  if (!found) return own;
  return [
    ...scopesAround(name, ...found).flatMap(({ owner, parameters }) =>
      declaredBy(owner, parameters).filter(
        (one) => one.spec.type !== 'captured' && !own.some((mine) => mine.name === one.name),
      ),
    ),
    ...own,
  ];
}

/** Parameters whose lists must be read before the statements run. */
export function listedParameters(experiment: Own, items: readonly string[]): readonly ListedParameter[] {
  const { transactions = {}, scenarios = {} } = experiment;
  const all = [
    ...namesIn(experiment, items).flatMap((name) => parametersOf(experiment, name, items.includes(name))),
    ...items.flatMap((name) => {
      const one = transactions[name];
      return one ? scopesAround(null, name, one).flatMap(({ owner, parameters }) => declaredBy(owner, parameters)) : [];
    }),
    ...Object.entries(scenarios).flatMap(([name, { parameters }]) => declaredBy(name, parameters)),
  ];
  const listed = all.flatMap(({ id, spec }) => (spec.type === 'csv' || spec.type === 'query' ? [{ id, spec }] : []));
  return [...new Map(listed.map((one) => [one.id, one])).values()];
}

function scopeOf(
  parameters: readonly Declared[],
  lists: ReadonlyMap<string, ValueList>,
  { answersOwnTypes }: StatementLanguage,
): ParameterScope {
  const usual = answersOwnTypes ? 'own' : 'integer';
  return {
    specs: Object.fromEntries(
      parameters.map(({ name, spec }) => [name, spec.type === 'captured' ? { ...spec, as: spec.as ?? usual } : spec]),
    ),
    lists: Object.fromEntries(
      parameters.flatMap(({ id, name }) => {
        const list = lists.get(id);
        return list ? [[name, list]] : [];
      }),
    ),
  };
}

/**
 * The statement mix of a target. `items`: statements and transactions with their weights; `lists`: values of {@link
 * listedParameters}, by id. Expects a text for each statement (noMixText).
 */
export function mixFor(
  experiment: Own,
  choice: TextChoice,
  language: StatementLanguage,
  items: ReadonlyMap<string, number>,
  lists: ReadonlyMap<string, ValueList>,
): StatementMix {
  const { statements = {}, transactions = {}, scenarios } = experiment;
  const names = namesIn(experiment, [...items.keys()]);
  const made = names.map((name): MixStatement => {
    const { text, expectRows, isRead } = statements[name]!;
    const chosen = textFor(text, choice) ?? '';
    return {
      name,
      text: chosen,
      own: scopeOf(parametersOf(experiment, name, items.has(name)), lists, language),
      expectRows: boundsOf(expectRows),
      isRead: isRead ?? readsOnly(chosen, language),
    };
  });
  const stepsOf = (steps: readonly TransactionStep[], owner: string): readonly MixStep[] =>
    steps.map((step, i): MixStep => {
      if (typeof step === 'string') return names.indexOf(step);
      if (isPause(step)) return step;
      const { times = 1 } = step;
      const at = `${owner}[${i}]`;
      return {
        steps: stepsOf(step.steps, at),
        otherwise: stepsOf(step.otherwise ?? [], `${at}-`),
        least: typeof times === 'number' ? times : times.min,
        most: typeof times === 'number' ? times : times.max,
        probability: step.probability ?? 1,
        scope: scopeOf(declaredBy(at, step.parameters), lists, language),
      };
    });
  const itemNames = [...items.keys()];
  return {
    statements: made,
    items: [...items].map(([name, weight]): MixItem => {
      const transaction = transactions[name];
      return transaction
        ? {
            name,
            weight,
            steps: stepsOf(transaction.steps, name),
            transaction: scopeOf(declaredBy(name, transaction.parameters), lists, language),
          }
        : { name, weight, steps: [names.indexOf(name)], transaction: null };
    }),
    ...(scenarios && {
      scenarios: Object.entries(scenarios)
        .filter(([, { users }]) => users > 0)
        .map(([name, { users, parameters, steps }]) => ({
          name,
          users,
          scope: scopeOf(declaredBy(name, parameters), lists, language),
          steps: steps.map((step) => (typeof step === 'string' ? itemNames.indexOf(step) : step)),
        })),
    }),
  };
}

const boundsOf = (expected: StatementSpec['expectRows']): MixStatement['expectRows'] =>
  expected === undefined
    ? null
    : typeof expected === 'number'
      ? { min: expected, max: expected }
      : { min: expected.min ?? 0, max: expected.max ?? Number.MAX_SAFE_INTEGER };
