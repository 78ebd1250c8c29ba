import { sentence } from '#model/format/sentence.ts';
import type { GradeLevel } from '#protocol/ipc.ts';
import type { Grade } from './grade.ts';

/** The words for the grades, wherever they are shown. */
export const gradeLabels: Readonly<Record<GradeLevel, string>> = {
  good: 'Good',
  usable: 'Usable',
  doNotQuote: 'Do not quote',
};

/** The most important reason for the grade, as a sentence. */
export const gradeReason = ({ problems: [first] }: Grade): string =>
  first === undefined ? 'No check of the data found a problem.' : `${sentence(first.reason)}.`;

/**
 * All reasons as sentences: "Stress took 61 % of the processors’ time. Run again when the machine is quiet.", "Also:
 * repeats scatter by 14 %."
 */
export function gradeReasons(grade: Grade): readonly string[] {
  const [first, ...others] = grade.problems;
  return [
    first === undefined ? gradeReason(grade) : `${gradeReason(grade)} ${first.advice}`,
    ...(others.length === 0 ? [] : [`Also: ${others.map(({ reason }) => reason).join('; ')}.`]),
  ];
}
