/** An experiment of the gallery as a reader runs it. */
export interface Press {
  /** Its file name without the ending. */
  readonly experiment: string;
  readonly size?: string;
  /** Changes, as `dyno run --set` takes them. */
  readonly set?: readonly string[];
}

/** Two places of the picture of an experiment's card: two labels of its axis, or the ends of a timeline. */
export interface KeptFigures {
  readonly experiment: string;
  readonly from: string;
  readonly to: string;
}

/** One statement of a story, with what Dyno has for it. */
export interface Claim {
  readonly what: string;
  /** The published figures. */
  readonly published: string;
  /** True if the second of the two sides was faster; null if the story compares no two sides. */
  readonly isFaster: boolean | null;
  readonly press: Press;
  /** Figures that are kept of a run with two such sides; null: there are none. */
  readonly kept: KeptFigures | null;
  /** The difference between the experiment and what was published, or what the experiment does. */
  readonly note: string;
}

/**
 * asWritten: the file runs it as the story tells it. partly: with a difference that `reason` names. cannot: not at all.
 */
export type ItemMark = 'asWritten' | 'partly' | 'cannot';

/** One thing of a story that a reader may want to repeat. */
export interface Item {
  readonly what: string;
  readonly mark: ItemMark;
  readonly press?: Press;
  /** Levels that one variant of the experiment has. */
  readonly levels?: Readonly<Record<string, string | number | boolean>>;
  /** Id of the engine of the story, by the gallery's table of engines. */
  readonly engine?: string;
  /** The difference, or the missing part. Required unless the item runs as written. */
  readonly reason?: string;
}

/** A field report that was published, with what a reader can repeat of it. */
export interface Story {
  readonly id: string;
  readonly title: string;
  readonly year: string;
  readonly source: string;
  /** The report in a paragraph. */
  readonly told: string;
  readonly claims: readonly Claim[];
  readonly items: readonly Item[];
}

/** An item that runs as written. */
export const asWritten = (what: string, press: Press, engine?: string, levels?: Item['levels']): Item => ({
  what,
  mark: 'asWritten',
  press,
  ...(engine && { engine }),
  ...(levels && { levels }),
});

/** An item that runs with a difference. */
export const partly = (what: string, press: Press, reason: string, engine?: string): Item => ({
  ...{ what, mark: 'partly', press, reason },
  ...(engine && { engine }),
});

/** An item that Dyno cannot run. */
export const cannot = (what: string, reason: string): Item => ({ what, mark: 'cannot', reason });
