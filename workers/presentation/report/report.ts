import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf, type Compare } from '#planning/rates/baseline.ts';
import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import { anonymise } from './anonymise.ts';
import { renderAppendix } from './appendix.ts';
import type { ReportContext } from './context.ts';
import { renderFirstPages } from './first-pages.ts';
import { html, htmlText, trusted } from './html.ts';
import { withoutInlineStyles } from './inline-styles.ts';
import { style } from './style.ts';

/** The choices of the user who makes a report. */
export interface ReportChoices {
  /** Replaces the names of targets and engines by letters, because some licences forbid publishing results by name. */
  readonly anonymous: boolean;
  /** False: the report ends after its first pages. */
  readonly appendix: boolean;
  /** The person who stands behind the report. Empty: nobody is named. */
  readonly author: string;
}

interface ReportOptions extends ReportChoices {
  /** The user's note on the run. Empty without a note. */
  readonly note: string;
  /** Draws charts; see charts/plot/render-svg.ts. */
  readonly renderSvg: SvgRenderer;
  /** Returns the SHA-256 of a text in UTF-8, as base64. */
  readonly sha256: (text: string) => string;
  /** Default: the baseline of the experiment, or the one that `compare` asks for. Not for anonymous reports. */
  readonly baseline?: Baseline;
  /** The comparison that ratios make. Default: as the experiment says. */
  readonly compare?: Compare | undefined;
}

/**
 * Writes the run as one HTML file: two pages with the answer, and an appendix. The file has no script, loads nothing,
 * and its policy allows one style sheet by hash. It follows light and dark mode, and prints in light mode.
 */
export function renderReport(run: RunModel, options: ReportOptions): string {
  const { anonymous, author } = options;
  const model = anonymous ? anonymise(run) : run;
  const context: ReportContext = {
    model,
    baseline: (anonymous ? undefined : options.baseline) ?? baselineOf(model, options.compare),
    renderSvg: options.renderSvg,
    hasAppendix: options.appendix,
  };
  // A note may name engines in words that nothing can find, so an anonymous report leaves it out.
  const note = anonymous ? '' : options.note.trim();
  const { markup, rules } = withoutInlineStyles(
    htmlText(html`<main>
${renderFirstPages(context, { isAnonymous: anonymous, note, author: author.trim() })}
${options.appendix ? renderAppendix(context) : ''}
</main>`),
  );
  const sheet = style + rules;
  return htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${trusted(options.sha256(sheet))}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${model.plan.experiment.name} – Dyno report</title><style>${trusted(sheet)}</style></head>
<body>${trusted(markup)}</body></html>
`);
}
