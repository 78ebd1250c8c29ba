import type { ClientPart } from '#analysis/client/client-time.ts';
import type { ResourceClass } from '#model/resource.ts';

/**
 * The fixed look of each target, which is the same in every chart and run. A target has the colour of its hue
 * (model/hues.ts; the last hue is neutral), a symbol and a line style, so that charts do not depend on colour alone.
 * The hues follow Okabe & Ito, "Color Universal Design" (2008), with the lightness of each theme. Neighbours also
 * differ in lightness, and red is never paired with green.
 */
export const seriesColours = {
  light: ['#0067a6', '#d55e00', '#008f6b', '#a94b8a', '#8f6a00', '#4aa3d8', '#5b52b5', '#5f6368'],
  dark: ['#58b2f2', '#ff9450', '#3ccfa2', '#ec9fce', '#e8bd45', '#a5d8ff', '#b1a7ff', '#c3c7cc'],
} as const;

/**
 * The colours of areas for classes of server time. They follow the light scheme of Tol, "Colour Schemes"
 * (SRON/EPS/TN/09-002, 2021), which was made for areas and can be read with every colour vision. They are paler than
 * all colours of targets. Waiting for the client is not work, so its colour is nearly the background.
 */
export const classColours = {
  light: {
    cpu: '#44bb99',
    log: '#ee8866',
    lock: '#ffaabb',
    latch: '#eedd88',
    dataIo: '#77aadd',
    network: '#99ddff',
    client: '#e6e9ec',
    other: '#b4b84a',
  },
  dark: {
    cpu: '#3aa386',
    log: '#d9775a',
    lock: '#e897a9',
    latch: '#d9c871',
    dataIo: '#6698cc',
    network: '#8accee',
    client: '#33393f',
    other: '#9a9e35',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<ResourceClass, string>>>>;

/** The colour of text on these areas in both themes, except on the client's class. */
export const onClasses = '#11161b';

const symbols = ['circle', 'triangle', 'rect', 'diamond', 'roundRect', 'pin', 'arrow', 'emptyCircle'] as const;
const dashes: readonly ('solid' | number[])[] = ['solid', [7, 3], [2, 2], [9, 3, 2, 3]];

export type SymbolName = (typeof symbols)[number];

/**
 * The symbol and dash pattern of the target at this position. Symbols repeat after eight targets, patterns after four.
 */
export const symbolOf = (index: number): SymbolName => symbols[index % symbols.length]!;
export const dashOf = (index: number): 'solid' | number[] => dashes[index % dashes.length]!;

/**
 * The colours of the parts of a client's time, and of text on them. Colours are warm where the client works, and cool
 * where it waits. Neighbours in `clientParts` differ in lightness.
 */
export const partColours: Readonly<
  Record<'light' | 'dark', Readonly<Record<ClientPart, { readonly fill: string; readonly text: string }>>>
> = {
  light: {
    wait: { fill: '#4b5d70', text: '#ffffff' },
    decode: { fill: '#ead9b8', text: '#1c2126' },
    encode: { fill: '#b98f56', text: '#1c2126' },
    generate: { fill: '#6f5232', text: '#ffffff' },
    engine: { fill: '#a98f86', text: '#1c2126' },
    other: { fill: '#c9d0d7', text: '#1c2126' },
    idle: { fill: '#f1f3f5', text: '#1c2126' },
  },
  dark: {
    wait: { fill: '#7f96ad', text: '#11161b' },
    decode: { fill: '#f0e2c6', text: '#11161b' },
    encode: { fill: '#c09a63', text: '#11161b' },
    generate: { fill: '#7a5c39', text: '#ffffff' },
    engine: { fill: '#b89e94', text: '#11161b' },
    other: { fill: '#4d5762', text: '#ffffff' },
    idle: { fill: '#262d34', text: '#e4e8ec' },
  },
};
