import { expect, test } from 'vitest';
import { drawParts, drawStacks } from './parts.ts';
import { shapesOf } from './scene.fixture.ts';
import { lightTheme } from './theme.ts';

const part = (label: string, share: number) => ({
  label,
  share,
  text: `${share * 100} %`,
  fill: '#123456',
  on: '#fff',
});

test('a whole names each part with its share, but not parts too thin to be seen', () => {
  const { label } = drawParts('Time', [part('network', 0.25), part('server', 0.749), part('rest', 0.001)], lightTheme);
  expect(label).toBe('Time: network 25 %, server 74.9 %');
});

test('a bar of parts is read as a whole, and has the texts that fit', () => {
  const rows = [{ name: 'A', parts: [part('network', 0.97), part('server', 0.03)], end: '2 ms' }];
  const legend = rows[0]!.parts.map(({ label, fill }) => ({ label, fill }));
  const scene = drawStacks({ label: 'Calls', legend, rows, tick: String }, lightTheme, 600);
  expect(scene.hits.map(({ spoken }) => spoken)).toEqual(['A: network 97 %, server 3 %; 2 ms']);
  const words = shapesOf(scene).flatMap(({ tag, inside }) => (tag === 'text' ? [inside.join('')] : []));
  expect(words).toContain('97 %');
  expect(words).not.toContain('3 %');
});
