import type { RunModel } from '../model.ts';
import { publishedColumns, publishedLines, sourceText } from '../published-words.ts';
import { type Html, html } from './html.ts';

/** Published ratios beside those of this run, source by source; null where nothing of it can be compared. */
export function publishedSection(model: RunModel): Html | null {
  const all = publishedLines(model);
  if (all.length === 0) return null;
  const cells = (texts: readonly string[], tag: 'th' | 'td'): readonly Html[] =>
    texts.map((text, i) => {
      const className = i < 3 ? 'target' : 'n';
      return tag === 'th' ? html`<th class="${className}">${text}</th>` : html`<td class="${className}">${text}</td>`;
    });
  return html`${all.map(
    ({ published, rows }) =>
      html`<p class="note">${sourceText(published)}</p><div class="scroll"><table><thead><tr>${cells(publishedColumns, 'th')}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row, 'td')}</tr>`)}</tbody></table></div>`,
  )}`;
}
