import { type ChartTheme, colourOf, darkTheme, lightTheme } from '#presentation/charts/plot/theme.ts';
import { type Theme, useTheme } from '../state/theme.ts';

/** Colours of charts, fitted to the panels that charts stand on here. */
export const chartThemes = {
  light: { ...lightTheme, background: '#ffffff', text: '#16191d', muted: '#5d6772' },
  dark: { ...darkTheme, background: '#17191c', tooltip: '#1e2125', text: '#e7e9ec', muted: '#939ca6', grid: '#2a2e33' },
} as const;

export const targetColour = (index: number, theme: Theme): string => colourOf(chartThemes[theme], index);

export const useChartTheme = (): ChartTheme => chartThemes[useTheme()];
