import type { ChartTheme } from '#presentation/charts/plot/theme.ts';
import { useTheme } from '../state/theme.ts';
import { chartThemes } from './chart-themes.ts';

export const useChartTheme = (): ChartTheme => chartThemes[useTheme()];
