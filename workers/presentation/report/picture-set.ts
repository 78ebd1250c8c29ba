import { findingsOf } from '#analysis/findings/find-findings.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { frameOf } from '../charts/chart-frame.ts';
import { findingPicture } from '../charts/finding/finding-picture.ts';
import { framedSvg } from '../charts/kit/framed.ts';
import { sceneText } from '../charts/kit/scene.ts';
import { type ChartTheme, lightTheme } from '../charts/kit/theme.ts';
import { drawPicture, pictureData, pictureText } from '../charts/picture/draw-picture.ts';
import { fittingOptions } from '../charts/picture/picture-options.ts';
import { metricTitle } from '../charts/picture/picture-values.ts';
import type { SvgRenderer } from '../charts/plot/render-svg.ts';
import { defaultWidthPx } from '../charts/plot/select.ts';
import { drawPanel, trialsOf } from '../outline/draw-panel.ts';
import { outline } from '../outline/outline.ts';
import { type Block, type Content, type Panel, type PanelInput, tabs } from '../outline/panel.ts';
import { markdownText } from '../text/markdown-text.ts';

/** A chart of a run with the words around it, as a file. */
export interface RunPicture {
  /** The name of the file, without extension. */
  readonly name: string;
  readonly title: string;
  /** The tab of the run that shows the chart. */
  readonly tab: string;
  readonly svg: string;
}

interface PictureSetOptions {
  readonly baseline: Baseline;
  readonly renderSvg: SvgRenderer;
  /** The family of the font of all words; programs without it use a font of their system. */
  readonly font: string;
}

/** Charts of single trials are drawn for the first variants only, because a sweep of a thousand has as many of them. */
const mostVariants = 24;

/** A chart before it has its frame. */
interface Drawn {
  readonly id: string;
  readonly title: string;
  readonly note: string | null;
  readonly svg: string;
}

/** Draws the charts of all tabs of a run one after the other, in the order of the window. */
export function* pictureSet(run: RunModel, { baseline, renderSvg, font }: PictureSetOptions): Generator<RunPicture> {
  const theme: ChartTheme = { ...lightTheme, font: `'${font}', ${lightTheme.font}` };
  const input = { model: run, run, baseline, theme, widthPx: defaultWidthPx, views: [], perProcess: false };
  const names = new Set<string>();
  for (const panel of outline)
    for (const { id, title, note, svg } of drawnOf(panel, input, renderSvg)) {
      const plain = `${panel.tab}-${id}`.replaceAll(/[^\w-]+/g, '-');
      const name = names.has(plain) ? `${plain}-${names.size}` : plain;
      names.add(name);
      const framed = framedSvg(svg, frameOf(run, title, note), theme, null);
      yield { name, title, tab: tabs[panel.tab], svg: framed };
    }
}

/** The README.md of a set: all pictures below the names of their tabs. */
export function pictureSetReadme(
  run: RunModel,
  pictures: readonly Pick<RunPicture, 'name' | 'title' | 'tab'>[],
  format: string,
): string {
  const frame = frameOf(run, '', null);
  const byTab = Map.groupBy(pictures, ({ tab }) => tab);
  return [
    `# ${markdownText(frame.run)}`,
    markdownText(run.plan.experiment.question),
    ...[...byTab].flatMap(([tab, own]) => [
      `## ${tab}`,
      ...own.map(({ name, title }) => `![${markdownText(title)}](${name}.${format})`),
    ]),
    '',
  ].join('\n\n');
}

/** The charts of a panel. Panels about single trials have those of each variant, in its first repeat. */
function* drawnOf(panel: Panel, input: PanelInput, renderSvg: SvgRenderer): Generator<Drawn> {
  const { model } = input;
  const { trials } = panel;
  if (trials === undefined) {
    const drawn = drawPanel(panel, input);
    if (drawn !== null) yield* chartsOf(drawn.content, input, renderSvg);
    return;
  }
  const isOnly = model.plan.variants.length === 1;
  for (const [i, variant] of model.plan.variants.slice(0, mostVariants).entries()) {
    const all = trialsOf(model, variant.id, trials);
    const first = Math.min(...all.map(({ trial }) => trial.repeat));
    const views = trials.repeats === 'one' ? all.filter(({ trial }) => trial.repeat === first) : all;
    const drawn = drawPanel(panel, { ...input, views });
    if (drawn === null) continue;
    for (const chart of chartsOf(drawn.content, input, renderSvg))
      yield isOnly
        ? chart
        : { ...chart, id: `${chart.id}-variant-${i + 1}`, title: `${chart.title}: ${variant.label}` };
  }
}

function* chartsOf(content: Content, input: PanelInput, renderSvg: SvgRenderer): Generator<Drawn> {
  const { run, baseline, theme, widthPx } = input;
  switch (content.kind) {
    case 'charts':
      yield* chartsIn(
        content.charts.map((chart) => ({ kind: 'chart', chart })),
        input,
        renderSvg,
      );
      return;
    case 'blocks':
      yield* chartsIn(content.blocks, input, renderSvg);
      return;
    case 'comparison': {
      const picture = { run, shown: run, baseline, options: fittingOptions(run, baseline), theme, widthPx };
      const data = pictureData(picture);
      const scene = drawPicture(data, picture);
      if (scene !== null)
        yield {
          id: 'results',
          title: metricTitle(data.text),
          note: pictureText(picture),
          svg: sceneText(scene),
        };
      return;
    }
    case 'findings':
      for (const finding of findingsOf(run).shown) {
        const scene = findingPicture(run, finding, theme);
        if (scene !== null)
          yield {
            id: finding.rule.id,
            title: finding.rule.title,
            note: finding.lead.claim,
            svg: sceneText(scene),
          };
      }
      return;
    case 'answer':
    case 'errors':
    case 'caveats':
      return;
  }
}

function* chartsIn(blocks: readonly Block[], input: PanelInput, renderSvg: SvgRenderer): Generator<Drawn> {
  for (const block of blocks) {
    if (block.kind === 'chart') {
      const { id, title, note } = block.chart;
      yield { id, title, note, svg: renderSvg(block.chart, input.widthPx) };
    } else if (block.kind === 'group' || block.kind === 'fold') yield* chartsIn(block.blocks, input, renderSvg);
    else if (block.kind === 'pair')
      for (const [left, right] of block.inReport) yield* chartsIn(block.draw(left, right), input, renderSvg);
  }
}
