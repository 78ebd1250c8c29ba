import type { Cell } from '#protocol/plan.ts';
import { fitText } from './fit-text.ts';

/** A part of a drawing: an SVG element. Attributes have their DOM names ("textAnchor"). */
export interface Shape {
  readonly tag: 'g' | 'line' | 'text' | 'tspan' | 'title' | 'rect' | 'circle' | 'path' | 'polygon' | 'polyline';
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly inside: readonly (Shape | string)[];
}

/** The cell of a run that an area stands for. */
export interface HitCell extends Cell {
  readonly label: string;
  /** True if the cell has finished trials to inspect. */
  readonly hasTrials: boolean;
}

/** An area of a drawing that the keyboard and the pointer reach. */
export interface Hit {
  /** The row for the arrow keys. Hits of a row are in order. */
  readonly row: number;
  /** The cell that opens when the user presses the area. Absent if nothing opens. */
  readonly cell?: HitCell;
  /** The run that opens when the user presses the area. */
  readonly runId?: string;
  /** The complete description for tooltips and screen readers. */
  readonly spoken: string;
  /** The series that is highlighted while the pointer is on it. */
  readonly series?: string;
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A drawing before it is rendered to a page or a file. */
export interface Scene {
  readonly label: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly font: string;
  readonly shapes: readonly Shape[];
  readonly hits: readonly Hit[];
}

export const shape = (
  tag: Shape['tag'],
  attributes: Shape['attributes'],
  ...inside: readonly (Shape | string)[]
): Shape => ({ tag, attributes, inside });

/** Rounds to tenths of a pixel. Finer positions are invisible and make files larger. */
export const rounded = (px: number): number => Math.round(px * 10) / 10;

export const fontPx = 13;
/** The smallest text size of a picture. */
export const smallPx = 12;

interface TextLook {
  readonly fill: string;
  readonly size?: number;
  readonly weight?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** The colour around text that may stand on lines. */
  readonly halo?: string;
  /** The class of the text in a window with forced colours. */
  readonly tone?: 'ink' | 'muted';
}

/** Text that is vertically centred on `y`. */
export const text = (
  x: number,
  y: number,
  words: string | readonly (Shape | string)[],
  { fill, size = fontPx, weight, anchor, halo, tone = 'ink' }: TextLook,
): Shape =>
  shape(
    'text',
    {
      className: `picture-${tone}`,
      ...{ x, y, dy: '0.35em', fontSize: size, fill },
      ...(weight !== undefined && { fontWeight: weight }),
      ...(anchor !== undefined && { textAnchor: anchor }),
      ...(halo !== undefined && { paintOrder: 'stroke', stroke: halo, strokeWidth: 3 }),
    },
    ...(typeof words === 'string' ? [words] : words),
  );

/** The width of a drawing beside words. */
export const smallWidthPx = 400;

/** A small drawing under its title. */
export const titled = (title: string, scene: Scene, { text: fill, font }: Record<'text' | 'font', string>): Scene =>
  joined(
    scene.label,
    [
      {
        ...{ label: title, widthPx: scene.widthPx, heightPx: 22, font, hits: [] },
        shapes: [text(0, 9, fitText(title, scene.widthPx, smallPx), { fill, size: smallPx, weight: 600 })],
      },
      scene,
    ],
    'below',
  );

/** Joins drawings, side by side or one below the other. */
export function joined(label: string, scenes: readonly Scene[], direction: 'beside' | 'below'): Scene {
  const [first] = scenes;
  let [x, y, row] = [0, 0, 0];
  const placed = scenes.map((scene) => {
    const moved = {
      shapes: [shape('g', { transform: `translate(${x} ${y})` }, ...scene.shapes)],
      hits: scene.hits.map((hit) => ({ ...hit, xPx: hit.xPx + x, yPx: hit.yPx + y, row: hit.row + row })),
    };
    if (direction === 'beside') x += scene.widthPx;
    else y += scene.heightPx;
    row += 1 + Math.max(-1, ...scene.hits.map((hit) => hit.row));
    return moved;
  });
  const widest = Math.max(0, ...scenes.map(({ widthPx }) => widthPx));
  const highest = Math.max(0, ...scenes.map(({ heightPx }) => heightPx));
  return {
    label,
    widthPx: direction === 'beside' ? x : widest,
    heightPx: direction === 'beside' ? highest : y,
    font: first?.font ?? '',
    shapes: placed.flatMap(({ shapes }) => shapes),
    hits: placed.flatMap(({ hits }) => hits),
  };
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const attributeName = (name: string): string =>
  name === 'className' ? 'class' : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The shape as SVG text. */
export function shapeText({ tag, attributes, inside }: Shape): string {
  const own = Object.entries(attributes)
    .map(([name, value]) => ` ${attributeName(name)}="${escaped(String(value))}"`)
    .join('');
  return `<${tag}${own}>${inside.map((one) => (typeof one === 'string' ? escaped(one) : shapeText(one))).join('')}</${tag}>`;
}

/** The drawing as an SVG document. */
export function sceneText({ label, widthPx, heightPx, font, shapes }: Scene, background?: string): string {
  const ground =
    background === undefined ? '' : shapeText(shape('rect', { width: widthPx, height: heightPx, fill: background }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}" role="img" aria-label="${escaped(label)}" font-family="${escaped(font)}">${ground}${shapes.map(shapeText).join('')}</svg>`;
}
