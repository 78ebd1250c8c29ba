import { formatCondition } from '#analysis/gate/conditions.ts';
import type { GateResult } from '#analysis/gate/gate-result.ts';
import { decideText } from '#analysis/gate/gate-text.ts';
import { many } from '#model/format/plural.ts';
import { oneLine } from '#model/text/printable.ts';
import { changesText } from '../text/changes-text.ts';
import { gatePromise } from '../text/gate-promise.ts';

/** Cells of one outcome that a condition lists; the other ones are counted. */
const mostListed = 20;

/** The result of a gate for a terminal: the answer, then each condition with the cells that did not pass. */
export function renderGate(result: GateResult): string {
  const { sentence, conditions, baseline, changes } = result;
  const widest = Math.max(...conditions.map(({ condition }) => formatCondition(condition).length));
  return [
    oneLine(sentence),
    '',
    baseline === null ? 'Gate:' : `Gate against ${oneLine(baseline.name)}:`,
    ...conditions.flatMap((one) => conditionLines(one, widest)),
    '',
    ...(changes.length === 0 ? [] : [oneLine(changesText(changes))]),
    gatePromise(result),
  ].join('\n');
}

function conditionLines(
  { condition, outcome, cells }: GateResult['conditions'][number],
  widest: number,
): readonly string[] {
  const notPassed = cells.filter((cell) => cell.outcome !== 'passed');
  const passed = cells.length - notPassed.length;
  const listed = notPassed.slice(0, mostListed);
  const rest = notPassed.length - listed.length;
  return [
    `  ${formatCondition(condition).padEnd(widest)}  ${outcome}`,
    ...listed.map((cell) => `    ${cell.outcome}: ${oneLine(cell.sentence)}${moreText(cell.repeatsNeeded)}`),
    ...(rest > 0 ? [`    ${rest} more did not pass`] : []),
    ...(cells.length === 1 && passed === 1
      ? [`    passed: ${oneLine(cells[0]!.sentence)}`]
      : passed > 0
        ? [`    ${many(passed, 'comparison')} passed`]
        : []),
  ];
}

const moreText = (repeats: number | null): string =>
  repeats === null || repeats === 0 ? '' : ` ${decideText(repeats)}`;
