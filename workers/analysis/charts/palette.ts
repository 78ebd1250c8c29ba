/**
 * One fixed look per target, the same in every chart: colour by position in the experiment, and a symbol and a line style besides, so
 * that nothing hangs on colour alone. Hues after Okabe & Ito, "Color Universal Design" (2008), with the lightness of each theme;
 * neighbours differ in lightness, too. The pair red/green never occurs.
 */
export const seriesColours = {
  light: ['#0067a6', '#d55e00', '#008f6b', '#a94b8a', '#8f6a00', '#4aa3d8', '#5b52b5', '#5f6368'],
  dark: ['#58b2f2', '#ff9450', '#3ccfa2', '#ec9fce', '#e8bd45', '#a5d8ff', '#b1a7ff', '#c3c7cc'],
} as const;

const symbols = ['circle', 'triangle', 'rect', 'diamond', 'roundRect', 'pin', 'arrow', 'emptyCircle'] as const;
const dashes: readonly ('solid' | number[])[] = [
  'solid',
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
  'solid',
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
];

export type SymbolName = (typeof symbols)[number];

/** Symbol and dash pattern of the target at this position; more than eight targets repeat them. */
export const symbolOf = (index: number): SymbolName => symbols[index % symbols.length]!;
export const dashOf = (index: number): 'solid' | number[] => dashes[index % dashes.length]!;
