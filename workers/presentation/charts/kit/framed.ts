import { textPx, wrapText } from './fit-text.ts';
import { type Shape, shape, shapeText, text } from './scene.ts';
import type { ChartTheme } from './theme.ts';

/** The words around an exported chart, so that it can be understood without its run. */
export interface Frame {
  readonly title: string;
  /** The run and its date. */
  readonly run: string;
  readonly note: string | null;
  /** The conditions below the chart: each a name and its text. */
  readonly facts: readonly (readonly [name: string, text: string])[];
}

/** A font that the picture contains, as base64 of a WOFF2 file. */
export interface EmbeddedFont {
  readonly family: string;
  readonly woff2: string;
}

const padPx = 20;
const titlePx = 17;
const fontPx = 12;
const linePx = 17;
const namePx = 72;
/** The most lines of a note or a fact. */
const mostLines = 8;

/** Puts an SVG document into a frame of words: title, run and note above it, conditions below it. */
export function framedSvg(svg: string, frame: Frame, theme: ChartTheme, font: EmbeddedFont | null): string {
  const drawn = sizeOf(svg);
  const insidePx = Math.max(drawn.widthPx, 480);
  const widthPx = insidePx + 2 * padPx;
  const shapes: Shape[] = [];
  let y = padPx;
  const lines = (words: string, x: number, fill: string, roomPx: number) => {
    for (const line of wrapText(words, roomPx, fontPx, mostLines)) {
      shapes.push(text(x, y + linePx / 2, line, { fill, size: fontPx }));
      y += linePx;
    }
  };
  for (const line of wrapText(frame.title, insidePx, titlePx, 2)) {
    shapes.push(text(padPx, y + 12, line, { fill: theme.text, size: titlePx, weight: 600 }));
    y += 24;
  }
  lines(frame.run, padPx, theme.text, insidePx);
  if (frame.note) lines(frame.note, padPx, theme.muted, insidePx);
  y += 10;
  const chartTop = y;
  y += drawn.heightPx + 12;
  shapes.push(shape('line', { x1: padPx, x2: widthPx - padPx, y1: y, y2: y, stroke: theme.grid }));
  y += 10;
  const names = Math.max(namePx, ...frame.facts.map(([name]) => textPx(name, fontPx) + 16));
  for (const [name, words] of frame.facts) {
    shapes.push(text(padPx, y + linePx / 2, name, { fill: theme.muted, size: fontPx }));
    lines(words, padPx + names, theme.text, insidePx - names);
  }
  const heightPx = y + padPx;
  const ground = shape('rect', { width: widthPx, height: heightPx, fill: theme.background });
  const inner = svg.replace('<svg', `<svg x="${padPx}" y="${chartTop}"`);
  const root = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}" font-family="${theme.font}">`;
  return `${root}${font === null ? '' : fontStyle(font)}${shapeText(ground)}${shapes.map(shapeText).join('')}${inner}</svg>`;
}

const fontStyle = ({ family, woff2 }: EmbeddedFont): string =>
  `<style>@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${woff2}) format('woff2')}</style>`;

function sizeOf(svg: string): { readonly widthPx: number; readonly heightPx: number } {
  const root = /^\s*<svg[^>]*>/.exec(svg)?.[0] ?? '';
  const size = (name: string) => Number(new RegExp(`\\s${name}="([\\d.]+)"`).exec(root)?.[1] ?? Number.NaN);
  return { widthPx: size('width'), heightPx: size('height') };
}
