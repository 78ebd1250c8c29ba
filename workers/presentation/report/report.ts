import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf, type Compare } from '#planning/rates/baseline.ts';
import type { History } from '#protocol/history.ts';
import type { ReportChoices } from '#protocol/report-choices.ts';
import { type ChartTheme, cssTheme } from '../charts/kit/theme.ts';
import { panelOf } from '../outline/outline.ts';
import { experimentName } from '../text/experiment-name.ts';
import { formatStart } from '../text/run-start.ts';
import { anonymise } from './anonymise.ts';
import { appendixSections, chosenPanels } from './appendix.ts';
import type { ReportContext } from './context.ts';
import type { ReportDocument, ReportLogo, ReportSection } from './document.ts';
import { firstSections } from './first-pages.ts';
import { hiddenHistory, hideHosts } from './hide-hosts.ts';
import { historySections } from './history-section.ts';
import { type HtmlTools, renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';

/** The choices and facts that a report in any format needs besides its run. */
export interface ReportOptions extends Omit<ReportChoices, 'logo'> {
  /** The user's note on the run. Empty without a note. */
  readonly note: string;
  /** The history of the experiment up to this run; null or absent: the report has none. */
  readonly history?: History | null;
  /** Further names that `hidesHosts` hides, such as that of this machine. Default: none. */
  readonly ownNames?: readonly string[];
  /** Default: the baseline of the experiment, or the one that `compare` asks for. Ignored if names are hidden. */
  readonly baseline?: Baseline;
  /** The comparison that ratios make. Default: as the experiment says. */
  readonly compare?: Compare | undefined;
}

interface DocumentOptions extends ReportOptions {
  readonly logo: ReportLogo | null;
}

/** A run as its report shows it. */
interface ShownRun {
  readonly model: RunModel;
  readonly baseline: Baseline;
  /** The user's note, as far as the report may show it. */
  readonly note: string;
  /** The history, if the report may show it. */
  readonly history: History | null;
}

/** The run without the names that the user hides. */
export function shownRun(run: RunModel, options: ReportOptions): ShownRun {
  const { hidesEngines, hidesHosts, ownNames, compare } = options;
  const hidden = hidesHosts ? hideHosts(run, ownNames) : { run, hide: (text: string) => text };
  const model = hidesEngines ? anonymise(hidden.run) : hidden.run;
  const history = options.history ?? null;
  return {
    model,
    baseline: (hidesEngines || hidesHosts ? undefined : options.baseline) ?? baselineOf(model, compare),
    // A note may name engines in words that nothing can find, so it is left out.
    note: hidesEngines ? '' : hidden.hide(options.note.trim()),
    // The versions and settings that changed between runs name the engines.
    history: hidesEngines || history === null ? null : hidesHosts ? hiddenHistory(history, hidden.hide) : history,
  };
}

/** The content of the report of a run, which every format of the report shows. */
export function reportDocument(run: RunModel, theme: ChartTheme, options: DocumentOptions): ReportDocument {
  const { hidesEngines, sections, logo } = options;
  const { model, baseline, note, history } = shownRun(run, options);
  const { plan, startedAt, status, environment } = model;
  const panels = chosenPanels(sections);
  const context: ReportContext = { model, baseline, theme, hasPanel: (panel) => panels.includes(panel) };
  const author = options.author.trim();
  const title = options.title.trim();
  const name = experimentName(plan);
  return {
    title: title === '' ? name : title,
    logo,
    question: plan.experiment.question,
    meta: [
      ...(title === '' || title === name ? [] : [name]),
      formatStart(startedAt),
      statusLabels[status],
      `${plan.targets.map(({ name }) => name).join(', ')}${hidesEngines ? ' (anonymised)' : ''}`,
      ...(author === '' ? [] : [`by ${author}`]),
    ],
    author,
    startedAt,
    dynoVersion: environment.app,
    targets: plan.targets,
    firstPages: firstSections(context, note, sections),
    appendix: appendixOf(
      appendixSections(context),
      sections.includes('history') ? historySections(context, history) : [],
    ),
  };
}

/** The appendix with the history before the experiment file; null without a section. */
function appendixOf(all: readonly ReportSection[], history: readonly ReportSection[]): readonly ReportSection[] | null {
  const at = all.findIndex(({ id }) => id === panelOf('meaning').id || id === panelOf('experiment').id);
  const sections = all.toSpliced(at < 0 ? all.length : at, 0, ...history);
  return sections.length === 0 ? null : sections;
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

/** The report of a run as Markdown. */
export const markdownReport = (run: RunModel, options: ReportOptions): string =>
  renderMarkdown(reportDocument(run, cssTheme, { ...options, logo: null }));
