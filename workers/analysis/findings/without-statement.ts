import type { Experiment } from '#contract/experiment.ts';
import type { Path } from '#contract/path-text.ts';
import type { PauseStep, TransactionStep } from '#contract/statements.ts';
import type { Edit } from './finding.ts';

/**
 * What leaves a statement out of an experiment's work, with the blocks, transactions and scenarios that have nothing else to do. Null where no
 * work would be left, or another statement wants a value of its answer.
 */
export function withoutStatement(
  { statements = {}, transactions = {}, scenarios = {} }: Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>,
  name: string,
): readonly Edit[] | null {
  if (JSON.stringify({ statements, transactions, scenarios }).includes(`"from":${JSON.stringify(name)}`)) return null;
  const gone = new Set([name]);
  const inTransactions = ofEach('transactions', transactions, gone);
  for (const transaction of inTransactions.emptied) gone.add(transaction);
  const inScenarios = ofEach('scenarios', scenarios, gone);
  const left = [...Object.entries(transactions), ...Object.entries(statements)].filter(
    ([one, { weight }]) => !gone.has(one) && weight !== 0,
  );
  const hasScenarios = Object.keys(scenarios).length > 0;
  if (hasScenarios ? inScenarios.areAllEmpty : left.length === 0) return null;
  return [{ path: ['statements', name], value: undefined }, ...inTransactions.edits, ...inScenarios.edits];
}

interface LeftOut {
  readonly edits: readonly Edit[];
  readonly isEmpty: boolean;
}

function ofEach(
  key: 'transactions' | 'scenarios',
  all: Readonly<Record<string, { readonly steps: readonly TransactionStep[] }>>,
  gone: ReadonlySet<string>,
): { readonly edits: readonly Edit[]; readonly emptied: readonly string[]; readonly areAllEmpty: boolean } {
  const each = Object.entries(all).map(([name, { steps }]) => ({
    name,
    ...leftOut(steps, gone, [key, name, 'steps']),
  }));
  const emptied = each.filter(({ isEmpty }) => isEmpty).map(({ name }) => name);
  const areAllEmpty = each.length > 0 && emptied.length === each.length;
  const edits = each.flatMap(({ name, isEmpty, edits }) => (isEmpty ? [removed([key, name])] : edits));
  return { edits: areAllEmpty ? [removed([key])] : edits, emptied, areAllEmpty };
}

/** From the last step to the first: what is removed moves none of those that are still to be. */
function leftOut(steps: readonly TransactionStep[], gone: ReadonlySet<string>, path: Path): LeftOut {
  const edits: Edit[] = [];
  let isEmpty = true;
  for (const [i, step] of [...steps.entries()].toReversed()) {
    const own = [...path, i];
    if (typeof step === 'string') {
      if (gone.has(step)) edits.push(removed(own));
      else isEmpty = false;
    } else if (!isPause(step)) {
      const inner = leftOut(step.steps, gone, [...own, 'steps']);
      const other = leftOut(step.otherwise ?? [], gone, [...own, 'otherwise']);
      if (inner.isEmpty && other.isEmpty) {
        edits.push(removed(own));
        continue;
      }
      isEmpty = false;
      edits.push(...(inner.isEmpty ? [{ path: [...own, 'steps'], value: [{ thinkMs: 0 }] }] : inner.edits));
      edits.push(...(step.otherwise && other.isEmpty ? [removed([...own, 'otherwise'])] : other.edits));
    }
  }
  return { edits, isEmpty };
}

const isPause = (step: Exclude<TransactionStep, string>): step is PauseStep => 'thinkMs' in step;
const removed = (path: Path): Edit => ({ path, value: undefined });
