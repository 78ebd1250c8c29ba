import type { Experiment } from '#experiment/schema/experiment.ts';
import type { ParameterSpec, TransactionStep } from '#model/statements/statements.ts';
import { isBlock, isPause } from '#model/statements/steps.ts';
import { whereOf } from '../plans/conditions.ts';
import type { Edit } from '../shared/finding.ts';

/** A statement that a unit of work runs several times, each time for one key. */
export interface RepeatedLookUp {
  /** The transaction, or the scenario with the steps. */
  readonly unit: string;
  readonly kind: 'transaction' | 'scenario';
  readonly statement: string;
  /** The parameter with the key, and its source. */
  readonly parameter: string;
  readonly spec: ParameterSpec;
  /** Mean number of runs in one unit of work, according to the file. */
  readonly times: number;
}

type Own = Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>;

/**
 * The look-ups of an experiment that are repeated within a unit of work. `textOf`: a statement's text for the target.
 */
export function repeatedLookUps(experiment: Own, textOf: (name: string) => string | null): readonly RepeatedLookUp[] {
  const { statements = {}, transactions = {}, scenarios = {} } = experiment;
  const units = [
    ...Object.entries(transactions).map(([unit, one]) => ({ unit, kind: 'transaction' as const, ...one })),
    ...Object.entries(scenarios).map(([unit, one]) => ({ unit, kind: 'scenario' as const, ...one })),
  ];
  return units.flatMap(({ unit, kind, steps, parameters }) =>
    [...runsIn(steps)].flatMap(([statement, { times, drawn }]): readonly RepeatedLookUp[] => {
      const own = statements[statement];
      const parameter = keyParameter(textOf(statement));
      if (own === undefined || parameter === null || times < 2) return [];
      // A value shared by the whole unit repeats the same key, and a captured value is known only step by step.
      if (Object.hasOwn(parameters, parameter)) return [];
      const spec = drawn[parameter] ?? own.parameters[parameter];
      return spec === undefined || spec.type === 'captured' ? [] : [{ unit, kind, statement, parameter, spec, times }];
    }),
  );
}

interface Runs {
  readonly times: number;
  /** Parameters of the enclosing blocks, which are drawn again for each repetition. */
  readonly drawn: Readonly<Record<string, ParameterSpec>>;
}

/** The mean number of runs of each statement in the steps. */
function runsIn(steps: readonly TransactionStep[]): ReadonlyMap<string, Runs> {
  const runs = new Map<string, Runs>();
  const add = (some: readonly TransactionStep[], weight: number, drawn: Runs['drawn']): void => {
    for (const step of some) {
      if (typeof step === 'string')
        runs.set(step, { times: (runs.get(step)?.times ?? 0) + weight, drawn: { ...runs.get(step)?.drawn, ...drawn } });
      else if (isBlock(step)) {
        const { times = 1, probability = 1, otherwise = [] } = step;
        const mean = typeof times === 'number' ? times : (times.min + times.max) / 2;
        add(step.steps, weight * mean * probability, { ...drawn, ...step.parameters });
        add(otherwise, weight * (1 - probability), drawn);
      }
    }
  };
  add(steps, 1, {});
  return runs;
}

/** "SELECT … FROM {orders} WHERE id = :id": the parameter, if the condition is one key of one table. */
function keyParameter(text: string | null): string | null {
  if (text === null || !/^\s*select\b/i.test(text) || (text.match(/\{\w+\}/g) ?? []).length !== 1) return null;
  return /^\(?\s*[\w."`[\]]+\s*=\s*:(\w+)\s*\)?;?$/.exec(whereOf(text) ?? '')?.[1] ?? null;
}

/** A name has at most 60 characters. */
const atOnce = (name: string): string => `${name.slice(0, 50)}-at-once`;

/** The longest list of a statement; a block repeats at most as often. */
const mostKeys = 100;

/**
 * Adds to an experiment the same unit of work with one statement for all keys, so that both run in one mix. Null: the
 * repetitions contain other steps as well, or the text cannot be rewritten.
 */
export function withOneStatement(
  { statements = {}, transactions = {}, scenarios }: Own,
  found: RepeatedLookUp,
): readonly Edit[] | null {
  const { unit, kind, statement, parameter, spec, times } = found;
  const keys = Math.min(mostKeys, Math.max(2, Math.round(times)));
  const own = statements[statement]!;
  const listed = Array.from({ length: keys }, (_, i) => `${parameter}_${i + 1}`);
  const toList = (text: string) =>
    text.replace(new RegExp(`=\\s*:${parameter}\\b`), `IN (${listed.map((name) => `:${name}`).join(', ')})`);
  const text =
    typeof own.text === 'string'
      ? toList(own.text)
      : Object.fromEntries(Object.entries(own.text).map(([choice, one]) => [choice, toList(one)]));
  const { [parameter]: _, ...others } = own.parameters;
  const [oneStatement, oneUnit] = [atOnce(statement), atOnce(unit)];
  const all = kind === 'transaction' ? transactions : (scenarios ?? {});
  const { steps, ...unitSpec } = all[unit]!;
  const replaced = replacedIn(steps, statement, oneStatement);
  if (replaced === null) return null;
  const edits: Edit[] = [
    {
      path: ['statements', oneStatement],
      value: { text, parameters: { ...others, ...Object.fromEntries(listed.map((name) => [name, spec])) } },
    },
    {
      path: [kind === 'transaction' ? 'transactions' : 'scenarios', oneUnit],
      value: { ...unitSpec, steps: replaced },
    },
  ];
  if (kind === 'scenario' || scenarios === undefined) return edits;
  // Only steps named in scenarios run.
  const beside = Object.entries(scenarios)
    .filter(([, one]) => one.steps.includes(unit))
    .map(
      ([name, one]): Edit => ({
        path: ['scenarios', atOnce(name)],
        value: { ...one, steps: one.steps.map((step) => (step === unit ? oneUnit : step)) },
      }),
    );
  return [...edits, ...beside];
}

/** The steps with one statement in place of all repetitions; null: a block also repeats other steps. */
function replacedIn(
  steps: readonly TransactionStep[],
  statement: string,
  one: string,
): readonly TransactionStep[] | null {
  let isPlaced = false;
  const placed = (): readonly TransactionStep[] => {
    if (isPlaced) return [];
    isPlaced = true;
    return [one];
  };
  const names = (some: readonly TransactionStep[]): boolean =>
    some.some((step) =>
      typeof step === 'string'
        ? step === statement
        : isBlock(step) && (names(step.steps) || names(step.otherwise ?? [])),
    );
  const replaced: TransactionStep[] = [];
  for (const step of steps) {
    if (!names([step])) replaced.push(step);
    else if (typeof step === 'string') replaced.push(...placed());
    else if (
      isPause(step) ||
      step.probability !== undefined ||
      step.otherwise ||
      step.steps.some((inner) => inner !== statement)
    )
      return null;
    else replaced.push(...placed());
  }
  return replaced;
}
