import { metrics } from '#live-series/metrics.ts';
import { code, markdownTable } from '../file-format/markdown.ts';

/** The block of docs/live-series.md, from the table of metrics. */
export const liveSeriesBlocks: Readonly<Record<string, () => string>> = {
  'live metrics': () =>
    markdownTable(
      ['metric', 'kind', 'unit', 'what it tells', 'own attributes'],
      Object.values(metrics).map((metric) => [
        code(metric.name),
        metric.kind,
        code(metric.unit),
        `${metric.about}.`,
        'attributes' in metric ? metric.attributes.map(code).join(', ') : '–',
      ]),
    ),
};
