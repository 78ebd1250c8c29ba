import { describe, expect, it } from 'vitest';
import { mostLogoBytes } from '#protocol/report-choices.ts';
import { drawLogo } from './report-logo.ts';

const svg = (inside: string, size = 'width="400" height="100"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${inside}</svg>`,
  );
const sizeIn = (png: string) => {
  const bytes = Buffer.from(png, 'base64');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

describe('a logo', () => {
  it('becomes a picture of twice its size, and nothing of its file but the picture', async () => {
    const logo = await drawLogo(
      svg(
        '<script>alert(1)</script><rect width="400" height="100" fill="#c00" onclick="alert(2)"/><metadata>secret</metadata>',
      ),
    );
    expect(logo).toMatchObject({ widthPx: 220, heightPx: 55 });
    expect(sizeIn(logo.png)).toEqual([440, 110]);
    const text = Buffer.from(logo.png, 'base64').toString('latin1');
    expect(text).not.toMatch(/alert|secret|script/);
    expect(await drawLogo(Buffer.from(logo.png, 'base64'))).toMatchObject({ widthPx: 220, heightPx: 55 });
  });

  it('shows no file and no address that it names', async () => {
    const plain = await drawLogo(svg('<rect width="400" height="100" fill="#fff"/>'));
    const linked = svg(
      '<rect width="400" height="100" fill="#fff"/><image width="400" height="100" xlink:href="/etc/hostname"/><image width="9" height="9" href="http://127.0.0.1:9/x.png"/>',
    );
    expect(await drawLogo(linked)).toEqual(plain);
  });

  it.each([
    ['neither PNG nor SVG', Buffer.from('GIF89a')],
    ['more than 256 KiB', Buffer.alloc(mostLogoBytes + 1)],
    [
      'pixels',
      Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from('0000ffff0000ffff', 'hex')]),
    ],
    ['declares entities', Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['repeats too many', svg('<use href="#a"/>'.repeat(21))],
    ['cannot be drawn', svg('<rect')],
    ['cannot be drawn', svg('', 'width="100000" height="1"')],
  ])('is refused: %s', async (why, file) => {
    await expect(drawLogo(file)).rejects.toThrow(why);
  });
});
