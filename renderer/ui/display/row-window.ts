import { useCallback, useState } from 'react';

/** Rows of a long table that are drawn: from the first to the one before `to`. */
interface RowWindow {
  readonly from: number;
  readonly to: number;
}

interface Scrolled {
  readonly scrollPx: number;
  /** The height of the visible part. */
  readonly heightPx: number;
  readonly rowPx: number;
  readonly count: number;
}

/** Rows above and below what is in view, so that a step of the keyboard finds the next one. */
const margin = 8;

/** The rows in view of a box that is scrolled so far, and a few around them. */
export function rowsInView({ scrollPx, heightPx, rowPx, count }: Scrolled): RowWindow {
  const from = Math.max(0, Math.min(count, Math.floor(scrollPx / rowPx)) - margin);
  return { from, to: Math.min(count, Math.ceil((scrollPx + heightPx) / rowPx) + margin) };
}

/**
 * Draws a long table by the rows in view: `onScroll` belongs to the box that scrolls, of `heightPx`. Rows are `rowPx`
 * high. Tables of up to `mostPlain` rows are drawn as a whole.
 */
export function useRowWindow(count: number, rowPx: number, heightPx: number, mostPlain: number) {
  const [scrollPx, setScrollPx] = useState(0);
  const isLong = count > mostPlain;
  const { from, to } = isLong ? rowsInView({ scrollPx, heightPx, rowPx, count }) : { from: 0, to: count };
  const onScroll = useCallback(
    ({ currentTarget }: { readonly currentTarget: { readonly scrollTop: number } }) =>
      setScrollPx(currentTarget.scrollTop),
    [],
  );
  return { isLong, from, to, abovePx: from * rowPx, belowPx: (count - to) * rowPx, onScroll };
}
