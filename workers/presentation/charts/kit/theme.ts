import { type ClientPart, clientParts } from '#analysis/client/client-time.ts';
import { hues } from '#model/hues.ts';
import { type ResourceClass, resourceClasses } from '#model/resource.ts';
import { heatSteps } from './heat-colour.ts';
import { classColours, dashOf, partColours, seriesColours, symbolOf } from './palette.ts';

/** Colours of a chart's parts. Any CSS colour. */
export interface ChartTheme {
  readonly text: string;
  readonly muted: string;
  readonly axis: string;
  readonly grid: string;
  readonly background: string;
  readonly tooltip: string;
  /** The colours by hue. The last one is neutral: it is for references, and for targets without a hue of their own. */
  readonly series: readonly string[];
  /** The colours of a client process' time by activity, and of text on them. They are no target's colours. */
  readonly parts: Readonly<Record<ClientPart, { readonly fill: string; readonly text: string }>>;
  /** The colours of a server's time by class. They are no target's colours. */
  readonly classes: Readonly<Record<ResourceClass, string>>;
  /** Cells of heat maps from the worst to the best, and text on them. No target's colours. */
  readonly heat: readonly { readonly fill: string; readonly text: string }[];
  readonly font: string;
}

// Single quotes within: ECharts puts it into a double-quoted attribute as it is.
const font = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif";

export const lightTheme: ChartTheme = {
  text: '#1c2126',
  muted: '#5c6670',
  axis: '#9aa3ac',
  grid: '#e4e8ec',
  background: '#ffffff',
  tooltip: '#ffffff',
  series: seriesColours.light,
  parts: partColours.light,
  classes: classColours.light,
  heat: heatSteps('light'),
  font,
};

export const darkTheme: ChartTheme = {
  text: '#e4e8ec',
  muted: '#9aa5b1',
  axis: '#5d6771',
  grid: '#2b3138',
  background: '#171b20',
  tooltip: '#20262d',
  series: seriesColours.dark,
  parts: partColours.dark,
  classes: classColours.dark,
  heat: heatSteps('dark'),
  font,
};

const names = ['text', 'muted', 'axis', 'grid', 'background', 'tooltip'] as const;

/** Every colour as a CSS variable: one drawing that follows the page between light and dark. See themeVariables. */
export const cssTheme: ChartTheme = {
  ...(Object.fromEntries(names.map((name) => [name, `var(--chart-${name})`])) as Record<
    (typeof names)[number],
    string
  >),
  series: lightTheme.series.map((_, i) => `var(--chart-series-${i})`),
  parts: Object.fromEntries(
    clientParts.map((one) => [one, { fill: `var(--chart-part-${one})`, text: `var(--chart-on-part-${one})` }]),
  ) as ChartTheme['parts'],
  classes: Object.fromEntries(resourceClasses.map((one) => [one, `var(--chart-class-${one})`])) as Record<
    ResourceClass,
    string
  >,
  heat: lightTheme.heat.map((_, i) => ({ fill: `var(--chart-heat-${i})`, text: `var(--chart-on-heat-${i})` })),
  font,
};

/** The declarations that cssTheme refers to, for one of the concrete themes. */
export const themeVariables = (theme: ChartTheme): string =>
  [
    ...names.map((name) => `--chart-${name}:${theme[name]}`),
    ...theme.series.map((colour, i) => `--chart-series-${i}:${colour}`),
    ...clientParts.flatMap((one) => [
      `--chart-part-${one}:${theme.parts[one].fill}`,
      `--chart-on-part-${one}:${theme.parts[one].text}`,
    ]),
    ...theme.heat.flatMap(({ fill, text }, i) => [`--chart-heat-${i}:${fill}`, `--chart-on-heat-${i}:${text}`]),
    ...resourceClasses.map((one) => `--chart-class-${one}:${theme.classes[one]}`),
  ].join(';');

/** The look of a target in every chart: its name, colour, line style and symbol. */
export const lookOf = ({ name, index }: { readonly name: string; readonly index: number }, theme: ChartTheme) => ({
  name,
  colour: colourOf(theme, index),
  dash: dashOf(index),
  symbol: symbolOf(index),
});

/** The place of a target's colour among those of a theme. */
export const colourIndex = (index: number): number => Math.min(index, hues);

export const colourOf = (theme: ChartTheme, index: number): string => theme.series[colourIndex(index)]!;
