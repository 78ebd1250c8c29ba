import type { BandLabel, Line, Panel } from './panels.ts';

/** A band of a stack: its heights, and the colour of the name on it. */
interface Band {
  readonly name: string;
  readonly colour: string;
  readonly on: string;
  readonly values: readonly (number | null)[];
}

/** Stacks bands, the first one at the bottom. A band shows its name where it is high enough. */
export const stackedBands = (
  bands: readonly Band[],
  at: readonly number[],
): Required<Pick<Panel, 'lines' | 'bandLabels'>> => ({
  lines: bands.map(
    ({ name, colour, values }): Line => ({
      ...{ name, colour, dash: 'solid', symbol: 'rect', stacked: true },
      // A band without height would still have a visible edge.
      points: values.some((value) => (value ?? 0) > 0) ? at.map((x, i) => [x, values[i] ?? null] as const) : [],
    }),
  ),
  bandLabels: bands.flatMap((band, b) => labelOf(band, bands.slice(0, b), at)),
});

/**
 * Places the label at a point where the band and its neighbourhood are high, because a label at an edge or on a peak
 * would extend beyond the band. If there is no such point, only the legend names the band.
 */
function labelOf({ name, on, values }: Band, below: readonly Band[], at: readonly number[]): readonly BandLabel[] {
  const height = (i: number) => values[i] ?? 0;
  const beyond = at.length > 2 ? () => 0 : height;
  const near = (i: number) => (i < 0 || i >= at.length ? beyond(Math.max(0, Math.min(at.length - 1, i))) : height(i));
  const around = at.map((_, i) => Math.min(height(i), near(i - 1), near(i + 1)));
  const room = Math.max(...around);
  if (!(room > 0)) return [];
  const i = around.indexOf(room);
  const from = below.reduce((sum, one) => sum + (one.values[i] ?? 0), 0);
  return [{ x: at[i]!, from, to: from + height(i), text: name, colour: on }];
}
