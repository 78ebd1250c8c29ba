import { type RefObject, useEffect, useRef, useState } from 'react';

/** Widths are rounded to steps, so that an appearing scroll bar does not redraw all charts. */
const stepPx = 20;
const borderPx = 2;

/** The last measured width. Most views have the same width as the previous view, so charts are drawn only once. */
let lastPx = 1_040;

/** The width of charts inside an element, for charts with several columns. */
export function useChartWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(lastPx);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      lastPx = Math.max(240, Math.floor((entry.contentRect.width - borderPx) / stepPx) * stepPx);
      setWidthPx(lastPx);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, widthPx];
}
