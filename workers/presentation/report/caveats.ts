import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { targetName } from './blocks.ts';
import { type Html, html } from './html.ts';

/** Caveats of the same kind and text stand once, with all their cells. */
export function renderCaveats(model: RunModel, caveats: readonly Caveat[]): Html {
  if (caveats.length === 0) return html`<p class="note">Nothing was found that would speak against the numbers.</p>`;
  const groups = Map.groupBy(caveats, ({ severity, title, text }) => `${severity}|${title}|${text}`);
  const where = ({ cell }: Caveat): readonly Html[] => {
    if (cell === null) return [];
    const target = cell.target === undefined ? '' : targetName(model, cell.target);
    const variant = cell.variant === undefined ? '' : variantLabel(model.plan, cell.variant);
    return [html`<span class="where">${target} ${variant}</span> `];
  };
  return html`<ul class="caveats">${[...groups.values()].map(
    (group) =>
      html`<li><span class="badge ${group[0]!.severity}">${group[0]!.title}</span> ${group.flatMap(where)}<br>${group[0]!.text}</li>`,
  )}</ul>`;
}
