import { keysOf } from '#model/keys-of.ts';
import { fellBehind } from '#planning/rates/load-rates.ts';
import type { RowProblem } from '#planning/rates/row-problems.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import { isOff } from '../cells/network.ts';
import type { CellFacts } from '../findings/shared/facts.ts';
import { formatShare, inCellsText, levelOf, type Problem, type Remedy, type Severity, severityOf } from './problem.ts';

/** A rule that judges each measured cell by itself. */
interface CellRule {
  readonly rule: string;
  readonly judge: (cell: CellFacts) => Severity | null;
  /** The reason as a clause, for these cells; `where` names their number if other cells do not have the problem. */
  readonly reason: (cells: readonly CellFacts[], where: string) => string;
  readonly advice: string;
  readonly remedy: Remedy | null;
}

const graveIf = (isGrave: boolean): Severity | null => (isGrave ? 'grave' : null);
const mildIf = (isMild: boolean): Severity | null => (isMild ? 'mild' : null);

/** The findings and caveats with the same names have the lower limits, too. */
const scatter = { mild: 0.1, grave: 0.3 };
const graveDrift = 0.2;
const failures = { mild: 0.01, grave: 0.1 };
const littleLimit = 0.05;
/** The network emulator is then the limit, as a client process would be (caveats/network-caveats.ts). */
const busyEmulator = 0.7;
const fewestRates = 3;

const most = (cells: readonly CellFacts[], of: (cell: CellFacts) => number): number => Math.max(...cells.map(of));

/** The share of the calls that failed, without write conflicts that a retry completed. */
function failedShare({ results }: CellFacts): number {
  let calls = 0;
  let failed = 0;
  for (const { totals } of results) {
    const errors = Object.values(totals.errors).reduce((sum, count) => sum + count, 0);
    calls += totals.calls + errors;
    failed += Math.max(0, errors - totals.retries);
  }
  return calls === 0 ? 0 : failed / calls;
}

const scatterOf = ({ rates }: CellFacts): number => (rates.length < fewestRates ? 0 : (variationOf(rates) ?? 0));

const driftOf = ({ steadiness }: CellFacts): number =>
  steadiness === null || steadiness.steady ? 0 : Math.abs(steadiness.drift.ratio - 1);

const rowWords: Readonly<Record<RowProblem['kind'], string>> = {
  otherAnswers: 'gave other answers than the baseline’s text',
  foundNothing: 'found nothing',
  missedListed: 'found nothing for some listed values',
  rowsDiffer: 'found other rows than elsewhere',
};

/** "calls gave other answers than the baseline’s text": all kinds of problems of these cells, each once. */
function rowsReason(cells: readonly CellFacts[]): string {
  const kinds = new Set(cells.flatMap(({ summary }) => summary.rowProblems.map(({ kind }) => kind)));
  const words = keysOf(rowWords).filter((kind) => kinds.has(kind));
  return `calls ${words.map((kind) => rowWords[kind]).join(', or ')}`;
}

/** The rules for cells, in the order of the reasons: causes before their effects. */
const cellRules: readonly CellRule[] = [
  {
    rule: 'client',
    judge: ({ summary }) => graveIf(summary.clientSaturated),
    reason: (_, where) => `the client was the limit${where}, so the servers may be faster`,
    advice: 'Use more client processes, or a faster client.',
    remedy: null,
  },
  {
    rule: 'generator',
    judge: ({ summary }) => graveIf(summary.load?.generatorLate === true),
    reason: (_, where) => `late starts of the load generator made response times longer${where}`,
    advice: 'Run the client on another machine, use more client processes, or lower the load.',
    remedy: null,
  },
  {
    rule: 'network',
    judge: ({ summary: { network } }) =>
      mildIf(network !== null && (network.utilisation > busyEmulator || isOff(network))),
    reason: (_, where) => `the network emulator was too slow${where}`,
    advice: 'Run nothing else on the machine, or lower the load.',
    remedy: null,
  },
  {
    rule: 'errors',
    judge: (cell) => severityOf(failedShare(cell), failures.mild, failures.grave),
    reason: (cells, where) =>
      `${cells.length === 1 ? '' : 'up to '}${formatShare(most(cells, failedShare))} of the calls failed${where}`,
    advice: 'Read the errors and remove their cause.',
    remedy: null,
  },
  {
    rule: 'rows',
    judge: ({ summary }) => graveIf(summary.rowProblems.length > 0),
    reason: (cells, where) => `${rowsReason(cells)}${where}`,
    advice: 'Try the statement once and look at its parameters.',
    remedy: null,
  },
  {
    rule: 'highVariability',
    judge: (cell) => severityOf(scatterOf(cell), scatter.mild, scatter.grave),
    reason: (cells, where) =>
      `repeats scatter by ${cells.length === 1 ? '' : 'up to '}${formatShare(most(cells, scatterOf))}${where}`,
    advice: 'Make trials longer, or add repeats.',
    remedy: 'addRepeats',
  },
  {
    rule: 'notSteady',
    judge: (cell) => (driftOf(cell) === 0 ? null : driftOf(cell) >= graveDrift ? 'grave' : 'mild'),
    reason: (_, where) => `the throughput had not settled${where}`,
    advice: 'Make trials or their warm-up longer.',
    remedy: null,
  },
  {
    rule: 'backlog',
    judge: ({ summary: { load } }) => mildIf(load !== null && fellBehind(load)),
    reason: (_, where) => `work arrived faster than it was done${where}, so response times grow with the trial`,
    advice: 'Lower the load, or quote the throughput alone.',
    remedy: null,
  },
  {
    rule: 'accounting',
    judge: ({ results }) => mildIf(results.some(({ littleError }) => Math.abs(littleError ?? 0) > littleLimit)),
    reason: (_, where) => `times and counts do not add up within 5 %${where} (Little’s law)`,
    advice: 'See the caveat for the time that is missing.',
    remedy: null,
  },
];

/** The problems of the cells, rule by rule. */
export function cellProblems(measured: readonly CellFacts[], isSearch: boolean): readonly Problem[] {
  return cellRules.flatMap(({ rule, judge, reason, advice, remedy }): readonly Problem[] => {
    // A search tries loads beyond the answer on purpose.
    if (isSearch && rule === 'backlog') return [];
    const severities = measured.map(judge);
    const level = levelOf(severities);
    if (level === null) return [];
    const hit = measured.filter((_, i) => severities[i] !== null);
    const cells = { count: hit.length, of: measured.length };
    return [{ rule, level, reason: reason(hit, inCellsText(cells)), advice, remedy, culprit: null, cells }];
  });
}
