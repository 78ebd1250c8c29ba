import { mayGoOtherwise } from '#model/error.ts';
import { many } from '#model/format/plural.ts';
import type { ComparedCell } from './compared-cells.ts';
import type { GateOutcome } from './gate-result.ts';

/** The outcome of a cell whose trials decide it, without a look at its values. */
interface Trouble {
  readonly outcome: GateOutcome;
  /** The reason as a sentence without the cell's name. */
  readonly why: string;
}

/**
 * The outcome of a cell without values to judge; null if it can be judged. A failed trial fails the gate, because the
 * other repeats are a selection, unless the baseline's trials failed as well, or the reason of the failure is none of
 * the experiment's: an unreachable server, a full disk. A cell that only one run has decides nothing. `compares`: the
 * condition needs the baseline's values.
 */
export function cellTrouble({ own, base }: Pick<ComparedCell, 'own' | 'base'>, compares: boolean): Trouble | null {
  if (own === null) return { outcome: 'undecided', why: 'only the baseline has this cell.' };
  if (own.failed > 0) {
    const failed = `${many(own.failed, 'trial')} failed${own.firstError === null ? '.' : `: ${own.firstError.message}`}`;
    const isOutside = own.firstError !== null && mayGoOtherwise(own.firstError.kind);
    const failedBefore = base != null && (base.failed > 0 || base.ok === 0);
    return { outcome: isOutside || failedBefore ? 'undecided' : 'failed', why: failed };
  }
  if (own.rowsPerSecond === null) return { outcome: 'undecided', why: 'it has no result.' };
  if (!compares) return null;
  if (base == null) return { outcome: 'undecided', why: 'the baseline does not have this cell.' };
  if (base.failed > 0 || base.rowsPerSecond === null)
    return { outcome: 'undecided', why: 'the baseline has no result, or failed trials.' };
  const [problem] = [...own.rowProblems, ...base.rowProblems];
  if (problem === undefined) return null;
  const side = own.rowProblems.length > 0 ? 'this run' : 'the baseline';
  return { outcome: 'undecided', why: `${side} has other answers or rows than it should, so it is not comparable.` };
}
