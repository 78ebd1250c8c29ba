import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { groupCaveats } from '../text/caveat-text.ts';
import { type Html, html } from './html.ts';

/** Caveats by kind. Each text appears once, with all its cells. */
export function renderCaveats(model: RunModel, caveats: readonly Caveat[]): Html {
  if (caveats.length === 0) return html`<p class="note">No problem with the data was found.</p>`;
  return html`<ul class="caveats">${groupCaveats(model, caveats).map(
    ({ severity, title, entries }) =>
      html`<li><span class="badge ${severity}">${title}</span>${entries.map(
        ({ text, places }) =>
          html`<p>${places.length === 0 ? '' : html`<span class="where">${places.join('; ')}: </span>`}${text}</p>`,
      )}</li>`,
  )}</ul>`;
}
