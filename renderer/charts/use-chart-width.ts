import { type RefObject, useEffect, useRef, useState } from 'react';

/** Steps, so that a scroll bar that comes and goes does not redraw everything. */
const stepPx = 20;
const borderPx = 2;

/** The width that was measured last: most views are as wide as the one before, and need not be drawn twice. */
let lastPx = 1_040;

/** The width that charts have inside an element, for builders that lay out several panels. */
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
