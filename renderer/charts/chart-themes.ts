import { type ChartTheme, colourOf, darkTheme, lightTheme } from '#presentation/charts/kit/theme.ts';
import { type Theme, useTheme } from '../state/theme.ts';

/** The font of the window, which saved pictures contain. */
export const fontFamily = 'Inter Variable';
const font = `'${fontFamily}', ${lightTheme.font}`;

/** The colours and font of charts on the panels of the window. */
export const chartThemes = {
  light: { ...lightTheme, font, background: '#ffffff', text: '#16191d', muted: '#5d6772' },
  dark: {
    ...darkTheme,
    ...{ font, background: '#17191c', tooltip: '#1e2125', text: '#e7e9ec', muted: '#939ca6', grid: '#2a2e33' },
  },
} as const;

export const targetColour = (index: number, theme: Theme): string => colourOf(chartThemes[theme], index);

export const useChartTheme = (): ChartTheme => chartThemes[useTheme()];
