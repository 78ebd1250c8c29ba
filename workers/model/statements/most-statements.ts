import type { MethodName } from '../settings/vocabulary.ts';
import type { ScenarioSpec, TransactionSpec, TransactionStep } from './statements.ts';
import { isBlock, isPause } from './steps.ts';

/** BEGIN, and COMMIT or ROLLBACK, which a server counts as statements. */
export const aroundTransaction = 2;

/** The custom statements, transactions and scenarios of an experiment. */
interface Own {
  readonly transactions?: Readonly<Record<string, Pick<TransactionSpec, 'steps'>>> | undefined;
}

/**
 * The most statements that these steps send: each block with its most repetitions, and with the longer of its two
 * branches.
 */
const mostOfSteps = (steps: readonly TransactionStep[]): number =>
  steps.reduce((sum, step) => sum + mostOfStep(step), 0);

function mostOfStep(step: TransactionStep): number {
  if (typeof step === 'string') return 1;
  if (isPause(step) || !isBlock(step)) return 0;
  const { steps, times = 1, otherwise = [] } = step;
  const most = typeof times === 'number' ? times : Math.max(times.min, times.max);
  return most * Math.max(mostOfSteps(steps), mostOfSteps(otherwise));
}

/** The most statements that one run of a statement or transaction sends. */
export function mostOfItem({ transactions = {} }: Own, name: string): number {
  const transaction = Object.hasOwn(transactions, name) ? transactions[name] : undefined;
  return transaction ? mostOfSteps(transaction.steps) + aroundTransaction : 1;
}

/** The most statements of one pass through a scenario, and the shortest time of its pauses, in ms. */
export function mostOfPass(own: Own, { steps }: Pick<ScenarioSpec, 'steps'>): { statements: number; pauseMs: number } {
  let statements = 0;
  let pauseMs = 0;
  for (const step of steps)
    if (typeof step === 'string') statements += mostOfItem(own, step);
    else pauseMs += typeof step.thinkMs === 'number' ? step.thinkMs : Math.min(step.thinkMs.from, step.thinkMs.to);
  return { statements, pauseMs };
}

/** Statements in a call of an engine's own operation: with some methods the server runs one for each row. */
export const mostOfCall = (method: MethodName, rowsPerCall: number): number =>
  method === 'arrayBind' || method === 'serverLoop' ? rowsPerCall : 1;
