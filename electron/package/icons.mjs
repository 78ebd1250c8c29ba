import { readFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';

/** The mark: a gauge with its needle. */
export const markFile = new URL('dyno.svg', import.meta.url);

/** The mark as a PNG of this size in pixels. */
export const iconPng = (size) =>
  new Resvg(readFileSync(markFile, 'utf8'), { fitTo: { mode: 'width', value: size } }).render().asPng();

/** Windows' icon file: a directory of PNGs (0 stands for 256 pixels). */
export function iconIco(sizes = [16, 24, 32, 48, 64, 128, 256]) {
  const pngs = sizes.map(iconPng);
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  for (const [index, png] of pngs.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(sizes[index] % 256, at);
    head.writeUInt8(sizes[index] % 256, at + 1);
    head.writeUInt16LE(1, at + 4); // planes
    head.writeUInt16LE(32, at + 6); // bits per pixel
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pngs]);
}

/** macOS's icon file: PNGs by type, which stands for the size. */
export function iconIcns() {
  const parts = Object.entries({ ic11: 32, ic12: 64, ic07: 128, ic08: 256, ic09: 512, ic10: 1024 }).flatMap(
    ([type, size]) => {
      const png = iconPng(size);
      return [chunkHead(type, png.length), png];
    },
  );
  const body = Buffer.concat(parts);
  return Buffer.concat([chunkHead('icns', body.length), body]);
}

function chunkHead(type, length) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(length + 8, 4);
  return head;
}
