import type { EChartsOption, EChartsType, init } from 'echarts';
import type { Chart, Drawing } from '../kit/chart.ts';
import { sceneText } from '../kit/scene.ts';
import { defaultWidthPx } from './select.ts';

/** Draws a chart as SVG text. */
export type SvgRenderer = (chart: Drawing | Chart, widthPx?: number) => string;

/**
 * Draws without a browser, with the server-side rendering of ECharts. The caller passes `init`, so that this room does
 * not load the library: `createSvgRenderer((await import('echarts')).init)`.
 */
export function createSvgRenderer(start: typeof init): SvgRenderer {
  return (drawn, widthPx = defaultWidthPx) => {
    if ('scene' in drawn) return sceneText(drawn.scene);
    const { option, heightPx } = drawn;
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
