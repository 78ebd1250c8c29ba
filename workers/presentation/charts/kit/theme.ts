import { type ClientPart, clientParts } from '#analysis/client/client-time.ts';
import { hues } from '#model/hues.ts';
import { type ResourceClass, resourceClasses } from '#model/resource.ts';
import { heatSteps } from './heat-colour.ts';
import { classColours, dashOf, partColours, seriesColours, symbolOf } from './palette.ts';

/** The colours of a chart's parts, as any CSS colours. */
export interface ChartTheme {
  readonly text: string;
  readonly muted: string;
  readonly axis: string;
  readonly grid: string;
  readonly background: string;
  readonly tooltip: string;
  /** The colours by hue. The last one is neutral; references and targets without a hue have it. */
  readonly series: readonly string[];
  /** The colours of a client process's time by activity, and of text on them. No target has these colours. */
  readonly parts: Readonly<Record<ClientPart, { readonly fill: string; readonly text: string }>>;
  /** The colours of a server's time by class. No target has these colours. */
  readonly classes: Readonly<Record<ResourceClass, string>>;
  /** The colours of heat-map cells from the worst to the best, and of text on them. No target has these colours. */
  readonly heat: readonly { readonly fill: string; readonly text: string }[];
  readonly font: string;
}

// The name is in single quotes, because ECharts writes it unescaped into a double-quoted attribute.
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

/**
 * A theme whose colours are CSS variables, so that one drawing follows the page between light and dark. See
 * themeVariables.
 */
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

/** The declarations of the variables of cssTheme for one of the concrete themes. */
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

/** The index of a target's colour among the colours of a theme. */
export const colourIndex = (index: number): number => Math.min(index, hues);

export const colourOf = (theme: ChartTheme, index: number): string => theme.series[colourIndex(index)]!;
