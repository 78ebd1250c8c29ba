import type { Findings } from '#analysis/findings/find-findings.ts';
import { findingPicture } from '../charts/finding/finding-picture.ts';
import { alsoShownText, confidenceLabels, statusLabels } from '../text/finding-text.ts';
import { sentences } from '../text/sentences.ts';
import { paragraph, type ReportContext } from './context.ts';
import type { ReportBlock, ReportFinding } from './document.ts';

/** The findings of the run with their evidence, and the checks without findings. */
export function findingBlocks(
  { model, theme }: Pick<ReportContext, 'model' | 'theme'>,
  { shown, unshown }: Findings,
): readonly ReportBlock[] {
  const findings = shown.map((finding): ReportFinding => {
    const { rule, lead } = finding;
    const confirm = lead.confirm === null ? '' : `To confirm: ${lead.confirm.question}`;
    return {
      title: rule.title,
      confidence: confidenceLabels[lead.confidence],
      claim: lead.claim,
      scene: findingPicture(model, finding, theme),
      evidence: lead.evidence.map(({ label, text }) => ({ label, text })),
      advice: sentences(lead.advice, alsoShownText(model, finding), confirm),
    };
  });
  const looked = Map.groupBy(unshown, ({ outcomes }) =>
    outcomes.some(({ status }) => status === 'cannotTell') ? 'cannotTell' : 'notShown',
  );
  const checks = [...looked].map(([status, rules]) =>
    paragraph(
      'aside',
      `Checks with the outcome “${statusLabels[status]}”: ${rules.map(({ rule }) => rule.title).join(', ')}.`,
    ),
  );
  return [
    findings.length === 0
      ? paragraph('note', 'None of the checks has a finding.')
      : ({ kind: 'findings', findings } as const),
    ...checks,
  ];
}
