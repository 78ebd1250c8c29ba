import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { chartFileName, frameOf } from '#presentation/charts/chart-frame.ts';
import { type EmbeddedFont, type Frame, framedSvg } from '#presentation/charts/kit/framed.ts';
import type { ChartTheme } from '#presentation/charts/kit/theme.ts';
import { type Table, toCsv } from '#presentation/tables/shared/csv.ts';
import { toBase64 } from '#stats/histogram/base64.ts';
import { attempt, request } from '../state/bridge.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { fontFamily } from './chart-themes.ts';

/** A chart that can be saved. `svg` is null if nothing is drawn. */
interface Exported {
  readonly id: string;
  /** The name of the file and the words around the chart. Null: the file is named by the id, and has no words. */
  readonly framed: Framed | null;
  readonly theme: ChartTheme;
  readonly svg: (() => string) | null;
  readonly table: () => Table;
}

interface Framed {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly frame: () => Frame;
}

/** The words around a chart of a run. */
export const framedByRun = (
  run: RunModel | null,
  { id, title, note }: { readonly id: string; readonly title: string; readonly note: string | null },
): Framed | null => run && { name: chartFileName(run, id), frame: () => frameOf(run, title, note) };

/** The resolution of pictures, in pixels per CSS pixel. */
const scale = 2;

/** The menu entries that save a chart as SVG and PNG, copy it as a picture, and save its numbers as CSV. */
export function exportActions(chart: Exported) {
  const { id, framed, svg } = chart;
  const name = framed?.name ?? id;
  const save = (format: 'svg' | 'png' | 'csv', data: () => Promise<string>) => ({
    id: format,
    label: `Save as ${format.toUpperCase()}…`,
    disabled: svg === null && format !== 'csv',
    run: () =>
      void attempt(`Could not save the ${format.toUpperCase()}`, async () =>
        request('files:save', { name, format, data: await data() }),
      ),
  });
  return [
    {
      id: 'copy',
      label: 'Copy as picture',
      disabled: svg === null,
      run: () =>
        void attempt('Could not copy the picture', async () => {
          const png = pictureOf(chart).then(canvasOf).then(blobOf);
          await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
          showToast({ tone: 'info', title: 'The picture is on the clipboard' });
        }),
    },
    save('svg', () => pictureOf(chart)),
    save('png', async () => base64Of(await canvasOf(await pictureOf(chart)))),
    save('csv', async () => toCsv(chart.table())),
  ];
}

/** The chart as an SVG document with the words around it and its font. */
async function pictureOf({ framed, theme, svg }: Exported): Promise<string> {
  const drawn = svg?.() ?? '';
  return framed === null ? drawn : framedSvg(drawn, framed.frame(), theme, await embeddedFont());
}

let font: Promise<EmbeddedFont> | null = null;

/** The window's font, which is read once. After an error, the next picture reads it again. */
function embeddedFont(): Promise<EmbeddedFont> {
  font ??= readFont().catch((thrown) => {
    font = null;
    throw thrown;
  });
  return font;
}

async function readFont(): Promise<EmbeddedFont> {
  const bytes = new Uint8Array(await (await fetch(interUrl)).arrayBuffer());
  return { family: fontFamily, woff2: toBase64(bytes) };
}

/** Renders an SVG document. */
async function canvasOf(svg: string): Promise<HTMLCanvasElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * scale;
  canvas.height = image.height * scale;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The window has no 2D canvas');
  context.scale(scale, scale);
  context.drawImage(image, 0, 0);
  return canvas;
}

const base64Of = (canvas: HTMLCanvasElement): string =>
  canvas.toDataURL('image/png').replace('data:image/png;base64,', '');

const blobOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob === null ? failed(new Error('The picture is too large')) : done(blob)), 'image/png'),
  );
