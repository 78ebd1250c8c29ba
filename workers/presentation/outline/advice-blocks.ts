import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import type { JudgedAdvice, TimeRatio } from '#protocol/advice.ts';
import {
  heads,
  numbers,
  type PanelCell,
  type PanelTable,
  remarks as remarkColumns,
  words,
} from '../tables/shared/panel-table.ts';
import { ratioRange } from '../tables/shared/ratio-range.ts';
import { stepText } from '../text/advice-steps.ts';
import {
  adviceAnswer,
  adviceTerms,
  adviceVerdicts,
  effectName,
  indexTexts,
  insteadText,
  isMeasured,
  isOffered,
  timeRatioText,
} from '../text/advice-words.ts';
import type { Block, Content } from './panel.ts';

const text = (words: string): Block => ({ kind: 'text', text: words });

/** The advice that a run keeps: the recommendations with their statements, and the other candidates folded. */
export function adviceContent({ advice: kept, targets }: Pick<RunModel, 'advice' | 'targets'>): Content {
  const target = targets[0];
  if (kept === null || target === undefined) return { kind: 'blocks', blocks: [] };
  const { advice, budgetSeconds, remarks } = kept;
  const offered = advice.filter(isOffered);
  const measured = advice.filter((one) => !isOffered(one) && isMeasured(one));
  const others = advice.filter((one) => !isMeasured(one));
  const drawn = (ratio: TimeRatio) => ({ ...ratio, n: kept.repeats });
  const range = ratioRange(
    advice.flatMap(({ total, effects }) =>
      [...(total ? [total] : []), ...effects.map(({ ratio }) => ratio)].map(drawn),
    ),
  );
  const ratioCell = (ratio: TimeRatio): PanelCell => ({
    text: timeRatioText(ratio),
    mark: { ratio: drawn(ratio), range, differs: ratio.low > 1 || ratio.high < 1 },
  });
  const groups = (some: readonly JudgedAdvice[]): readonly Block[] =>
    some.map((one) => ({
      kind: 'group',
      title: `${sentence(one.candidate.title)}: ${adviceVerdicts[one.verdict]}`,
      blocks: adviceBlocks(one, target.descriptor, ratioCell),
    }));
  return {
    kind: 'blocks',
    note: adviceAnswer(kept, target.name),
    blocks: [
      ...groups(offered),
      ...fold(`Measured and not recommended: ${measured.length}`, groups(measured)),
      ...fold(
        `Not measured: ${many(others.length, 'candidate')} (budget: ${formatMs(budgetSeconds * 1_000)})`,
        others.length === 0 ? [] : [{ kind: 'table', table: notTriedTable(others), label: 'Candidates not measured' }],
      ),
      ...(offered.length + measured.length === 0 ? [] : [text(adviceTerms(kept))]),
      ...remarks.map(text),
    ],
  };
}

const fold = (summary: string, inside: readonly Block[]): readonly Block[] =>
  inside.length === 0 ? [] : [{ kind: 'fold', summary, isOpenInReport: true, blocks: inside }];

function adviceBlocks(
  one: JudgedAdvice,
  descriptor: EngineDescriptor,
  ratioCell: (ratio: TimeRatio) => PanelCell,
): readonly Block[] {
  const { candidate, why, insteadOf } = one;
  const size = indexTexts(one);
  const isSql = descriptor.statements?.language === 'sql';
  const steps = candidate.steps.map((step) => `${stepText(step, descriptor)};`);
  return [
    text([candidate.why, why, ...(insteadOf === null ? [] : [insteadText(insteadOf)])].join(' ')),
    ...(one.effects.length === 0 && one.total === null
      ? []
      : [{ kind: 'table', table: effectTable(one, ratioCell), label: `Effects of ${candidate.title}` } as const]),
    ...(size.length === 0 ? [] : [text(`${sentence(size.join(', '))}.`)]),
    ...(isOffered(one) && steps.length > 0
      ? [{ kind: 'code', text: steps.join('\n'), label: isSql ? 'SQL' : 'Commands' } as const]
      : []),
  ];
}

/** The time of all statements together and of each statement, with its ratio to the time without the change. */
const effectTable = ({ total, effects }: JudgedAdvice, ratioCell: (ratio: TimeRatio) => PanelCell): PanelTable => ({
  columns: [...heads('Statement'), ...numbers('Before', 'After'), ...words('Change')],
  rows: [
    ...effects.map((effect) => ({
      cells: [effectName(effect), formatMs(effect.beforeMs), formatMs(effect.afterMs), ratioCell(effect.ratio)],
    })),
    ...(total === null ? [] : [{ cells: ['all statements by their weights', '', '', ratioCell(total)] }]),
  ],
});

const notTriedTable = (others: readonly JudgedAdvice[]): PanelTable => ({
  columns: [...heads('Candidate'), ...remarkColumns('Reason')],
  rows: others.map(({ candidate, why }) => ({ cells: [candidate.title, why] })),
});
