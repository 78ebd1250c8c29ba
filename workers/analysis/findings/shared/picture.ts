import { formatPercent } from '#model/format/format.ts';
import type { ResourceClass } from '#model/resource.ts';
import type { ClientPart } from '../../client/client-time.ts';

/**
 * The meaning of a mark's colour. own: the target of the finding's cell; other: a cell or value for comparison; rest:
 * the remainder of a whole; part and class: an activity of a client process, and of a server.
 */
export type Tone = 'own' | 'other' | 'rest' | { readonly part: ClientPart } | { readonly class: ResourceClass };

/** A number with its name. */
export interface Mark {
  readonly label: string;
  readonly value: number;
  /** The formatted value with its unit. */
  readonly text: string;
  readonly tone: Tone;
}

/** A whole as one bar. The values of the marks are shares (0…1). */
interface Parts {
  readonly kind: 'parts';
  readonly title: string;
  readonly marks: readonly Mark[];
}

/** Numbers of one unit, a bar for each. */
interface Bars {
  readonly kind: 'bars';
  readonly title: string;
  readonly marks: readonly Mark[];
}

/** A line from zero over a load, the time in ms, or the number of processed rows. */
export interface Series {
  readonly kind: 'series';
  readonly title: string;
  readonly over: 'connections' | 'time' | 'rows done';
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Named places on the x axis. */
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Shaded ranges of the x axis, with one name for all of them. */
  readonly bands?: {
    readonly label: string;
    readonly spans: readonly { readonly from: number; readonly to: number }[];
  };
}

/** Indented lines of text, in columns; marked lines stand out. */
interface Trees {
  readonly kind: 'trees';
  readonly title: string;
  readonly trees: readonly {
    readonly label: string;
    readonly lines: readonly { readonly depth: number; readonly text: string; readonly isMarked: boolean }[];
  }[];
}

/** The text of each setting for each target. */
interface Words {
  readonly kind: 'words';
  readonly title: string;
  readonly targets: readonly string[];
  /** `cells` are in the order of `targets`. */
  readonly rows: readonly { readonly label: string; readonly cells: readonly string[] }[];
}

/** The picture beside the text of a finding, as data; charts/finding in presentation draws it. */
export type Picture = Parts | Bars | Series | Trees | Words;

/** A number with its unit, like evidence. */
type Amount = Omit<Mark, 'tone'>;

/** Numbers of one unit: the finding's own comes first, then the numbers for comparison. */
export const barsOf = (title: string, ...numbers: readonly Amount[]): Picture => ({
  kind: 'bars',
  title,
  marks: numbers.map(({ label, value, text }, i) => ({ label, value, text, tone: i === 0 ? 'own' : 'other' })),
});

/** The shares (0…1) of a whole, each by its name and tone. */
export const partsOf = (
  title: string,
  shares: readonly (readonly [label: string, share: number, tone: Tone])[],
): Picture => ({
  kind: 'parts',
  title,
  marks: shares.map(([label, value, tone]) => ({ label, value, tone, text: formatPercent(value) })),
});

/** A share (0…1) and the rest of its whole. */
export const shareOf = ({ label, value }: Pick<Amount, 'label' | 'value'>): Picture =>
  partsOf(label, [
    ['this part', value, 'own'],
    ['the rest', 1 - value, 'rest'],
  ]);
