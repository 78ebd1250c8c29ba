import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWindowState } from './window-state.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'dyno-window-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];
const read = (content: string) => {
  const file = join(dir, 'window.json');
  writeFileSync(file, content);
  return readWindowState(file, screens);
};
const at = (x: number, y: number) => ({ bounds: { x, y, width: 1000, height: 700 }, maximized: false });

test('a window comes back where it was', () => {
  expect(read(JSON.stringify(at(100, 50)))).toEqual(at(100, 50));
});

test.each([at(-980, 0), at(1900, 0), at(0, 1070), at(0, -300)])(
  'a place that cannot be reached is forgotten',
  (state) => {
    expect(read(JSON.stringify(state))).toBeNull();
  },
);

test.each(['', '{', '[]', '{"bounds":{"x":"1"}}'])('a damaged file counts as none', (content) => {
  expect(read(content)).toBeNull();
});

test('a missing file counts as none', () => {
  expect(readWindowState(join(dir, 'missing.json'), screens)).toBeNull();
});
