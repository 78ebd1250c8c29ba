import { gradeLabels } from '#analysis/grade/grade-text.ts';
import { endReasons } from '#analysis/text/verdict-text.ts';
import { formatBytes } from '#model/format/format.ts';
import { oneLine } from '#model/text/printable.ts';
import type { RunEntry } from '#protocol/ipc.ts';

/** A run as a line of a list: its id, state, size, grade and experiment, and the user's title and tags. */
export function runLine(run: RunEntry): string {
  const { id, status, endedBy, trialsDone, trialsPlanned, bytes, grade, name, title, tags, isBaseline } = run;
  const fields = [
    id,
    status.padEnd(11),
    `${`${trialsDone}/${trialsPlanned ?? '?'}`.padStart(9)} trials`,
    formatBytes(bytes).padStart(9),
    (grade === null ? '' : gradeLabels[grade.level]).padEnd(12),
    oneLine(name),
    ...(endedBy === undefined ? [] : [`(${endReasons[endedBy]})`]),
    ...(title === '' ? [] : [`“${oneLine(title)}”`]),
    ...tags.map((tag) => `#${oneLine(tag)}`),
    ...(isBaseline ? ['(baseline)'] : []),
  ];
  return fields.join('  ');
}
