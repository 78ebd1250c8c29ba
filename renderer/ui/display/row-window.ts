import { useCallback, useState } from 'react';

/** The rendered rows of a long table: from `from` up to, but not including, `to`. */
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

/** The number of rows above and below the visible rows, so that the keyboard can move to the next row. */
const margin = 8;

/** The visible rows of a scrolling box, and a few rows around them. */
export function rowsInView({ scrollPx, heightPx, rowPx, count }: Scrolled): RowWindow {
  const from = Math.max(0, Math.min(count, Math.floor(scrollPx / rowPx)) - margin);
  return { from, to: Math.min(count, Math.ceil((scrollPx + heightPx) / rowPx) + margin) };
}

/**
 * Renders only the visible rows of a long table. `onScroll` belongs to the scrolling box, whose height is `heightPx`.
 * Rows are `rowPx` high. Tables of up to `mostPlain` rows are rendered completely.
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
