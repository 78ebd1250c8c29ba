import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.d.ts';
import type { SvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import type { ReportDocument } from '#presentation/report/document.ts';
import { pdfDefinition, pdfFonts } from '#presentation/report/pdf-definition.ts';

// Its virtual file system needs the folder of a CommonJS module, which the built program does not have.
Object.assign(pdfmake, { virtualfs: null });

const fontFile = (path: string): string => createRequire(import.meta.url).resolve(`@expo-google-fonts/${path}`);

const inter = {
  normal: fontFile('inter/400Regular/Inter_400Regular.ttf'),
  bold: fontFile('inter/600SemiBold/Inter_600SemiBold.ttf'),
};
const mono = { normal: fontFile('jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf') };
const fonts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [pdfFonts.text]: inter,
  [pdfFonts.code]: mono,
};

/** The report as a PDF file with its fonts embedded. It needs no window and no browser. */
export async function pdfOf(document: ReportDocument, renderSvg: SvgRenderer): Promise<Uint8Array> {
  const files = Object.values(fonts).flatMap((styles) => Object.values(styles));
  pdfmake.setFonts(fonts);
  // The definition names no file and no address, and pdfmake may read the fonts alone.
  pdfmake.setLocalAccessPolicy((path) => files.includes(path));
  pdfmake.setUrlAccessPolicy(() => false);
  // pdfmake's types allow no readonly lists.
  const definition = pdfDefinition(document, renderSvg, hasGlyph) as unknown as TDocumentDefinitions;
  return pdfmake.createPdf(definition).getBuffer();
}

const opened = new Map<string, ReturnType<typeof openFont>>();
const openFont = (file: string) => {
  const font = create(readFileSync(file));
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${file} is not one font.`);
  return font;
};

function hasGlyph(name: string, codePoint: number): boolean {
  const file = fonts[name]?.normal ?? inter.normal;
  const font = opened.get(file) ?? openFont(file);
  opened.set(file, font);
  return font.hasGlyphForCodePoint(codePoint);
}
