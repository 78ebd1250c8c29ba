import { type CellEvidence, linkTo } from './evidence.ts';
import type { CellFacts, RunFacts } from './facts.ts';
import type { Outcome, Rule, Shown, Unshown } from './finding.ts';
import type { Picture } from './picture.ts';

/**
 * The claim of a rule. Evidence without a number is false, null or undefined, and is left out. A claim without a
 * picture shows its evidence.
 */
interface Claim extends Omit<Shown, 'cell' | 'status' | 'evidence' | 'picture'> {
  readonly picture?: Picture | null;
  readonly evidence: readonly (CellEvidence | false | null | undefined)[];
}

/** A rule's outcome for a given cell. */
export type CellOutcome = (Claim & Pick<Shown, 'status'>) | Omit<Unshown, 'cell'>;

/** The rule claims its cause. */
export const shown = (claim: Claim): CellOutcome => ({ status: 'shown', ...claim });

/** The rule found no sign of its cause. */
export const notShown = (why: string): CellOutcome => ({ status: 'notShown', why });

/** The run did not measure the data that would show the cause. */
export const cannotTell = (why: string): CellOutcome => ({ status: 'cannotTell', why });

/** The outcome for statements whose times do not add up (CellFacts.statements). */
export const statementsDoNotAddUp = cannotTell(
  'The numbers do not add up: the calls of its statements took longer than its connections had time.',
);

/** The outcome for this cell; null: for the whole run. */
export function about(facts: CellFacts | null, outcome: CellOutcome): Outcome {
  const cell = facts?.cell ?? null;
  if (outcome.status !== 'shown') return { cell, ...outcome };
  const evidence = outcome.evidence.flatMap((one) =>
    one ? [{ ...one, link: typeof one.link === 'string' ? linkTo(one.link, cell) : one.link }] : [],
  );
  return { cell, ...outcome, evidence, picture: outcome.picture ?? null };
}

interface Cells {
  /** The cells that the rule applies to. Default: all cells with a good trial. */
  readonly cells?: (facts: RunFacts) => readonly CellFacts[];
  /** The reason given if the rule applies to no cell. Default: none. */
  readonly whyNone?: string;
}

/** The `find` of a rule that judges cell by cell. */
export const eachCell =
  (
    judge: (facts: RunFacts, cell: CellFacts) => CellOutcome,
    { cells = ({ measured }) => measured, whyNone }: Cells = {},
  ): Rule['find'] =>
  (facts) => {
    const own = cells(facts);
    return own.length === 0 && whyNone !== undefined
      ? [about(null, notShown(whyNone))]
      : own.map((cell) => about(cell, judge(facts, cell)));
  };
