import { changeSize, changesWith } from '#analysis/history/changes-with.ts';
import { formatUpTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { History, HistorySeries } from '#protocol/history.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { formatChanges } from './changes-text.ts';
import {
  bySize,
  formatMove,
  formatRunDay,
  leastRuns,
  type Moved,
  movesOf,
  seriesText,
  togetherText,
  whenText,
} from './history-answer.ts';

/** The answer of a history: a sentence, its certainty, what is known beside it, and facts. */
interface HistoryHeadline {
  readonly headline: string;
  /** Null if nothing has changed. */
  readonly certainty: string | null;
  readonly isCertain: boolean;
  readonly details: readonly string[];
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** "Throughput", "p99 latency", "Share of failed calls". */
export function quantityText({ quantity, unit }: Pick<HistorySeries, 'quantity' | 'unit'>): string {
  if (unit === 'share') return 'Share of failed calls';
  return unit === 'ms' ? `${quantity} latency` : 'Throughput';
}

/** "pay: bulk load on shop". */
export const cellText = ({ label, target, work }: Pick<HistorySeries, 'label' | 'target' | 'work'>): string =>
  `${work === null ? '' : `${work}: `}${label} on ${target}`;

/** The title of the chart of a series: "browse on shop: Throughput". */
export const seriesTitle = (series: HistorySeries): string => `${cellText(series)}: ${quantityText(series)}`;

/**
 * The differences between runs that concern a cell: those of its target and variant, whose names are left out, and
 * those of the whole run.
 */
export const changesOf = (changes: readonly RunChange[], { target, label }: HistorySeries): readonly RunChange[] =>
  changes
    .filter(({ where }) => where === null || where === target || where === label)
    .map((change) => ({ ...change, where: null }));

/** A change of this size leads the answer before later changes that are smaller. */
const worthLeading = Math.log(1.05);

/** The greatest change at the latest run with a change worth leading, else at the latest run with any change. */
function leadingChange({ series }: History): Moved | null {
  const all = movesOf(series);
  const great = all.filter(({ change }) => changeSize(change) >= worthLeading);
  const led = great.length > 0 ? great : all;
  const latest = led.reduce((at, { change }) => Math.max(at, change.at), -1);
  return (
    led.filter(({ change }) => change.at === latest).toSorted((a, b) => doubtOf(a) - doubtOf(b) || bySize(a, b))[0] ??
    null
  );
}

/** Certain changes come first. */
const doubtOf = ({ change }: Moved): number => (change.verdict === 'cannotTell' ? 1 : 0);

/** The answer of a history of at least one run. */
export function historyHeadline(history: History): HistoryHeadline {
  const { runs, series } = history;
  const facts = factsOf(history);
  const first = leadingChange(history);
  if (first === null) {
    const isShort = runs.length < leastRuns;
    return {
      headline: isShort ? shortText(runs.length) : `No change is shown over ${many(runs.length, 'run')}.`,
      certainty: null,
      isCertain: false,
      details: isShort
        ? [nextText(runs.length)]
        : runs.length < fewRuns
          ? ['With few runs, only a great change exceeds their scatter.']
          : [],
      facts: runs.length < 2 ? [] : facts,
    };
  }
  const { change } = first;
  const changes = changesOf(changesWith(history, change), first.series);
  const isCertain = change.verdict !== 'cannotTell';
  const cells = new Set(series.filter((one) => one.changes.length > 0).map(cellText)).size;
  return {
    headline: `Since ${formatRunDay(history, change.at)}, ${seriesText(history, first.series)} is ${formatMove(first.series, change)}.`,
    certainty: isCertain
      ? 'Beyond the scatter of the runs, at 95 % for all cells and metrics together'
      : 'Not certain: the machine changed, too',
    isCertain,
    details: [
      ...(change.machine === null ? [] : [change.machine]),
      // The facts name the changes beside the series that moved first.
      ...(first.series === firstMoved(history) && change.at === history.movedFirst?.at ? [] : [togetherText(changes)]),
      ...(changes.length > 1
        ? [`${changes.length} things changed at once. To separate their effects, change one at a time.`]
        : []),
      ...(cells > 1
        ? [`${cells} of ${many(new Set(series.map(cellText)).size, 'cell')} changed over these runs.`]
        : []),
    ],
    facts,
  };
}

/** The series that changed most at the first run at which any changed. */
const firstMoved = ({ series, movedFirst }: History): HistorySeries | null =>
  series[movedFirst?.series[0] ?? -1] ?? null;

/** With fewer runs the interval of a change is wide. */
const fewRuns = 8;

const shortText = (count: number): string =>
  count === 1 ? 'There is one run so far.' : `There are ${count} runs so far.`;

const nextText = (count: number): string =>
  count === 1
    ? 'Run it again after a patch, an upgrade or a changed setting: this page then shows what moved, and what changed with it.'
    : whenText;

function factsOf(history: History): HistoryHeadline['facts'] {
  const { runs, movedFirst, machineSpread } = history;
  const first = firstMoved(history);
  return [
    ...(movedFirst === null || first === null ? [] : movedFacts(history, movedFirst, first)),
    [
      'Machine',
      machineSpread === null
        ? 'its speed was not measured'
        : `within ± ${formatUpTo(machineSpread * 100, 2)} % over ${runs.length === 2 ? 'both' : 'all'} runs`,
    ],
  ];
}

function movedFacts(
  history: History,
  { at, series }: NonNullable<History['movedFirst']>,
  first: HistorySeries,
): HistoryHeadline['facts'] {
  const more = series.length - 1;
  const [change] = first.changes;
  const changed = change === undefined ? [] : changesOf(changesWith(history, change), first);
  return [
    [
      'Moved first',
      `${seriesText(history, first)}${more > 0 ? `, and ${more} more` : ''} (${formatRunDay(history, at)})`,
    ],
    ['With it changed', changed.length === 0 ? 'nothing that is recorded' : formatChanges(changed)],
  ];
}
