import { drawRatioMark, ratioMarkPx } from '../charts/kit/ratio-mark.ts';
import { shape, shapeText } from '../charts/kit/scene.ts';
import type { RatioMark } from '../tables/shared/panel-table.ts';
import { ink } from './pdf-words.ts';

/**
 * Changes SVG to the part of it that pdfmake draws. It knows neither style sheets nor numeric weights, and draws the
 * halo of a text above the text, so the halo becomes a text of its own below it.
 */
export const pdfSvg = (svg: string): string =>
  svg
    .replaceAll(/<style\s*>\s*<!\[CDATA\[.*?\]\]>\s*<\/style>/gs, '')
    .replaceAll(/<title>[^<]*<\/title>/g, '')
    .replaceAll(/ font-weight="[6-9]00"/g, ' font-weight="bold"')
    .replaceAll(/<text([^<>]*) paint-order="stroke"([^<>]*)>(.*?)<\/text>/gs, (_, before, after, inside) => {
      const attributes = `${before}${after}`;
      const halo = / stroke="([^"]*)"/.exec(attributes)?.[1] ?? '#ffffff';
      const below = attributes.replace(/ fill="[^"]*"/, ` fill="${halo}"`);
      const above = attributes.replaceAll(/ stroke(-[a-z]+)?="[^"]*"/g, '');
      return `<text${below}>${inside.replaceAll(/ fill="[^"]*"/g, '')}</text><text${above}>${inside}</text>`;
    });

/** A ratio with its interval, as in the window. */
export function pdfRatioMark(mark: RatioMark): string {
  const colour = mark.differs ? ink.text : ink.muted;
  const shapes = drawRatioMark(mark).map((one) =>
    one.attributes.className === 'ratio-mark-one'
      ? { ...one, attributes: { ...one.attributes, stroke: ink.axis, strokeWidth: 1 } }
      : one,
  );
  const { width, height } = ratioMarkPx;
  const drawn = shapeText(shape('g', { stroke: colour, fill: colour, strokeWidth: 1.5 }, ...shapes));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawn}</svg>`;
}
