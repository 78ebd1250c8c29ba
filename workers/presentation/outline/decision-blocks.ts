import { type CandidateDecision, type Decision, decisionOf } from '#analysis/rehearsal/decision.ts';
import { formatPercent } from '#model/format/format.ts';
import { decisionCsv, decisionTable } from '../tables/comparison/decision-table.ts';
import { scaleNote } from '../tables/comparison/tournament-table.ts';
import { heads, numbers, type PanelTable, remarks } from '../tables/shared/panel-table.ts';
import { decisionNote } from '../text/decision-text.ts';
import type { Block, Content, PanelInput } from './panel.ts';
import { planPairs } from './plan-pairs.ts';

/** A table of the decision for each candidate, the plans of both sides, and the time that is not covered. */
export function decisionContent({ run, model }: Pick<PanelInput, 'run' | 'model'>): Content {
  const decision = decisionOf(run);
  if (decision === null) return { kind: 'blocks', blocks: [] };
  const shown = new Set(model.plan.targets.map(({ name }) => name));
  const candidates = decision.candidates.filter(({ target }) => shown.has(target));
  return {
    kind: 'blocks',
    note: `${decisionNote(decision)} ${scaleNote}`,
    blocks: [
      ...candidates.flatMap((one) => candidateBlocks(decision, one, decision.candidates.length > 1)),
      ...leftOutBlocks(decision),
    ],
    csv: decisionCsv(decision),
  };
}

function candidateBlocks(decision: Decision, one: CandidateDecision, isOneOfSeveral: boolean): readonly Block[] {
  const blocks: readonly Block[] = [
    { kind: 'table', table: decisionTable(decision, one), label: `Decision on ${one.target}` },
    ...planBlocks(decision, one),
  ];
  return isOneOfSeveral ? [{ kind: 'group', title: one.target, target: one.target, blocks }] : blocks;
}

/** The plans of each statement side by side, those of worse statements first. */
function planBlocks({ reference }: Decision, { target, statements }: CandidateDecision): readonly Block[] {
  const planned = statements
    .flatMap((one) => (one.plans === null ? [] : [{ ...one, plans: one.plans }]))
    .toSorted((a, b) => Number(b.verdict === 'worse') - Number(a.verdict === 'worse'));
  if (planned.length === 0) return [];
  const notable = planned.flatMap(({ verdict, plans }, i) =>
    verdict === 'worse' || plans.hasChanged === true ? [[i, i] as const] : [],
  );
  const summary = `Plans on ${reference} and ${target}`;
  const pairs = planPairs(
    summary,
    `${summary} side by side`,
    [reference, target],
    [
      planned.map(({ statement, plans }) => ({ name: statement, plan: plans.before })),
      planned.map(({ statement, plans }) => ({
        name: `${statement}${plans.hasChanged === false ? ' (same)' : ''}`,
        plan: plans.after,
      })),
    ],
    notable,
  );
  return [{ ...pairs, isOpen: notable.length > 0 }];
}

/** The statements whose time is not covered; empty without any. */
export function leftOutTable({ leftOut }: Pick<Decision, 'leftOut'>): PanelTable {
  return {
    columns: [...heads('Not covered'), ...numbers('Share of time'), ...remarks('Reason')],
    rows: leftOut.map(({ what, why, timeShare }) => ({ cells: [what, formatPercent(timeShare ?? null), why] })),
  };
}

const leftOutBlocks = (decision: Decision): readonly Block[] =>
  decision.leftOut.length === 0
    ? []
    : [
        {
          kind: 'fold',
          summary: `Not covered: ${formatPercent(decision.covered === null ? null : 1 - decision.covered)} of the server’s time`,
          isOpenInReport: true,
          blocks: [{ kind: 'table', table: leftOutTable(decision), label: 'Not covered' }],
        },
      ];
