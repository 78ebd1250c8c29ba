import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.d.ts';
import type { SvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import type { ReportDocument } from '#presentation/report/document.ts';
import { pdfDefinition, pdfFonts } from '#presentation/report/pdf-definition.ts';
import { inter, mono } from './report-fonts.ts';

const fonts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [pdfFonts.text]: inter,
  [pdfFonts.code]: mono,
};

const files: readonly string[] = Object.values(fonts).flatMap((styles) => Object.values(styles));

const read = new Map<string, Buffer>();
function bytesOf(file: string): Buffer {
  const bytes = read.get(file) ?? withoutKerning(readFileSync(file));
  read.set(file, bytes);
  return bytes;
}

/**
 * A font file whose table of positions (GPOS) has a name that nobody looks for. Inter draws a point so close to 1 or 7
 * that small text like “0.1” looks like “01”. Text without the font's features is also laid out faster.
 */
function withoutKerning(font: Buffer): Buffer {
  const entryLength = 16;
  const [first, count] = [12, font.readUInt16BE(4)];
  for (let at = first; at < first + count * entryLength; at += entryLength)
    if (font.toString('latin1', at, at + 4) === 'GPOS') font.write('-pos', at, 'latin1');
  return font;
}

// pdfmake takes the fonts from here. Its own virtual file system needs the folder of a CommonJS module, which the built
// program does not have.
Object.assign(pdfmake, { virtualfs: { existsSync: (path: string) => files.includes(path), readFileSync: bytesOf } });

/** The report as a PDF file with its fonts embedded. It needs no window and no browser. */
export async function pdfOf(document: ReportDocument, renderSvg: SvgRenderer): Promise<Uint8Array> {
  pdfmake.setFonts(fonts);
  // The definition names no file and no address.
  pdfmake.setLocalAccessPolicy(() => false);
  pdfmake.setUrlAccessPolicy(() => false);
  // pdfmake's types allow no readonly lists.
  const definition = pdfDefinition(document, renderSvg, hasGlyph) as unknown as TDocumentDefinitions;
  return pdfmake.createPdf(definition).getBuffer();
}

const opened = new Map<string, ReturnType<typeof openFont>>();
const openFont = (file: string) => {
  const font = create(bytesOf(file));
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${file} is not one font.`);
  return font;
};

function hasGlyph(name: string, codePoint: number): boolean {
  const file = fonts[name]?.normal ?? inter.normal;
  const font = opened.get(file) ?? openFont(file);
  opened.set(file, font);
  return font.hasGlyphForCodePoint(codePoint);
}
