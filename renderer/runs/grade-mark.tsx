import { gradeLabels } from '#analysis/grade/grade-text.ts';
import type { RunEntry } from '#protocol/ipc.ts';

/** The grade of a run's data in a word, with the reason as a tooltip. */
export const GradeMark = ({ grade }: { readonly grade: NonNullable<RunEntry['grade']> }) => (
  <span className={`grade-mark grade-${grade.level}`} title={grade.reason}>
    {gradeLabels[grade.level]}
  </span>
);
