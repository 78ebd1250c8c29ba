import type { Finding, Findings } from '#analysis/findings/find-findings.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { findingPicture } from '../charts/finding/finding-picture.ts';
import { sceneText } from '../charts/kit/scene.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import { alsoShownText, confidenceLabels, confidenceNotes, reasonsOf, statusLabels } from '../text/finding-text.ts';
import { type Html, html, trusted } from './html.ts';

function pictureOf(model: RunModel, finding: Finding): Html {
  const scene = findingPicture(model, finding, cssTheme);
  return scene === null ? html`` : html`<div class="picture small">${trusted(sceneText(scene))}</div>`;
}

export const findingsNote = Object.entries(confidenceNotes)
  .map(([confidence, note]) => `${confidence}: ${note.charAt(0).toLowerCase()}${note.slice(1)}`)
  .join(' ');

/** The findings of the run with their evidence, and the checks without findings. */
export function renderFindings(model: RunModel, { shown, unshown }: Findings): Html {
  const found = shown.map((finding) => {
    const { rule, lead } = finding;
    const also = alsoShownText(model, finding);
    const evidence = lead.evidence.map(({ label, text }) => html`<tr><td>${label}</td><td class="n">${text}</td></tr>`);
    return html`<li><span class="badge info">${rule.title} · ${confidenceLabels[lead.confidence]}</span><br><strong>${lead.claim}</strong>
${pictureOf(model, finding)}${evidence.length === 0 ? '' : html`<table class="evidence"><tbody>${evidence}</tbody></table>`}
<span class="where">${lead.advice}${also === '' ? '' : ` ${also}`}${lead.confirm === null ? '' : ` To confirm: ${lead.confirm.question}`}</span></li>`;
  });
  const looked = unshown.map((one) => {
    const reasons = reasonsOf(model, one).map(
      ({ status, why, places }) =>
        html`<dd>${statusLabels[status]}: ${why}${places.length === 0 ? '' : ` (${places.join('; ')})`}</dd>`,
    );
    return html`<dt>${one.rule.title}</dt><dd><dl class="reasons">${reasons}</dl></dd>`;
  });
  return html`${found.length === 0 ? html`<p class="note">None of the checks has a finding.</p>` : html`<ul class="caveats">${found}</ul>`}
${looked.length === 0 ? '' : html`<details><summary>Checks without findings: ${looked.length}</summary><dl>${looked}</dl></details>`}`;
}
