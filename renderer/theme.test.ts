import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test, vi } from 'vitest';
import { hues } from '#model/hues.ts';
import { chartThemes } from './charts/chart-themes.ts';

vi.mock('./state/theme.ts', () => ({ useTheme: () => 'light' }));

type Shade = 'light' | 'dark';
const shades: readonly Shade[] = ['light', 'dark'];

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

/** Colours of theme.css, by name without dashes. */
const colours: Readonly<Record<string, Readonly<Record<Shade, string>>>> = Object.fromEntries(
  [...css.matchAll(/^ {2}--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);$/gm)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);
const colour = (name: string, shade: Shade): string => colours[name]?.[shade] ?? `no --${name} in theme.css`;

/** Relative luminance, 0 for black to 1 for white: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/**
 * Contrast ratio, 1 to 21: (L1 + 0.05) / (L2 + 0.05) with L1 the lighter colour,
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** Least contrast of text below 24 px: WCAG 2.2, 1.4.3, https://www.w3.org/TR/WCAG22/#contrast-minimum */
const least = 4.5;

const texts = ['text', 'text-2', 'text-3', 'error', 'warning'];
const grounds = ['bg', 'surface', 'raised', 'sunken', 'hover', 'pressed', 'error-bg', 'warning-bg'];
const pairs = [
  ...texts.flatMap((text) => grounds.map((ground) => ({ text, ground }))),
  { text: 'text', ground: 'selection' },
  ...['ink', 'ink-hover'].map((ground) => ({ text: 'on-ink', ground })),
  ...['accent', 'accent-hover'].map((ground) => ({ text: 'on-accent', ground })),
];

test('the ratio is that of the definition', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test.each(shades)('every text has enough contrast on every background, in the %s theme', (shade) => {
  const faint = pairs
    .map(({ text, ground }) => ({ text, ground, ratio: contrast(colour(text, shade), colour(ground, shade)) }))
    .filter(({ ratio }) => !(ratio >= least));
  expect(faint).toEqual([]);
});

test.each(shades)('charts have the colours of the panels that they stand on, in the %s theme', (shade) => {
  const { background, tooltip, text, muted } = chartThemes[shade];
  expect({ background, tooltip, text, muted }).toEqual({
    background: colour('surface', shade),
    tooltip: colour('raised', shade),
    text: colour('text', shade),
    muted: colour('text-3', shade),
  });
});

test('the window and its charts have the bundled font, and columns of numbers figures of one width', () => {
  const family = /--font:\s+"([^"]+)"/.exec(css)?.[1];
  expect(css).toMatch(/\.num \{[^}]*font-variant-numeric: tabular-nums/);
  expect(css).not.toMatch(/body \{[^}]*font-variant-numeric/);
  for (const shade of shades) expect(chartThemes[shade].font).toMatch(new RegExp(`^'${family}', `));
  const main = readFileSync(new URL('main.tsx', import.meta.url), 'utf8');
  const sheet = /import '(@fontsource-variable\/[^']+)'/.exec(main)?.[1] ?? 'no font';
  expect(readFileSync(createRequire(import.meta.url).resolve(sheet), 'utf8')).toContain(`font-family: '${family}'`);
});

test.each(shades)('every hue has a colour of its own, apart from the neutral one, in the %s theme', (shade) => {
  expect(chartThemes[shade].series).toHaveLength(hues + 1);
  expect(new Set(chartThemes[shade].series).size).toBe(hues + 1);
});
