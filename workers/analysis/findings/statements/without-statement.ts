import type { Experiment } from '#experiment/schema/experiment.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { TransactionStep } from '#model/statements/statements.ts';
import { isPause, parameterScopes, statementsIn } from '#model/statements/steps.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Edit } from '../shared/finding.ts';

/**
 * The edits that remove a statement from an experiment's work, with the blocks, transactions and scenarios that become
 * empty. Null if no work would remain, or if another statement uses a value of its answer.
 */
export function withoutStatement(
  { statements = {}, transactions = {}, scenarios }: Own,
  name: string,
): readonly Edit[] | null {
  if ([statements, transactions, scenarios ?? {}].flatMap(Object.values).some((one) => captures(one, name)))
    return null;
  const idle = namesOfIdle(transactions, new Set([name]));
  const gone = new Set([name, ...idle]);
  const left = {
    statements: less(statements, gone),
    transactions: less(transactions, gone),
    ...(scenarios && { scenarios: less(scenarios, new Set(namesOfIdle(scenarios, gone))) }),
  };
  if (weightsOf(left).size === 0) return null;
  return [
    removed(['statements', name]),
    ...(idle.length > 0 && Object.keys(left.transactions).length === 0
      ? [removed(['transactions'])]
      : ofEach('transactions', transactions, gone)),
    ...ofEach('scenarios', scenarios ?? {}, gone),
  ];
}

const less = <T>(all: Readonly<Record<string, T>>, gone: ReadonlySet<string>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !gone.has(name)));

type Own = Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>;
type WithSteps = Readonly<Record<string, { readonly steps: readonly TransactionStep[] }>>;

const captures = (owner: unknown, name: string): boolean =>
  parameterScopes(owner, []).some(({ parameters }) =>
    Object.values(parameters).some((one) => isMapping(one) && one.type === 'captured' && one.from === name),
  );

/** Pauses alone are no work. */
const isIdle = (steps: readonly TransactionStep[], gone: ReadonlySet<string>): boolean =>
  statementsIn(steps).every((one) => gone.has(one));

const namesOfIdle = (all: WithSteps, gone: ReadonlySet<string>): readonly string[] =>
  Object.keys(all).filter((name) => isIdle(all[name]!.steps, gone));

const ofEach = (key: 'transactions' | 'scenarios', all: WithSteps, gone: ReadonlySet<string>): readonly Edit[] =>
  Object.entries(all).flatMap(([name, { steps }]) =>
    isIdle(steps, gone) ? [removed([key, name])] : leftOut(steps, gone, [key, name, 'steps']),
  );

/** The edits go from the last step to the first, so that none moves a step that is removed later. */
const leftOut = (steps: readonly TransactionStep[], gone: ReadonlySet<string>, path: Path): readonly Edit[] =>
  [...steps.entries()].toReversed().flatMap(([i, step]) => {
    const own = [...path, i];
    if (isPause(step)) return [];
    if (isIdle([step], gone)) return [removed(own)];
    if (typeof step === 'string') return [];
    const { steps: inner, otherwise } = step;
    return [
      ...(isIdle(inner, gone)
        ? [{ path: [...own, 'steps'], value: [{ thinkMs: 0 }] }]
        : leftOut(inner, gone, [...own, 'steps'])),
      ...(otherwise && isIdle(otherwise, gone)
        ? [removed([...own, 'otherwise'])]
        : leftOut(otherwise ?? [], gone, [...own, 'otherwise'])),
    ];
  });

const removed = (path: Path): Edit => ({ path, value: undefined });
