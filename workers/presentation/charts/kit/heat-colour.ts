/** The ends of the colour scale of heat maps. The scale has one hue and begins at the colour of a panel. */
const ends = {
  light: { from: [245, 248, 252], to: [16, 66, 122] },
  dark: { from: [32, 38, 46], to: [142, 200, 255] },
} as const satisfies Readonly<Record<string, Readonly<Record<'from' | 'to', readonly [number, number, number]>>>>;

type Rgb = readonly [number, number, number];

/** The luminance at which black and white text have the same contrast (WCAG 2). */
const middle = 0.179;

/** The number of steps of the colour scale. Readers could not tell more steps apart. */
const steps = 12;

/** The fills of cells from the worst to the best, and the colour of text on each. */
export const heatSteps = (theme: keyof typeof ends): readonly { readonly fill: string; readonly text: string }[] =>
  Array.from({ length: steps }, (_, step) => {
    const { from, to } = ends[theme];
    const mixed = from.map((value, i) => Math.round(value + ((to[i]! - value) * step) / (steps - 1)));
    const rgb: Rgb = [mixed[0]!, mixed[1]!, mixed[2]!];
    return {
      fill: `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`,
      text: luminanceOf(rgb) > middle ? '#000000' : '#ffffff',
    };
  });

/** Relative luminance (WCAG 2). */
export function luminanceOf(rgb: Rgb): number {
  const [r, g, b] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
