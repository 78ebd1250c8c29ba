import { DynoError } from '#model/error.ts';
import type { ReportLogo } from '#presentation/report/document.ts';
import { mostLogoBytes } from '#protocol/report-choices.ts';

/** A logo fits into this size of the report. */
const mostPx = { width: 220, height: 56 } as const;
/** The most pixels of a side of a PNG file: more would only fill the memory. */
const mostPixels = 4_096;
/** Elements of SVG that draw others again. Many of them, each within another, draw millions. */
const mostUses = 20;

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Draws the user's logo anew, as a picture of twice the size in which reports show it. Scripts, links, metadata and
 * files that it names do not become part of the report. Throws 'badInput' for another file than PNG or SVG.
 */
export async function drawLogo(file: Uint8Array): Promise<ReportLogo> {
  const { pictureRenderer } = await import('./png.ts');
  if (file.length > mostLogoBytes) throw problem(`has more than ${mostLogoBytes / 1_024} KiB`);
  const svg = pngSignature.every((byte, i) => file[i] === byte) ? svgAround(file) : svgIn(file);
  const { sizeOf, draw } = await pictureRenderer();
  try {
    const { width, height } = sizeOf(svg);
    const scale = Math.min(mostPx.width / width, mostPx.height / height);
    const shown = { widthPx: Math.round(width * scale), heightPx: Math.round(height * scale) };
    if (shown.widthPx < 1 || shown.heightPx < 1) throw new Error('it is too narrow');
    return { ...shown, png: Buffer.from(draw(svg, scale * 2)).toString('base64') };
  } catch (thrown) {
    throw problem(`cannot be drawn: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

const problem = (what: string): DynoError =>
  new DynoError('badInput', `The logo ${what}.`, {
    hint: `Choose a PNG or SVG file of at most ${mostLogoBytes / 1_024} KiB.`,
  });

/** A document that shows the PNG file, whose size is in its first chunk. */
function svgAround(file: Uint8Array): string {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 24) throw problem('is damaged');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width < 1 || height < 1 || width > mostPixels || height > mostPixels)
    throw problem(`has ${width} × ${height} pixels; at most ${mostPixels} are possible on each side`);
  const data = Buffer.from(file).toString('base64');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${data}"/></svg>`;
}

function svgIn(file: Uint8Array): string {
  const text = new TextDecoder().decode(file);
  if (!/<svg[\s>]/.test(text)) throw problem('is neither PNG nor SVG');
  if (/<!ENTITY/i.test(text)) throw problem('declares entities');
  if ((text.match(/<(?:\w+:)?use[\s>/]/g)?.length ?? 0) > mostUses) throw problem('repeats too many of its parts');
  return text;
}
