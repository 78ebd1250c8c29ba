import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf, type Compare } from '#planning/rates/baseline.ts';
import { type ChartTheme, cssTheme } from '../charts/kit/theme.ts';
import { experimentName } from '../text/experiment-name.ts';
import { anonymise } from './anonymise.ts';
import { appendixSections } from './appendix.ts';
import type { ReportContext } from './context.ts';
import type { ReportDocument } from './document.ts';
import { firstSections } from './first-pages.ts';
import { type HtmlTools, renderHtml } from './render-html.ts';

/** The choices of the user who makes a report. */
export interface ReportChoices {
  /** Replaces the names of targets and engines by letters, because some licences forbid publishing results by name. */
  readonly anonymous: boolean;
  /** False: the report ends after its first pages. */
  readonly appendix: boolean;
  /** The person who stands behind the report. Empty: nobody is named. */
  readonly author: string;
}

interface DocumentOptions extends ReportChoices {
  /** The user's note on the run. Empty without a note. */
  readonly note: string;
  /** Default: the baseline of the experiment, or the one that `compare` asks for. Not for anonymous reports. */
  readonly baseline?: Baseline;
  /** The comparison that ratios make. Default: as the experiment says. */
  readonly compare?: Compare | undefined;
}

/** The content of the report of a run, which every format of the report shows. */
export function reportDocument(run: RunModel, theme: ChartTheme, options: DocumentOptions): ReportDocument {
  const { anonymous, appendix } = options;
  const model = anonymous ? anonymise(run) : run;
  const { plan, startedAt, status, environment } = model;
  const context: ReportContext = {
    model,
    baseline: (anonymous ? undefined : options.baseline) ?? baselineOf(model, options.compare),
    theme,
    hasAppendix: appendix,
  };
  const author = options.author.trim();
  // A note may name engines in words that nothing can find, so an anonymous report leaves it out.
  const note = anonymous ? '' : options.note.trim();
  return {
    title: experimentName(plan),
    question: plan.experiment.question,
    meta: [
      `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
      statusLabels[status],
      `${plan.targets.map(({ name }) => name).join(', ')}${anonymous ? ' (anonymised)' : ''}`,
      ...(author === '' ? [] : [`by ${author}`]),
    ],
    author,
    startedAt,
    dynoVersion: environment.app,
    targets: plan.targets,
    firstPages: firstSections(context, note),
    appendix: appendix ? appendixSections(context) : null,
  };
}

const statusLabels = {
  running: 'still running',
  complete: 'complete',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
} as const;

/** The report of a run as one HTML file. */
export const renderReport = (run: RunModel, options: DocumentOptions & HtmlTools): string =>
  renderHtml(reportDocument(run, cssTheme, options), options);
