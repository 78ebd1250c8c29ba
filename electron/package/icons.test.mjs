import { expect, test } from 'vitest';
import { iconIco, iconPng } from './icons.mjs';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

test('the icon is a PNG of the size that was asked for', () => {
  const png = iconPng(48);
  expect(png.subarray(0, 8)).toEqual(signature);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([48, 48]);
});

test('every entry of Windows’ icon file leads to a PNG of its size', () => {
  const ico = iconIco([16, 256]);
  expect(ico.readUInt16LE(4)).toBe(2);
  for (const [index, size] of [16, 256].entries()) {
    const [length, at] = [ico.readUInt32LE(6 + 16 * index + 8), ico.readUInt32LE(6 + 16 * index + 12)];
    expect(ico.subarray(at, at + 8)).toEqual(signature);
    expect(ico.readUInt32BE(at + 16)).toBe(size);
    expect(at + length).toBeLessThanOrEqual(ico.length);
  }
});
