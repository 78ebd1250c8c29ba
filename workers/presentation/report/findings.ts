import type { Finding, Findings } from '#analysis/findings/find-findings.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findingPicture } from '../charts/finding/finding-picture.ts';
import { sceneText } from '../charts/kit/scene.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import { alsoShownText, confidenceLabels, statusLabels } from '../text/finding-text.ts';
import { type Html, html, trusted } from './html.ts';

function pictureOf(model: RunModel, finding: Finding): Html {
  const scene = findingPicture(model, finding, cssTheme);
  return scene === null ? html`` : html`<div class="picture small">${trusted(sceneText(scene))}</div>`;
}

/** The findings of the run with their evidence, and the checks without findings. */
export function renderFindings(model: RunModel, { shown, unshown }: Findings): Html {
  const found = shown.map((finding) => {
    const { rule, lead } = finding;
    const also = alsoShownText(model, finding);
    const evidence = lead.evidence.map(({ label, text }) => html`<tr><td>${label}</td><td class="n">${text}</td></tr>`);
    return html`<li><p><span class="kind">${rule.title}</span> <span class="where">${confidenceLabels[lead.confidence]}</span><br><strong>${lead.claim}</strong></p>
<div class="evidence">${pictureOf(model, finding)}${evidence.length === 0 ? '' : html`<table><tbody>${evidence}</tbody></table>`}</div>
<span class="where">${lead.advice}${also === '' ? '' : ` ${also}`}${lead.confirm === null ? '' : ` To confirm: ${lead.confirm.question}`}</span></li>`;
  });
  const looked = Map.groupBy(unshown, ({ outcomes }) =>
    outcomes.some(({ status }) => status === 'cannotTell') ? 'cannotTell' : 'notShown',
  );
  const checks = [...looked].map(
    ([status, rules]) =>
      html`<p class="where">Checks with the outcome “${statusLabels[status]}”: ${rules.map(({ rule }) => rule.title).join(', ')}.</p>`,
  );
  return html`${found.length === 0 ? html`<p class="note">None of the checks has a finding.</p>` : html`<ul class="caveats findings">${found}</ul>`}
${checks}`;
}
