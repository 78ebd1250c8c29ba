import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { inter } from './report-fonts.ts';

/** The family of the fonts of drawings that become pictures. */
export const pictureFont = 'Inter';

/** Makes PNG of SVG documents. It reads no file and no address that a document names. */
interface PictureRenderer {
  sizeOf(svg: string): { readonly width: number; readonly height: number };
  /** `zoom`: the number of pixels for each unit of the document's size. */
  draw(svg: string, zoom: number): Uint8Array;
}

let renderer: Promise<PictureRenderer> | null = null;

/** Loads the library and the fonts once. It needs no window. */
export function pictureRenderer(): Promise<PictureRenderer> {
  renderer ??= load();
  return renderer;
}

async function load(): Promise<PictureRenderer> {
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  // No font of the system is used, so that a picture looks the same everywhere.
  const font = {
    fontBuffers: Object.values(inter).map((file) => readFileSync(file)),
    defaultFontFamily: pictureFont,
    sansSerifFamily: pictureFont,
  };
  // The memory of the library is not JavaScript's, so that each drawing is freed by hand.
  const using = <T>(svg: string, zoom: number, work: (drawing: InstanceType<typeof Resvg>) => T): T => {
    const drawing = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: zoom } });
    try {
      return work(drawing);
    } finally {
      drawing.free();
    }
  };
  return {
    sizeOf: (svg) => using(svg, 1, ({ width, height }) => ({ width, height })),
    draw: (svg, zoom) =>
      using(svg, zoom, (drawing) => {
        const image = drawing.render();
        try {
          return image.asPng();
        } finally {
          image.free();
        }
      }),
  };
}
