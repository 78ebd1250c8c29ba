import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf, type Compare } from '#planning/rates/baseline.ts';
import { cssTheme } from '../charts/kit/theme.ts';
import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import { defaultWidthPx } from '../charts/plot/select.ts';
import { drawEveryVariant, drawPanel } from '../outline/draw-panel.ts';
import { outline } from '../outline/outline.ts';
import { type PanelInput, type Tab, tabs } from '../outline/panel.ts';
import { experimentName } from '../text/experiment-name.ts';
import { anonymise } from './anonymise.ts';
import { type Html, html, htmlText, trusted } from './html.ts';
import { withoutInlineStyles } from './inline-styles.ts';
import { renderPanel } from './sections.ts';
import { style } from './style.ts';

interface ReportOptions {
  /** Replaces the names of targets and engines by letters, because some licences forbid publishing results by name. */
  readonly anonymous: boolean;
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
 * Writes the run as one HTML file. It has no script, loads nothing, and its policy allows one style sheet by hash. It
 * follows light and dark mode and is ready to print.
 */
export function renderReport(run: RunModel, options: ReportOptions): string {
  const model = options.anonymous ? anonymise(run) : run;
  const baseline = (options.anonymous ? undefined : options.baseline) ?? baselineOf(model, options.compare);
  const context = { model, renderSvg: options.renderSvg };
  const sections = drawnPanels({
    model,
    run: model,
    baseline,
    theme: cssTheme,
    widthPx: defaultWidthPx,
    views: [],
    perProcess: false,
  }).map(({ tab, drawn }) => ({ tab, id: drawn.id, body: renderPanel(drawn, baseline, context) }));
  const { name, question } = model.plan.experiment;
  const { markup, rules } = withoutInlineStyles(
    htmlText(html`<main>
<header><h1>${experimentName(model.plan)}</h1><p class="question">${question}</p>
<p class="meta">${model.startedAt.slice(0, 16).replace('T', ' ')} UTC · ${statusLabels[model.status]} · ${model.environment.cpu}, ${model.environment.cores} cores · ${model.plan.targets.map(({ name }) => name).join(', ')}${options.anonymous ? ' (anonymised)' : ''}</p>
<nav>${navigation(sections)}</nav></header>
${sections.map(({ body }) => body)}
<footer>Made by Dyno ${model.environment.app}. Verdicts: 95 % intervals of the ratio of mean throughputs over the repeats, by Welch’s t on logarithms, and from five repeats on by a studentised bootstrap that must agree; about one comparison of equals in twenty shows a difference nevertheless.</footer>
</main>`),
  );
  const sheet = style + rules;
  return htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${trusted(options.sha256(sheet))}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${name} – Dyno report</title><style>${trusted(sheet)}</style></head>
<body>${trusted(markup)}</body></html>
`);
}

const drawnPanels = (input: PanelInput) =>
  outline.flatMap((panel) => {
    const drawn = panel.trials ? drawEveryVariant(panel, panel.trials, input) : drawPanel(panel, input);
    return drawn === null ? [] : [{ tab: panel.tab, drawn }];
  });

/** Links to the first section of each tab. */
function navigation(sections: readonly { readonly tab: Tab; readonly id: string }[]): readonly Html[] {
  const first = [...Map.groupBy(sections, ({ tab }) => tab)];
  return first.map(([tab, [section]]) => html`<a href="#${section!.id}">${tabs[tab]}</a>`);
}

const statusLabels = {
  running: 'still running',
  complete: 'complete',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const;
