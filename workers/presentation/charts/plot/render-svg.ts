import type { EChartsOption, EChartsType, init } from 'echarts';
import type { Drawing } from '../kit/chart.ts';
import { defaultWidthPx } from './select.ts';

/** Draws a chart as SVG text. */
export type SvgRenderer = (chart: Drawing, widthPx?: number) => string;

/**
 * Draws without a browser, by ECharts' server-side rendering. `init` is handed in, so that analysis stays without the
 * library: `createSvgRenderer((await import('echarts')).init)`.
 */
export function createSvgRenderer(start: typeof init): SvgRenderer {
  return ({ option, heightPx }, widthPx = defaultWidthPx) => {
    const chart: EChartsType = start(null, null, { renderer: 'svg', ssr: true, width: widthPx, height: heightPx });
    try {
      const still: EChartsOption = { ...option, animation: false };
      chart.setOption(still);
      return chart.renderToSVGString();
    } finally {
      chart.dispose();
    }
  };
}
