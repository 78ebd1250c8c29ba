import type { CandidateDecision, Decision, StatementDecision } from '#analysis/rehearsal/decision.ts';
import { dash, formatMs, formatPercent } from '#model/format/format.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { answersText, decisionWords, statementText } from '../../text/decision-text.ts';
import { planName } from '../server/query-plan-table.ts';
import type { Table } from '../shared/csv.ts';
import { asides, heads, numbers, type PanelCell, type PanelTable, words } from '../shared/panel-table.ts';
import { ratioRange } from '../shared/ratio-range.ts';

/** One row for each statement on a candidate, by its share of the server’s time. */
export function decisionTable(decision: Decision, { target, statements }: CandidateDecision): PanelTable {
  const { reference, figure } = decision;
  const range = ratioRange(statements.map(({ ratio }) => ratio));
  const has = {
    shares: statements.some(({ timeShare }) => timeShare !== null),
    answers: statements.some(({ answers }) => answers !== null),
    plans: statements.some(({ plans }) => plans !== null),
  };
  return {
    columns: [
      ...heads('Statement'),
      ...numbers(...(has.shares ? ['Share of time'] : [])),
      ...words('Verdict', `${formatFigure(figure)} against ${reference}`),
      ...numbers(reference, target),
      ...words(...(has.answers ? ['Answers'] : [])),
      ...asides(...(has.plans ? ['Plan'] : [])),
    ],
    rows: statements.map((one) => ({
      ...(one.cell !== null && one.verdict !== 'doesNotRun' && { cell: one.cell }),
      cells: [
        one.statement,
        ...(has.shares ? [formatPercent(one.timeShare)] : []),
        verdictCell(one),
        ratioCell(decision, one, range),
        ...[one.referenceMs, one.ms].map((ms) => (ms === null ? dash : formatMs(ms.value))),
        ...(has.answers ? [answersCell(one)] : []),
        ...(has.plans ? [planText(one)] : []),
      ],
    })),
  };
}

function verdictCell({ verdict }: StatementDecision): PanelCell {
  const text = decisionWords[verdict];
  if (verdict === 'worse' || verdict === 'doesNotRun') return { text, tone: 'bad' };
  return text;
}

function ratioCell(decision: Decision, one: StatementDecision, range: readonly [number, number]): PanelCell {
  const text = statementText(decision, one);
  if (one.ratio === null || one.verdict === 'doesNotRun') return text;
  return { text, mark: { ratio: one.ratio, range, differs: one.verdict === 'worse' || one.verdict === 'better' } };
}

function answersCell(one: StatementDecision): PanelCell {
  const text = answersText(one);
  return one.answers?.outcome === 'differ' ? { text, tone: 'bad' } : text;
}

/** "same", or both plans: "index seek orders_day → full scan orders". */
function planText({ plans }: StatementDecision): string {
  if (plans === null) return dash;
  const [before, after] = [planName(plans.before.plan.steps), planName(plans.after.plan.steps)];
  if (plans.hasChanged === false) return 'same';
  return before === after
    ? plans.hasChanged === null
      ? 'alike'
      : `${after}, with other steps`
    : `${before} → ${after}`;
}

/** The numbers of a decision, with one row for each statement on each candidate. */
export const decisionCsv = ({ reference, figure, candidates }: Decision): Table => ({
  columns: [
    ...[
      'candidate',
      'reference',
      'statement',
      'share of time',
      'verdict',
      'figure',
      'ratio',
      'ratio low',
      'ratio high',
    ],
    ...['reference ms', 'ms', 'answers', 'draws', 'reason'],
  ],
  rows: candidates.flatMap(({ target, statements }) =>
    statements.map((one) => [
      ...[target, reference, one.statement, one.timeShare, decisionWords[one.verdict], formatFigure(figure)],
      ...[one.ratio?.value ?? null, one.ratio?.low ?? null, one.ratio?.high ?? null],
      ...[one.referenceMs?.value ?? null, one.ms?.value ?? null],
      ...[one.answers?.outcome ?? '', one.answers?.draws ?? null, one.why ?? ''],
    ]),
  ),
});
