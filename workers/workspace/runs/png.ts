import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const require = createRequire(import.meta.url);

/** The family of the fonts below, for drawings that become pictures. */
export const pictureFont = 'Inter';

/** No font of the system is used, so that a picture looks the same everywhere. */
const fontFiles = ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf'].map(
  (file) => `@expo-google-fonts/inter/${file}`,
);

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
  await initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const font = {
    fontBuffers: fontFiles.map((file) => readFileSync(require.resolve(file))),
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
